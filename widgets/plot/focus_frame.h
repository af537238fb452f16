#pragma once

#include <QPainter>
#include <QWidget>

namespace qs::widgets {

// Shows that a plot has the keyboard. To be called while the widget is painted.
inline void paintFocusFrame(QWidget& widget)
{
    if (!widget.hasFocus())
        return;
    QPainter painter(&widget);
    painter.setPen(widget.palette().color(QPalette::Highlight));
    painter.drawRect(widget.rect().adjusted(0, 0, -1, -1));
}

}  // namespace qs::widgets
