#pragma once

#include "core/base/result.h"
#include "widgets/plot/curve_drawing.h"

#include <QByteArray>
#include <QRectF>
#include <QString>

#include <filesystem>

namespace qs::widgets {

enum class ExportFormat {
    Png,  // two pixels per 1/96 inch
    Svg,
    Pdf,
};

// Widths of journals: one column and two.
inline constexpr double kColumnMillimetres = 84.0;
inline constexpr double kPageMillimetres = 174.0;

struct CurveExport {
    ExportFormat format = ExportFormat::Png;
    double widthMillimetres = kPageMillimetres;  // 20 … 1000
    QRectF range;                                // of the axes, as fullRange() gives it
};

// The curves as a figure for print, always dark on white whatever `look.theme` says. Hidden curves
// stay out of the legend as well.
[[nodiscard]] core::Result<QByteArray> renderCurves(const CurveSet& set, const CurveLook& look,
                                                    const CurveExport& options);
// The same into a file, all of it or nothing.
[[nodiscard]] core::Status exportCurves(const CurveSet& set, const CurveLook& look,
                                        const CurveExport& options,
                                        const std::filesystem::path& path);

}  // namespace qs::widgets
