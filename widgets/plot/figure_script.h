#pragma once

#include "widgets/plot/curve_export.h"
#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

#include <QString>

namespace qs::widgets {

// A figure for whoever wants to draw it in another way: its numbers, and a program for matplotlib
// that reads them and draws what is seen.
struct FigureScript {
    QString csv;     // one row for each mark, lines of "frontier", "baseline" and "peak" too
    QString python;  // reads the CSV of that name beside it
};

// Of what is visible, in the colours of the printed figure, with width, range, type and legend of
// `options`. `csvName` is the file name of the CSV.
[[nodiscard]] FigureScript figureScript(const CurveSet& set, const CurveLook& look,
                                        const CurveExport& options, const QString& csvName);

}  // namespace qs::widgets
