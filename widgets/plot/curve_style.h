#pragma once

#include "widgets/plot/curve_series.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>
#include <QString>
#include <QVector>

#include <vector>

namespace qs::widgets {

// Everything about a plot that follows the surroundings rather than the data.
struct PlotTheme {
    QColor background;
    QColor text;
    QColor axis;
    QColor grid;
    QColor emphasis;  // ring around the selected point
    bool dark = false;
    QFont font;
    double lineWidth = 1.6;   // device independent pixels
    double markerSize = 7.0;  // diameter
};

[[nodiscard]] PlotTheme screenTheme(const QPalette& palette, const QFont& font);
// Figures for print are laid out in 1/144 inch: half points.
inline constexpr double kPrintUnitsPerInch = 144.0;
// Black on white, type of 8 pt, in units of kPrintUnitsPerInch.
[[nodiscard]] PlotTheme printTheme();

enum class Marker {
    Circle,
    Square,
    Diamond,
    Triangle,
    TriangleDown,
    TriangleLeft,
    TriangleRight,
    Pentagon,
    ThinDiamond,
    Cross,
    // Of other runs than the one in view.
    Plus,
    Star,
    CrossedSquare,
};

// Marks that tell curves of the run in view apart.
inline constexpr int kMarks = 10;
// Precisions that have a colour of their own.
inline constexpr int kColours = 15;

// Whether one sees which curve it is.
enum class CurveTold {
    ByParts,   // colour, line and mark each say what they say of all curves
    ByItself,  // one before it would look the same, so that it has another mark or line
    NotAtAll,  // it looks like one before it: there are more curves than looks
};

struct CurveStyle {
    QColor color;                    // by precision, or by what else differs if that is the axis
    QVector<qreal> dashes;           // by compile mode, in widths of the line; none: a whole line
    Marker marker = Marker::Circle;  // by run, what else differs or, if nothing does, compile mode
    double width = 1.0;              // of lines, relative to the usual
    CurveTold told = CurveTold::ByParts;
};

// The line of a curve in that colour, where the usual width is `width`.
[[nodiscard]] QPen linePen(const CurveStyle& style, const QColor& color, double width);

// The mark of everything in another run; 1 is the first of them.
[[nodiscard]] Marker markerOfRun(int run);

// One style per curve of the set. Curves of other runs have the colours and lines of the run in
// view, marks of their own and thinner lines. Known precisions keep their colour in every run;
// people with any common colour blindness can tell them apart, on light and on dark ground.
[[nodiscard]] std::vector<CurveStyle> curveStyles(const CurveSet& set, const PlotTheme& theme);

}  // namespace qs::widgets
