#include "widgets/compare/pane_interaction.h"

#include "widgets/compare/pane_split.h"
#include "widgets/compare/pane_text.h"
#include "widgets/compare/shared_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kSplitStep = 0.02;  // of the width, per press of an arrow key
constexpr double kPanStep = 0.1;     // of the viewport

}  // namespace

PaneInteraction::PaneInteraction(QWidget& pane, const Parts& parts)
    : QObject(&pane), m_pane(pane), m_parts(parts)
{
    pane.setMouseTracking(true);
    pane.setFocusPolicy(Qt::StrongFocus);
    pane.installEventFilter(this);
}

PaneFrame PaneInteraction::frame() const
{
    return {m_parts.texts.pictureArea(), m_parts.view};
}

void PaneInteraction::moveSplit(double position)
{
    m_parts.split.setPosition(position);
    m_pane.update();
}

bool PaneInteraction::eventFilter(QObject* /*watched*/, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Wheel:
        return turnWheel(*static_cast<QWheelEvent*>(event));
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return release();
    case QEvent::MouseButtonDblClick:
        if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton &&
            !m_parts.view.isDrawingRegion())
            Q_EMIT aloneWanted();
        return true;
    case QEvent::Leave:
        m_parts.view.setCursor(std::nullopt);
        return false;
    case QEvent::KeyPress:
        return pressKey(*static_cast<QKeyEvent*>(event));
    default:
        return false;
    }
}

bool PaneInteraction::turnWheel(QWheelEvent& event)
{
    // A high-resolution wheel sends fractions of the 120 units of a notch.
    const double notches = event.angleDelta().y() / 120.0;
    if (notches == 0.0 || m_parts.content.isNull())
        return false;
    const PaneFrame frame = this->frame();
    m_parts.view.zoomBy(std::pow(1.25, notches), frame.toPicture(event.position()),
                        frame.area.size());
    event.accept();
    return true;
}

bool PaneInteraction::press(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return false;
    m_dragFrom = event.position();
    if (m_parts.split.isNear(m_dragFrom, frame().pictureArea()))
        m_drag = Drag::Split;
    else if (!m_parts.view.isDrawingRegion())
        m_drag = Drag::Picture;
    else if (!m_parts.content.isNull() && frame().area.contains(m_dragFrom.toPoint()))
        m_drag = Drag::Region;
    if (m_drag == Drag::Region)
        m_parts.view.setRegion(std::nullopt);
    return true;
}

void PaneInteraction::drawRegionTo(QPointF point)
{
    const PaneFrame frame = this->frame();
    const QRectF box = QRectF(frame.toPicture(m_dragFrom), frame.toPicture(point)).normalized();
    // Every pixel that the box touches; a mere click is no region.
    if (box.width() * box.height() > 0.0)
        m_parts.view.setRegion(box.toAlignedRect());
}

bool PaneInteraction::move(const QMouseEvent& event)
{
    const QPointF at = event.position();
    if (m_drag == Drag::Split) {
        const QRect picture = frame().pictureArea();
        moveSplit((at.x() - picture.left()) / picture.width());
    } else if (m_drag == Drag::Picture) {
        m_parts.view.panBy(at - m_dragFrom);
        m_dragFrom = at;
    } else if (m_drag == Drag::Region) {
        drawRegionTo(at);
    } else {
        const bool near = m_parts.split.isNear(at, frame().pictureArea());
        m_pane.setCursor(near ? Qt::SplitHCursor : Qt::CrossCursor);
    }
    const PaneFrame frame = this->frame();
    const QPointF point = frame.toPicture(at);
    const bool inside = !m_parts.content.isNull() && frame.area.contains(at.toPoint()) &&
                        QRectF(QPointF(0, 0), QSizeF(m_parts.view.pictureSize())).contains(point);
    m_parts.view.setCursor(inside ? std::optional(point) : std::nullopt);
    return true;
}

bool PaneInteraction::release()
{
    if (std::exchange(m_drag, Drag::None) == Drag::Region)
        Q_EMIT regionDrawn();
    return false;
}

bool PaneInteraction::pressKey(const QKeyEvent& event)
{
    const QSizeF step = QSizeF(frame().area.size()) * kPanStep;
    const int key = event.key();
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? 1.0 : -1.0;
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    // Without Ctrl they blink, which is not a thing of one pane.
    const bool pans = event.modifiers().testFlag(Qt::ControlModifier);
    if (across && m_parts.split.isOn()) {
        moveSplit(m_parts.split.position() - sign * kSplitStep);
    } else if (across && pans) {
        m_parts.view.panBy({sign * step.width(), 0});
    } else if (pans && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        m_parts.view.panBy({0, sign * step.height()});
    } else if (key == Qt::Key_Delete && m_removable) {
        Q_EMIT removePressed();
    } else {
        return false;
    }
    return true;
}

}  // namespace qs::widgets

#include "moc_pane_interaction.cpp"
