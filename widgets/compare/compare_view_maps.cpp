// The maps of CompareView and their one scale.
#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"

#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace qs::widgets {

const ComparisonContent* CompareView::mapComparison(int cell) const
{
    const LoadedCell loaded = loadedCell(cell);
    if (loaded.source == nullptr)
        return nullptr;
    if (m_controls->against() == MapAgainst::B)
        return cell == kA ? &m_set.current()->aToB : nullptr;
    // The reference does not differ from itself; A alone says so with a black map.
    if (cell != kA && *loaded.source == m_set.current()->request.reference)
        return nullptr;
    return loaded.toReference;
}

bool CompareView::isMapWanted(int cell) const
{
    if (!m_controls->isPaneWanted(PaneRole::Map))
        return false;
    if (cell == kB && !m_controls->isPaneWanted(PaneRole::B))
        return false;
    // Why A has none is said once, in its own pane.
    const ComparisonContent* compared = mapComparison(cell);
    return cell == kA || (compared != nullptr && compared->value != nullptr);
}

void CompareView::drawMaps()
{
    if (m_set.current() == nullptr)
        return;
    MapDrawer::Comparisons wanted;
    for (int cell = 0; cell < kCells; ++cell) {
        const ComparisonContent* compared = isMapWanted(cell) ? mapComparison(cell) : nullptr;
        wanted.push_back(compared == nullptr ? nullptr : compared->value);
        // A map of other pictures must not be seen beside these.
        const auto at = static_cast<std::size_t>(cell);
        const auto& drawn = m_maps.current();
        if (at >= drawn.size() || drawn[at].of != wanted.back())
            m_cells[at].map->setContent({});
    }
    m_maps.request(wanted, m_controls->scale());
}

void CompareView::showMaps()
{
    if (m_set.current() == nullptr)
        return;
    const auto& drawn = m_maps.current();
    for (int cell = 0; cell < kCells; ++cell) {
        if (const auto at = static_cast<std::size_t>(cell); at < drawn.size())
            showMap(cell, drawn[at]);
    }
    showScale();
    showVisiblePanes();
}

void CompareView::showMap(int cell, const DrawnMap& drawn)
{
    PicturePane& target = *m_cells[static_cast<std::size_t>(cell)].map;
    const ComparisonContent* compared = mapComparison(cell);
    if (compared == nullptr)
        return;
    const QString pair = m_controls->against() == MapAgainst::B
                             ? tr("A against B")
                             : tr("%1 against reference").arg(cellLabel(cell));
    target.setTitle(QStringLiteral("%1 · %2").arg(kindName(drawn.scale.kind), pair));
    if (compared->value == nullptr) {
        target.setCaption({});
        target.setMessage(compared->problem);
        return;
    }
    if (drawn.shown.isNull() && !drawn.problem.isEmpty()) {
        target.setCaption({});
        target.setMessage(drawn.problem);
        return;
    }
    target.setContent(drawn.shown);
    QStringList caption{
        tr("scale %1 · largest %2")
            .arg(rangeText(drawn.scale), QLocale().toString(drawn.largest, 'g', 3))};
    if (drawn.mean && drawn.scale.kind == MapKind::Flip)
        caption << tr("mean FLIP %1 · at %2")
                       .arg(QLocale().toString(*drawn.mean, 'g', 3), viewingDistance());
    if (const auto variant = variantOf(drawn.scale.kind); drawn.mean && variant)
        caption << QStringLiteral("%1 %2").arg(QString::fromStdString(core::name(*variant)),
                                               QLocale().toString(*drawn.mean, 'f', 5));
    target.setCaption(caption, kindExplanation(drawn.scale.kind));
}

// One scale for all maps: it is clipped where one is, and clearer only where that suits all.
void CompareView::showScale()
{
    const MapScale scale = m_controls->scale();
    double largest = 0.0;
    m_clearer = 0.0;
    bool magnify = false;
    bool full = false;
    for (const DrawnMap& drawn : m_maps.current()) {
        if (drawn.of == nullptr || drawn.largest <= 0.0)
            continue;
        largest = std::max(largest, drawn.largest);
        magnify = magnify || drawn.clearer.has_value();
        full = full || !drawn.clearer.has_value();
        m_clearer = std::max(m_clearer, drawn.clearer.value_or(0.0));
    }
    m_bar->setScale(scale, largest > scale.range);
    m_magnify->setVisible(magnify && !full);
    m_magnify->setText(
        tr("Faint: magnify to %1").arg(rangeText({.kind = scale.kind, .range = m_clearer})));
}

}  // namespace qs::widgets
