#include "widgets/compare/compare_maps.h"

#include <QLocale>

#include <algorithm>

namespace qs::widgets {

CompareMaps::CompareMaps(const ComparedCells& cells, const PictureSet& pictures,
                         const CompareControls& controls, const ComparePanes& panes)
    : m_cells(cells), m_pictures(pictures), m_controls(controls), m_panes(panes)
{
    connect(&m_drawer, &MapDrawer::drawn, this, &CompareMaps::show);
}

const ComparisonContent* CompareMaps::comparison(int place) const
{
    const LoadedPictures* loaded = m_pictures.current().get();
    const LoadedCell cell = loadedCell(loaded, m_cells, place);
    if (cell.source == nullptr)
        return nullptr;
    // The reference does not differ from itself; A alone says so with a black map.
    if (place != ComparedCells::kA && *cell.source == loaded->request.reference)
        return nullptr;
    return cell.toReference;
}

bool CompareMaps::isWanted(int place) const
{
    if (place == ComparedCells::kB && !m_controls.isPaneWanted(PaneRole::B))
        return false;
    // Why there is none is said once, in the pane of the picture.
    const ComparisonContent* compared = comparison(place);
    return compared != nullptr && compared->value != nullptr;
}

bool CompareMaps::isClipped() const
{
    return std::any_of(drawn().begin(), drawn().end(), [](const DrawnMap& map) {
        return map.of != nullptr && map.largest > map.scale.range;
    });
}

void CompareMaps::draw()
{
    if (m_pictures.current() == nullptr)
        return;
    MapDrawer::Comparisons wanted;
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        const ComparisonContent* compared = isWanted(place) ? comparison(place) : nullptr;
        wanted.push_back(compared == nullptr ? nullptr : compared->value);
        // A map of other pictures must not be seen beside these.
        const auto at = static_cast<std::size_t>(place);
        if (at >= drawn().size() || drawn()[at].of != wanted.back())
            m_panes.map(place).setContent({});
    }
    m_drawer.request(wanted, m_controls.mapWish());
}

void CompareMaps::show()
{
    if (m_pictures.current() == nullptr)
        return;
    for (std::size_t at = 0; at < drawn().size(); ++at)
        showMap(static_cast<int>(at), drawn()[at]);
    Q_EMIT shown();
}

void CompareMaps::showMap(int place, const DrawnMap& drawn)
{
    PicturePane& target = m_panes.map(place);
    const ComparisonContent* compared = comparison(place);
    if (compared == nullptr)
        return;
    const QString pair = tr("%1 against reference").arg(ComparedCells::label(place));
    PaneText text{.title = QStringLiteral("%1 · %2").arg(kindName(drawn.scale.kind), pair)};
    const QString problem = compared->value == nullptr ? compared->problem : drawn.problem;
    if (compared->value == nullptr || (drawn.shown.isNull() && !problem.isEmpty())) {
        target.setText(text);
        target.setMessage(problem);
        return;
    }
    text.details = kindExplanation(drawn.scale.kind);
    text.caption << tr("scale %1 · largest %2")
                        .arg(rangeText(drawn.scale), QLocale().toString(drawn.largest, 'g', 3));
    if (drawn.mean && drawn.scale.kind == MapKind::Flip)
        text.caption << tr("mean FLIP %1 · at %2")
                            .arg(QLocale().toString(*drawn.mean, 'g', 3), viewingDistance());
    if (const auto variant = variantOf(drawn.scale.kind); drawn.mean && variant)
        text.caption << QStringLiteral("%1 %2").arg(QString::fromStdString(core::name(*variant)),
                                                    QLocale().toString(*drawn.mean, 'f', 5));
    target.setText(text);
    target.setContent(drawn.shown);
}

}  // namespace qs::widgets

#include "moc_compare_maps.cpp"
