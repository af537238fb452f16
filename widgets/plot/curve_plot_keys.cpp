#include "widgets/plot/curve_plot.h"

#include "widgets/plot/focus_frame.h"

#include <QKeyEvent>

#include <algorithm>

// What the plot does with the keyboard.
namespace qs::widgets {

void CurvePlot::keyPressEvent(QKeyEvent* event)
{
    constexpr double kStep = 0.8;
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(-1, 0);
    case Qt::Key_Right:
        return walk(1, 0);
    case Qt::Key_Up:
        return walk(0, 1);
    case Qt::Key_Down:
        return walk(0, -1);
    case Qt::Key_Plus:
        return zoomBy(kStep);
    case Qt::Key_Minus:
        return zoomBy(1.0 / kStep);
    case Qt::Key_Home:
        return resetZoom();
    default:
        QWidget::keyPressEvent(event);
    }
}

void CurvePlot::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    paintFocusFrame(*this);
}

// To the neighbour on the same curve (`along`), or to the point above or below at the same place
// (`across`).
void CurvePlot::walk(int along, int across)
{
    const CurvePoint* first = nullptr;
    const CurvePoint* from = nullptr;
    const Curve* home = nullptr;
    for (const Curve& curve : m_set.curves) {
        for (const CurvePoint& point : curve.points) {
            if (m_look.hidden.contains(curve.key))
                continue;
            first = first == nullptr ? &point : first;
            if (point.cellId == m_look.selectedCell) {
                from = &point;
                home = &curve;
            }
        }
    }
    const CurvePoint* target = from == nullptr ? first : nullptr;
    const auto consider = [&](const CurvePoint& point) {
        const double here = along != 0 ? from->x : from->y;
        const auto way = [&](const CurvePoint& to) {
            return ((along != 0 ? to.x : to.y) - here) * (along != 0 ? along : across);
        };
        const bool eligible = along != 0 || point.x == from->x;
        if (eligible && way(point) > 0.0 && (target == nullptr || way(point) < way(*target)))
            target = &point;
    };
    for (const Curve& curve : m_set.curves) {
        if (from == nullptr || m_look.hidden.contains(curve.key) || (along != 0 && &curve != home))
            continue;
        std::for_each(curve.points.begin(), curve.points.end(), consider);
    }
    if (target != nullptr)
        Q_EMIT cellClicked(target->cellId);
}

}  // namespace qs::widgets
