#include "app/gui/action_icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>

namespace qs::app {

namespace {

// In a square of 16 units.
QPainterPath shapeOf(ActionIcon icon)
{
    QPainterPath path;
    switch (icon) {
    case ActionIcon::Pause:
        path.addRect(3, 2, 4, 12);
        path.addRect(9, 2, 4, 12);
        break;
    case ActionIcon::Skip:
        path.addPolygon(QPolygonF({{2, 2}, {11, 8}, {2, 14}, {2, 2}}));
        path.addRect(11, 2, 3, 12);
        break;
    case ActionIcon::StopAfterCell:
        // A frame: the cell is finished before the stop.
        path.addRect(2, 2, 12, 12);
        path.addRect(5, 5, 6, 6);
        break;
    case ActionIcon::StopNow:
        path.addRect(2, 2, 12, 12);
        break;
    }
    return path;
}

QPixmap paint(ActionIcon icon, const QColor& colour, int scale)
{
    constexpr int kUnits = 16;
    QPixmap pixmap(kUnits * scale, kUnits * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.fillPath(shapeOf(icon), colour);
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

}  // namespace

QIcon actionIcon(ActionIcon icon, const QPalette& palette)
{
    QIcon result;
    for (const int scale : {1, 2, 4}) {
        result.addPixmap(paint(icon, palette.color(QPalette::Active, QPalette::ButtonText), scale),
                         QIcon::Normal);
        result.addPixmap(
            paint(icon, palette.color(QPalette::Disabled, QPalette::ButtonText), scale),
            QIcon::Disabled);
    }
    return result;
}

}  // namespace qs::app
