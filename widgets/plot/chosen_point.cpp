#include "widgets/plot/chosen_point.h"

#include "widgets/plot/curve_overlay.h"

#include <optional>

namespace qs::widgets {

namespace {

// The cell of the run in view; empty if it has none.
QString matchedCell(const OtherRuns::Beside& beside, const std::optional<OverlaidCell>& cell)
{
    const core::MatchedCell* matched =
        cell && cell->run < beside.size() ? beside[cell->run]->findOther(cell->cellId.toStdString())
                                          : nullptr;
    return matched == nullptr ? QString() : QString::fromStdString(matched->before->cellId);
}

}  // namespace

bool ChosenPoint::choose(const QString& pointId)
{
    const auto overlaid = overlaidCell(pointId);
    m_clicked = overlaid ? pointId : QString();
    if (!overlaid) {
        m_store.selectCell(pointId);
        return true;
    }
    OtherRuns& others = m_store.others();
    if (overlaid->run < others.beside().size())
        others.show(overlaid->run);
    const QString own = matchedCell(others.beside(), overlaid);
    if (!own.isEmpty())
        m_store.selectCell(own);
    return !own.isEmpty();
}

QString ChosenPoint::marked()
{
    const auto overlaid = overlaidCell(m_clicked);
    const QString own = matchedCell(m_store.others().beside(), overlaid);
    if (own.isEmpty() || own != m_store.selectedCell())
        m_clicked.clear();
    return m_clicked.isEmpty() ? m_store.selectedCell() : m_clicked;
}

}  // namespace qs::widgets
