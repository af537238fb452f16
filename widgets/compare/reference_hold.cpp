#include "widgets/compare/reference_hold.h"

#include <QApplication>
#include <QKeyEvent>

namespace qs::widgets {

ReferenceHold::ReferenceHold(QWidget& area) : QObject(&area), m_area(area)
{
    qApp->installEventFilter(this);
}

void ReferenceHold::setHeld(bool held)
{
    if (held == m_held)
        return;
    m_held = held;
    Q_EMIT changed(held);
}

bool ReferenceHold::eventFilter(QObject* watched, QEvent* event)
{
    const auto isShift = [event] { return static_cast<QKeyEvent*>(event)->key() == Qt::Key_Shift; };
    const auto isHere = [&] {
        const auto* widget = qobject_cast<QWidget*>(watched);
        return m_area.underMouse() ||
               (widget != nullptr && (widget == &m_area || m_area.isAncestorOf(widget)));
    };
    if (event->type() == QEvent::KeyPress && isShift() && isHere())
        setHeld(true);
    else if (event->type() == QEvent::KeyRelease && isShift())
        setHeld(false);
    else if (event->type() == QEvent::ApplicationDeactivate)
        setHeld(false);
    else if (event->type() == QEvent::ActivationChange && watched == m_area.window() &&
             !m_area.isActiveWindow())
        setHeld(false);
    return false;
}

}  // namespace qs::widgets
