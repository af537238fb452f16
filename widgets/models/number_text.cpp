#include "widgets/models/number_text.h"

#include "core/stats/summary.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

// Power of ten of the first significant digit once the value is rounded to `digits` of them, so
// that 9.996 at three digits counts as 10.0.
int magnitudeOf(double value, int digits)
{
    const int first = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double step = std::pow(10.0, first - digits + 1);
    const double rounded = std::round(std::abs(value) / step) * step;
    return static_cast<int>(std::floor(std::log10(rounded) + 1e-9));
}

}  // namespace

QString significantText(double value, int digits)
{
    const QLocale locale;
    if (!std::isfinite(value))
        return std::isnan(value) ? QStringLiteral("NaN")
                                 : (value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞"));
    if (value == 0.0)
        return locale.toString(0);
    const int magnitude = magnitudeOf(value, digits);
    if (magnitude < -4 || magnitude > 9)
        return locale.toString(value, 'e', digits - 1);
    // Whole numbers are not rounded to hundreds: 1,234 stays 1,234 at three digits.
    return locale.toString(value, 'f', std::max(0, digits - 1 - magnitude));
}

QString plusMinusText(double value, double halfWidth)
{
    constexpr int kHalfWidthDigits = 2;
    if (!std::isfinite(halfWidth))
        return significantText(value, 4) + QStringLiteral(" ± ∞");
    if (halfWidth <= 0.0)
        return significantText(value, 4);
    const int decimals =
        std::clamp(kHalfWidthDigits - 1 - magnitudeOf(halfWidth, kHalfWidthDigits), 0, 9);
    const QLocale locale;
    return QStringLiteral("%1 ± %2").arg(locale.toString(value, 'f', decimals),
                                         locale.toString(halfWidth, 'f', decimals));
}

QString estimateText(double value, const core::Interval& interval)
{
    // Intervals of times are symmetric in their logarithms: so far the eye sees no difference.
    constexpr double kSymmetric = 0.1;
    const double halfWidth = (interval.upper - interval.lower) / 2.0;
    if (halfWidth <= kSymmetric * std::abs(value))
        return plusMinusText(value, halfWidth);
    const int digits = std::max(2, core::supportedDigits(value, interval));
    return QStringLiteral("%1 [%2, %3]")
        .arg(significantText(value, digits), significantText(interval.lower, digits),
             significantText(interval.upper, digits));
}

QString gibibytesText(double bytes)
{
    return significantText(bytes / kBytesPerGibibyte, 4);
}

QString meanCountText(double count, int digits)
{
    constexpr double kLargest = 1e15;  // beyond it every double is whole
    if (std::abs(count) < kLargest && count == std::round(count))
        return QLocale().toString(std::llround(count));
    return significantText(count, digits);
}

QString countedText(qsizetype count, const QString& one, const QString& several)
{
    return count == 1 ? one : several.arg(QLocale().toString(count));
}

}  // namespace qs::widgets
