#pragma once

#include <QApplication>
#include <QKeyEvent>
#include <QTest>
#include <QWindow>

// Keys as a person presses them: to whatever window and widget has the keyboard.
namespace qs::tests {

inline void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWindow* window = QGuiApplication::focusWindow();
    if (QWidget* popup = QApplication::activePopupWidget())
        window = popup->windowHandle();
    if (window == nullptr)
        qFatal("no window has the keyboard");
    QTest::keyClick(window, key, modifiers);
}

inline void type(const QString& text)
{
    for (const QChar letter : text)
        QTest::keyClick(QGuiApplication::focusWindow(), letter.toLatin1());
}

// The name of the widget that has the keyboard, for waiting for it.
inline QString focusName()
{
    const QWidget* focus = QApplication::focusWidget();
    return focus == nullptr ? QString() : focus->objectName();
}

// Presses Tab until the keyboard is at the widget of this name. False if Tab does not get there.
inline bool tabTo(const QString& name)
{
    constexpr int kMost = 200;
    for (int i = 0; i < kMost && focusName() != name; ++i)
        press(Qt::Key_Tab);
    return focusName() == name;
}

// Waits for the window to have the keyboard again after a dialog. Offscreen there is no window
// manager that gives it back.
inline bool comesBack(QWidget& window)
{
    constexpr int kHangs = 60'000;  // milliseconds
    return QTest::qWaitFor(
        [&window] {
            const bool open = QApplication::activeModalWidget() != nullptr ||
                              QApplication::activePopupWidget() != nullptr;
            const bool isBack =
                window.isActiveWindow() && QGuiApplication::focusWindow() != nullptr;
            // A menu that is closed may still be what has it.
            if (!open && !isBack)
                window.activateWindow();
            return isBack;
        },
        kHangs);
}

}  // namespace qs::tests
