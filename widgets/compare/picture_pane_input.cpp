// How PicturePane answers mouse and keys.
#include "widgets/compare/picture_pane.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kSplitGrip = 6;        // logical pixels around the line that take hold of it
constexpr double kSplitStep = 0.02;  // of the width, per press of an arrow key
constexpr double kPanStep = 0.1;     // of the viewport

}  // namespace

void PicturePane::wheelEvent(QWheelEvent* event)
{
    // A high-resolution wheel sends fractions of the 120 units of a notch.
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0.0 || m_content.isNull())
        return event->ignore();
    m_view.zoomBy(std::pow(1.25, notches), toPicture(event->position()), viewport().size());
    event->accept();
}

void PicturePane::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_dragFrom = event->position();
    if (nearSplit(event->position()))
        m_drag = Drag::Split;
    else if (!m_view.isDrawingRegion())
        m_drag = Drag::Picture;
    else if (!m_content.isNull() && viewport().contains(event->position().toPoint()))
        m_drag = Drag::Region;
    if (m_drag == Drag::Region)
        m_view.setRegion(std::nullopt);
}

void PicturePane::drawRegionTo(QPointF point)
{
    const QPointF from = toPicture(m_dragFrom);
    const QPointF to = toPicture(point);
    const QRectF box = QRectF(from, to).normalized();
    // Every pixel that the box touches; a mere click is no region.
    if (box.width() * box.height() > 0.0)
        m_view.setRegion(box.toAlignedRect());
}

void PicturePane::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_drag == Drag::Split) {
        setSplitPosition(at.x() / std::max(1, width()));
    } else if (m_drag == Drag::Picture) {
        m_view.panBy(at - m_dragFrom);
        m_dragFrom = at;
    } else if (m_drag == Drag::Region) {
        drawRegionTo(at);
    } else if (nearSplit(at)) {
        setCursor(Qt::SplitHCursor);
    } else {
        setCursor(Qt::CrossCursor);
    }
    const QPointF point = toPicture(at);
    const bool inside = !m_content.isNull() && viewport().contains(at.toPoint()) &&
                        QRectF(QPointF(0, 0), QSizeF(m_view.pictureSize())).contains(point);
    m_view.setCursor(inside ? std::optional(point) : std::nullopt);
}

void PicturePane::mouseReleaseEvent(QMouseEvent* event)
{
    if (std::exchange(m_drag, Drag::None) == Drag::Region)
        Q_EMIT regionDrawn();
    QWidget::mouseReleaseEvent(event);
}

void PicturePane::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_view.fit();
}

void PicturePane::leaveEvent(QEvent* event)
{
    m_view.setCursor(std::nullopt);
    QWidget::leaveEvent(event);
}

void PicturePane::keyPressEvent(QKeyEvent* event)
{
    const QSizeF step = QSizeF(viewport().size()) * kPanStep;
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const double sign = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up ? 1.0 : -1.0;
    if (sideways && isSplit())
        setSplitPosition(m_splitPosition - sign * kSplitStep);
    else if (sideways)
        m_view.panBy({sign * step.width(), 0});
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        m_view.panBy({0, sign * step.height()});
    else if (event->key() == Qt::Key_Delete && m_remove != nullptr)
        Q_EMIT removeWanted();
    else
        QWidget::keyPressEvent(event);
}

int PicturePane::splitX() const
{
    return static_cast<int>(std::lround(m_splitPosition * viewport().width()));
}

bool PicturePane::nearSplit(QPointF point) const
{
    return isSplit() && viewport().contains(point.toPoint()) &&
           std::abs(point.x() - splitX()) <= kSplitGrip;
}

}  // namespace qs::widgets
