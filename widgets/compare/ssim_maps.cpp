#include "widgets/compare/ssim_maps.h"

#include <utility>

namespace qs::widgets {

SsimMaps::SsimMaps(std::shared_ptr<const core::Picture> picture,
                   std::shared_ptr<const core::Picture> reference)
    : m_picture(std::move(picture)), m_reference(std::move(reference))
{
}

const core::Result<core::SsimResult>& SsimMaps::get(core::SsimVariant variant) const
{
    Entry& entry = m_entries.at(static_cast<std::size_t>(variant));
    std::call_once(entry.once, [&] {
        entry.result.emplace(core::ssim(core::clamped(*m_picture, 0.0F, 1.0F),
                                        core::clamped(*m_reference, 0.0F, 1.0F), variant, 1.0));
        if (entry.result->ok()) {
            core::PixelMap& map = entry.result->value().map;
            map = oneMinus(std::move(map));
        }
    });
    return *entry.result;
}

core::PixelMap oneMinus(core::PixelMap map)
{
    for (float& value : map.values)
        value = 1.0F - value;
    return map;
}

}  // namespace qs::widgets
