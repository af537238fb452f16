#include "widgets/compare/reference_hold.h"

#include <QApplication>
#include <QKeyEvent>

namespace qs::widgets {

namespace {

// Slow enough to look, quick enough to see what jumps.
constexpr int kBlinkMs = 600;

}  // namespace

ReferenceHold::ReferenceHold(QWidget& area) : QObject(&area), m_area(area)
{
    m_blink.setInterval(kBlinkMs);
    connect(&m_blink, &QTimer::timeout, this, [this] { set(m_held, !m_turned); });
    qApp->installEventFilter(this);
}

void ReferenceHold::set(bool held, bool turned)
{
    const bool before = isHeld();
    m_held = held;
    m_turned = turned;
    if (isHeld() != before)
        Q_EMIT changed(isHeld());
}

void ReferenceHold::setHeld(bool held)
{
    set(held, m_turned);
}

void ReferenceHold::turn(bool toReference)
{
    m_blink.stop();
    set(m_held, toReference);
}

void ReferenceHold::setBlinking(bool blinking)
{
    if (blinking)
        m_blink.start();
    else
        turn(false);
}

void ReferenceHold::letGo()
{
    set(false, false);
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

#include "moc_reference_hold.cpp"
