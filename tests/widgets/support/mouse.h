#pragma once

#include <QAbstractScrollArea>
#include <QApplication>
#include <QScrollArea>
#include <QTest>
#include <QWidget>
#include <QWindow>

// The mouse as a hand moves it: presses go to the window, which finds out what lies there.
namespace qs::tests {

// Where the middle of a widget lies in its window.
inline QPoint middleOf(const QWidget& widget)
{
    return widget.mapTo(widget.window(), widget.rect().center());
}

// Scrolls it into view first, as a person would.
inline void bringIntoView(QWidget& widget)
{
    for (QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(up)) {
            area->ensureWidgetVisible(&widget);
            QApplication::processEvents();
        }
    }
}

inline void clickAt(QWidget& widget, QPoint at)
{
    QTest::mouseClick(widget.window()->windowHandle(), Qt::LeftButton, Qt::NoModifier, at);
}

inline void click(QWidget& widget)
{
    bringIntoView(widget);
    clickAt(widget, middleOf(widget));
}

inline void doubleClick(QWidget& widget)
{
    QTest::mouseDClick(widget.window()->windowHandle(), Qt::LeftButton, Qt::NoModifier,
                       middleOf(widget));
}

}  // namespace qs::tests
