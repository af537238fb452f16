#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_view.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>

// Points and curves that the user picks.
namespace qs::widgets {

void CurveView::choosePoint(const QString& pointId)
{
    const auto overlaid = overlaidCell(pointId);
    m_clicked = overlaid ? pointId : QString();
    if (!overlaid) {
        m_store.selectCell(pointId);
        return markSelection();
    }
    OtherRuns& others = m_store.others();
    if (overlaid->run >= others.beside().size())
        return;
    others.show(overlaid->run);
    const core::MatchedCell* matched =
        others.beside()[overlaid->run]->findOther(overlaid->cellId.toStdString());
    if (matched != nullptr)
        m_store.selectCell(QString::fromStdString(matched->before->cellId));
    else
        m_note->setText(tr("The run in view does not have this cell of %1.")
                            .arg(others.beside()[overlaid->run]->run->name));
    markSelection();
}

// The ring stays on the point of another run that was clicked, until another cell is selected.
void CurveView::markSelection()
{
    const auto overlaid = overlaidCell(m_clicked);
    const OtherRuns::Beside& beside = m_store.others().beside();
    const core::MatchedCell* matched =
        overlaid && overlaid->run < beside.size()
            ? beside[overlaid->run]->findOther(overlaid->cellId.toStdString())
            : nullptr;
    if (matched == nullptr ||
        QString::fromStdString(matched->before->cellId) != m_store.selectedCell())
        m_clicked.clear();
    m_plot->setSelectedCell(m_clicked.isEmpty() ? m_store.selectedCell() : m_clicked);
}

QString CurveView::toolTipOf(const QString& pointId) const
{
    if (const auto overlaid = overlaidCell(pointId))
        return overlaidToolTip(m_store.others().beside(), *overlaid, metric());
    const core::CellSummary* cell = m_store.analysis().find(pointId.toStdString());
    return cell == nullptr ? QString()
                           : pointToolTip(m_store.analysis(), m_store.baseline(), metric(), *cell);
}

void CurveView::refreshCurveMenu()
{
    // The menu is open over a running sweep: an action that vanished under the pointer would be a
    // trap.
    if (m_curvesMenu->isVisible())
        return;
    m_curvesMenu->clear();
    for (const Curve& curve : m_plot->curves().curves) {
        if (curve.empty())
            continue;
        QAction* action = m_curvesMenu->addAction(curve.name);
        action->setCheckable(true);
        action->setChecked(!m_plot->look().hidden.contains(curve.key));
        const QString key = curve.key;
        connect(action, &QAction::toggled, m_plot, [this, key](bool shown) {
            m_plot->setCurveShown(key, shown);
            showNote();
        });
    }
    m_curvesButton->setEnabled(!m_curvesMenu->isEmpty());
}

}  // namespace qs::widgets
