#include "widgets/compare/map_drawer.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace qs::widgets {

namespace {

struct MapDrawerText {
    Q_DECLARE_TR_FUNCTIONS(MapDrawer)
};

// The mean that a map is judged by, or why there is no map.
template <typename Made>
void takeMean(const core::Result<Made>& made, const char* problem, DrawnMap& drawn)
{
    if (made.ok())
        drawn.mean = made.value().mean;
    else
        drawn.problem =
            MapDrawerText::tr(problem).arg(QString::fromStdString(made.error().message));
}

DrawnMap draw(const std::shared_ptr<const Comparison>& comparison, const MapScale& scale)
{
    DrawnMap drawn;
    drawn.of = comparison;
    drawn.scale = scale;
    if (comparison == nullptr)
        return drawn;
    if (scale.kind == MapKind::Flip && comparison->flip != nullptr)
        takeMean(comparison->flip->get(),
                 QT_TRANSLATE_NOOP("MapDrawer", "There is no FLIP map: %1"), drawn);
    const auto other = otherVariantOf(scale.kind);
    if (const SsimMap* map = other ? comparison->variant(*other) : nullptr)
        takeMean(map->get(), QT_TRANSLATE_NOOP("MapDrawer", "There is no map of this SSIM: %1"),
                 drawn);
    // The map shares the life of the comparison that it is a part of.
    const std::shared_ptr<const core::PixelMap> map(comparison, &mapOf(*comparison, scale.kind));
    if (map->values.empty())
        return drawn;
    drawn.shown = paneImage(map, scale);
    drawn.largest = largestMagnitude(*map);
    return drawn;
}

// One for all. Makes the maps first, which takes time.
MapScale scaleFor(const MapDrawer::Comparisons& comparisons, const MapWish& wish,
                  const std::function<bool()>& wanted)
{
    if (wish.range)
        return {.kind = wish.kind, .range = *wish.range};
    std::vector<const core::PixelMap*> maps;
    for (const auto& comparison : comparisons) {
        if (comparison != nullptr && wanted())
            maps.push_back(&mapOf(*comparison, wish.kind));
    }
    return {.kind = wish.kind, .range = automaticRange(maps, wish.kind)};
}

}  // namespace

MapScale MapDrawer::scale() const
{
    return m_current.empty() ? MapScale{.kind = m_wish.kind, .range = defaultRange(m_wish.kind)}
                             : m_current.front().scale;
}

void MapDrawer::request(const Comparisons& comparisons, const MapWish& wish)
{
    if (wish == m_wish &&
        std::equal(m_current.begin(), m_current.end(), comparisons.begin(), comparisons.end(),
                   [](const DrawnMap& map, const auto& of) { return map.of == of; })) {
        m_task.drop();
        Q_EMIT drawn();
        return;
    }
    m_task.start(
        this,
        [comparisons, wish, known = m_current](const auto& wanted) {
            std::vector<DrawnMap> maps;
            const MapScale scale = scaleFor(comparisons, wish, wanted);
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
        [this, wish](const std::vector<DrawnMap>& maps) {
            m_current = maps;
            m_wish = wish;
            Q_EMIT drawn();
        });
}

void MapDrawer::clear()
{
    m_task.drop();
    m_current.clear();
}

}  // namespace qs::widgets

#include "moc_map_drawer.cpp"
