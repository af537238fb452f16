#include "widgets/compare/pane_split.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr int kGrip = 6;  // logical pixels around the line that take hold of it

void drawTag(QPainter& painter, const QPointF& corner, Qt::Alignment side, const QString& text,
             int room)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const QString shown = metrics.elidedText(text, Qt::ElideRight, room - 10);
    if (room < 24)
        return;
    QRectF box(0, 0, metrics.horizontalAdvance(shown) + 8, metrics.height() + 2);
    box.moveTopLeft(side == Qt::AlignRight ? corner - QPointF(box.width(), 0) : corner);
    painter.fillRect(box, QColor(0, 0, 0, 160));
    painter.setPen(Qt::white);
    painter.drawText(box, Qt::AlignCenter, shown);
}

}  // namespace

void drawContrastingLine(QPainter& painter, const QLineF& line)
{
    painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
    painter.drawLine(line);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawLine(line);
}

void PaneSplit::set(PaneImage left, QString leftName, QString rightName)
{
    m_left = std::move(left);
    m_leftName = std::move(leftName);
    m_rightName = std::move(rightName);
}

void PaneSplit::setPosition(double position)
{
    m_position = std::clamp(position, 0.0, 1.0);
}

int PaneSplit::xIn(const QRect& area) const
{
    return static_cast<int>(area.left() + std::lround(m_position * area.width()));
}

bool PaneSplit::isNear(QPointF point, const QRect& area) const
{
    return isOn() && area.contains(point.toPoint()) && std::abs(point.x() - xIn(area)) <= kGrip;
}

void PaneSplit::paintLine(QPainter& painter, const QRect& area) const
{
    const double x = xIn(area);
    drawContrastingLine(painter, QLineF(x, area.top(), x, area.bottom() + 1));
    const QRectF grip(x - 4, area.center().y() - 12, 8, 24);
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
    painter.setBrush(Qt::white);
    painter.drawRoundedRect(grip, 3, 3);
    painter.setBrush(Qt::NoBrush);
    const double top = area.top() + 4;
    const int left = static_cast<int>(x) - area.left();
    drawTag(painter, {x - 6, top}, Qt::AlignRight, m_leftName, left - 6);
    drawTag(painter, {x + 6, top}, Qt::AlignLeft, m_rightName, area.width() - left - 6);
}

}  // namespace qs::widgets
