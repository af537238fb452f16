#include "widgets/compare/flip_map.h"

#include <utility>

namespace qs::widgets {

FlipMap::FlipMap(std::shared_ptr<const core::Picture> picture,
                 std::shared_ptr<const core::Picture> reference)
    : m_picture(std::move(picture)), m_reference(std::move(reference))
{
}

const core::Result<core::FlipResult>& FlipMap::get() const
{
    std::call_once(m_once, [this] { m_result.emplace(core::flip(*m_picture, *m_reference)); });
    return *m_result;
}

}  // namespace qs::widgets
