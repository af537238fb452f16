#include "widgets/plot/curve_marks.h"

#include <QPainterPath>
#include <QPolygonF>
#include <QtMath>

#include <cmath>

namespace qs::widgets {

namespace {

constexpr double kReach = 3.0;  // QCustomPlot has marks of its own six units across

// With one corner at the angle, in degrees from the right, clockwise.
QPolygonF corners(int count, double angle, double reach)
{
    QPolygonF polygon;
    for (int i = 0; i < count; ++i) {
        const double at = qDegreesToRadians(angle + 360.0 * i / count);
        polygon << QPointF(reach * std::cos(at), reach * std::sin(at));
    }
    return polygon;
}

// As thick as half of what it reaches.
QPolygonF crossOf(double reach)
{
    const double arm = reach / 2.0;
    QPolygonF upright;
    for (int quarter = 0; quarter < 4; ++quarter) {
        const double at = qDegreesToRadians(45.0 + 90.0 * quarter);
        const QPointF along(std::cos(at), std::sin(at));
        const QPointF across(-along.y(), along.x());
        upright << along * reach * 1.2 - across * arm * 0.8
                << along * reach * 1.2 + across * arm * 0.8 << (along + across) * arm * 0.8;
    }
    return upright;
}

// Of the marks that QCustomPlot does not have.
QPolygonF outlineOf(Marker marker)
{
    switch (marker) {
    case Marker::TriangleLeft:
        return corners(3, 180.0, 1.2 * kReach);
    case Marker::TriangleRight:
        return corners(3, 0.0, 1.2 * kReach);
    case Marker::Pentagon:
        return corners(5, -90.0, 1.1 * kReach);
    case Marker::ThinDiamond:
        return {
            {{0.0, -1.4 * kReach}, {0.7 * kReach, 0.0}, {0.0, 1.4 * kReach}, {-0.7 * kReach, 0.0}}};
    default:
        return crossOf(kReach);
    }
}

QCPScatterStyle::ScatterShape shapeOf(Marker marker)
{
    switch (marker) {
    case Marker::Circle:
        return QCPScatterStyle::ssCircle;
    case Marker::Square:
        return QCPScatterStyle::ssSquare;
    case Marker::Diamond:
        return QCPScatterStyle::ssDiamond;
    case Marker::Triangle:
        return QCPScatterStyle::ssTriangle;
    case Marker::TriangleDown:
        return QCPScatterStyle::ssTriangleInverted;
    case Marker::TriangleLeft:
    case Marker::TriangleRight:
    case Marker::Pentagon:
    case Marker::ThinDiamond:
    case Marker::Cross:
        return QCPScatterStyle::ssCustom;
    case Marker::Plus:
        return QCPScatterStyle::ssPlus;
    case Marker::Star:
        return QCPScatterStyle::ssStar;
    case Marker::CrossedSquare:
        return QCPScatterStyle::ssCrossSquare;
    }
    return QCPScatterStyle::ssCircle;
}

}  // namespace

QCPScatterStyle markStyle(Marker marker, const QPen& pen, const QBrush& brush, double size)
{
    const QCPScatterStyle::ScatterShape shape = shapeOf(marker);
    if (shape != QCPScatterStyle::ssCustom)
        return {shape, pen, brush, size};
    QPainterPath path;
    path.addPolygon(outlineOf(marker));
    path.closeSubpath();
    return {path, pen, brush, size};
}

}  // namespace qs::widgets
