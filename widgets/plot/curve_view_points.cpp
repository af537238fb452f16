#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_references.h"
#include "widgets/plot/curve_view.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>

// Points and curves that the user picks.
namespace qs::widgets {

void CurveView::choosePoint(const QString& pointId)
{
    if (isReference(pointId))
        return;  // no cell of a run
    if (!m_point.choose(pointId))
        m_note->setText(notInViewText(m_store.others().beside(), pointId));
    markSelection();
}

void CurveView::markSelection()
{
    m_plot->setSelectedCell(m_point.marked());
}

QString CurveView::toolTipOf(const QString& pointId) const
{
    if (isReference(pointId))
        return referenceToolTip(m_references, pointId);
    if (const auto overlaid = overlaidCell(pointId))
        return overlaidToolTip(m_store.others().beside(), *overlaid, shownMetric());
    const core::CellSummary* cell = m_store.analysis().find(pointId.toStdString());
    return cell == nullptr
               ? QString()
               : pointToolTip(m_store.analysis(), m_store.baseline(), shownMetric(), *cell);
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
