#include "widgets/compare/map_drawer.h"

#include <algorithm>

namespace qs::widgets {

namespace {

DrawnMap draw(const std::shared_ptr<const Comparison>& comparison, const MapScale& scale)
{
    DrawnMap drawn{.of = comparison, .scale = scale, .shown = {}, .largest = 0.0, .clearer = {}};
    if (comparison == nullptr)
        return drawn;
    // The map shares the life of the comparison that it is a part of.
    const std::shared_ptr<const core::PixelMap> map(comparison, &mapOf(*comparison, scale.kind));
    drawn.shown = paneImage(map, scale);
    drawn.largest = largestMagnitude(*map);
    drawn.clearer = clearerRange(*map, scale);
    return drawn;
}

}  // namespace

void MapDrawer::request(const Comparisons& comparisons, const MapScale& scale)
{
    if (std::equal(m_current.begin(), m_current.end(), comparisons.begin(), comparisons.end(),
                   [&](const DrawnMap& map, const auto& of) {
                       return map.of == of && map.scale == scale;
                   })) {
        m_task.drop();
        Q_EMIT drawn();
        return;
    }
    m_task.start(
        this,
        [comparisons, scale, known = m_current](const auto& wanted) {
            std::vector<DrawnMap> maps;
            for (const auto& comparison : comparisons) {
                if (!wanted())
                    break;
                const auto found =
                    std::find_if(known.begin(), known.end(), [&](const DrawnMap& map) {
                        return map.of == comparison && map.scale == scale;
                    });
                maps.push_back(found != known.end() ? *found : draw(comparison, scale));
            }
            return maps;
        },
        [this](const std::vector<DrawnMap>& maps) {
            m_current = maps;
            Q_EMIT drawn();
        });
}

void MapDrawer::clear()
{
    m_task.drop();
    m_current.clear();
}

}  // namespace qs::widgets
