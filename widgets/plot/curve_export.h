#pragma once

#include "core/base/result.h"
#include "widgets/plot/curve_drawing.h"

#include <QByteArray>
#include <QImage>
#include <QRectF>
#include <QString>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace qs::widgets {

enum class ExportFormat {
    Png,  // 300 dots per inch
    Svg,
    Pdf,
};

// Widths of a paper of two columns (IEEE, 3.5 and 7.16 inches): one column, and the page.
inline constexpr double kColumnMillimetres = 88.9;
inline constexpr double kPageMillimetres = 181.864;

struct CurveExport {
    ExportFormat format = ExportFormat::Png;
    double widthMillimetres = kPageMillimetres;  // 20 … 1000
    QRectF range = {};                           // of the axes, as fullRange() gives it
    QString family = {};                         // of the type; empty: DejaVu Sans
    double points = 8.0;                         // of the type
    std::optional<LegendPlace> legend = {};      // nothing: where there is room
    QString title = {};                          // above the axes, in as many lines as it takes
    // What the figure was made from, by keyword, in JSON: a text chunk of a PNG, the description of
    // an SVG, files attached to a PDF.
    std::map<std::string, std::string> provenance = {};
};

// A figure that is painted and has still to be encoded or written.
struct CurveFigure {
    ExportFormat format = ExportFormat::Png;
    QImage image;      // of a PNG, with its provenance
    QByteArray bytes;  // of the others
};

// The curves as a figure for print, always dark on white whatever `look.theme` says. Hidden curves
// stay out of the legend as well. GUI thread.
[[nodiscard]] core::Result<CurveFigure> paintFigure(const CurveSet& set, const CurveLook& look,
                                                    const CurveExport& options);
// JSON stays the same JSON when its letters beyond ASCII are written as escapes. A text chunk of a
// PNG would be Latin-1 or UTF-8 otherwise, which readers confuse.
[[nodiscard]] QString asciiJson(const std::string& json);

// Into a file, all of it or nothing. Any thread.
[[nodiscard]] core::Status writeFigure(const CurveFigure& figure,
                                       const std::filesystem::path& path);

}  // namespace qs::widgets
