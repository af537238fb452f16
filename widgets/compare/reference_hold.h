#pragma once

#include <QTimer>
#include <QWidget>

namespace qs::widgets {

// Whether the reference is seen in place of the cells: while Shift is held down over an area or
// with the keyboard in it, in turn with them while it blinks, or until somebody goes back. A held
// key is let go wherever the release goes, and when the window loses the keyboard, because the
// release then goes elsewhere.
class ReferenceHold final : public QObject
{
    Q_OBJECT

public:
    // A child of `area`.
    explicit ReferenceHold(QWidget& area);

    [[nodiscard]] bool isHeld() const { return m_held || m_turned; }
    // By the key, which always means the reference.
    [[nodiscard]] bool isKeyHeld() const { return m_held; }
    void setHeld(bool held);
    // To the reference, or back; ends the blinking.
    void turn(bool toReference);
    void setBlinking(bool blinking);
    // The cells are seen, whatever was before; what blinks goes on.
    void letGo();

Q_SIGNALS:
    void changed(bool held);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void set(bool held, bool turned);

    QWidget& m_area;
    QTimer m_blink;
    bool m_held = false;
    bool m_turned = false;
};

}  // namespace qs::widgets
