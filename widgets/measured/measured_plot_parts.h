#pragma once

#include "core/stats/interval.h"
#include "widgets/plot/curve_style.h"
#include "widgets/plot/qcustomplot.h"

#include <algorithm>
#include <cmath>

// What the files of MeasuredPlot share; nobody else includes it.
namespace qs::widgets {

inline constexpr int kSampleStretch = 30;  // of the rows of the plot
inline constexpr int kReadingStretch = 11;
inline constexpr int kHistogramStretch = 22;  // of 100 in width

struct MeasuredColours {
    QColor sample;
    QColor warmup;
    QColor discarded;
    QColor slowdown;
    QColor clock;
    QColor power;
    QColor temperature;
};

[[nodiscard]] inline MeasuredColours coloursOf(const PlotTheme& theme)
{
    if (theme.dark)
        return {.sample = QColor(0x50, 0xa8, 0xff),
                .warmup = QColor(0x8d, 0x93, 0x9c),
                .discarded = QColor(0xff, 0x6b, 0x5e),
                .slowdown = QColor(0xff, 0x6b, 0x5e, 56),
                .clock = QColor(0xa8, 0xc8, 0x92),
                .power = QColor(0xff, 0xb0, 0x4a),
                .temperature = QColor(0xe0, 0x8a, 0xd0)};
    return {.sample = QColor(0x2b, 0x6c, 0xb0),
            .warmup = QColor(0x8a, 0x8f, 0x98),
            .discarded = QColor(0xc6, 0x28, 0x1d),
            .slowdown = QColor(0xd0, 0x3a, 0x2f, 44),
            .clock = QColor(0x3f, 0x7c, 0x6f),
            .power = QColor(0xb8, 0x66, 0x0a),
            .temperature = QColor(0x9a, 0x3f, 0x94)};
}

// Nothing between two samples.
[[nodiscard]] inline QSharedPointer<QCPAxisTicker> wholeNumbers()
{
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1.0);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    return ticker;
}

// Not a range of nothing, which no axis can show.
[[nodiscard]] inline core::Interval widened(double lower, double upper, double share)
{
    const double span = upper - lower;
    const double margin = span > 0.0 ? share * span : std::max(std::abs(upper) * 0.05, 1e-9);
    return {lower - margin, upper + margin};
}

}  // namespace qs::widgets
