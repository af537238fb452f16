#include "widgets/compare/lazy_map.h"

namespace qs::widgets {

std::shared_ptr<const FlipMap> lazyFlip(FlipMap::Pictures picture, FlipMap::Pictures reference)
{
    return std::make_shared<const FlipMap>(
        std::move(picture), std::move(reference),
        [](const core::Picture& a, const core::Picture& b) { return core::flip(a, b); });
}

std::shared_ptr<const SsimMap> lazySsim(SsimMap::Pictures picture, SsimMap::Pictures reference,
                                        core::SsimVariant variant)
{
    return std::make_shared<const SsimMap>(
        std::move(picture), std::move(reference),
        [variant](const core::Picture& a, const core::Picture& b) {
            auto made = core::ssim(core::clamped(a, 0.0F, 1.0F), core::clamped(b, 0.0F, 1.0F),
                                   variant, 1.0);
            if (made.ok()) {
                core::PixelMap& map = made.value().map;
                map = oneMinus(std::move(map));
            }
            return made;
        });
}

core::PixelMap oneMinus(core::PixelMap map)
{
    for (float& value : map.values)
        value = 1.0F - value;
    return map;
}

}  // namespace qs::widgets
