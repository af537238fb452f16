#pragma once

#include "core/stats/interval.h"

#include <QString>

// Numbers for people, in the user's locale. Files use core/base/format.h instead.
namespace qs::widgets {

// `digits` significant digits: 0.0123, 12.3, 1,230. Very small and very large ones with an
// exponent.
[[nodiscard]] QString significantText(double value, int digits);
// "1,234 ± 12": two digits of the half width, and the value to the same place.
[[nodiscard]] QString plusMinusText(double value, double halfWidth);
// A figure with its interval: "1,234 ± 12" where both ends are as far from it as the text says,
// "15 [2.9, 71]" where they are not, with the digits that the interval supports.
[[nodiscard]] QString estimateText(double value, const core::Interval& interval);
// Bytes in GiB without the unit, 4 significant digits.
[[nodiscard]] QString gibibytesText(double bytes);

// A mean of counts: "419" where it is whole, else `digits` significant digits.
[[nodiscard]] QString meanCountText(double count, int digits);
// "1 image" or "1,200 images": the text for one, or that for several with the number as %1.
[[nodiscard]] QString countedText(qsizetype count, const QString& one, const QString& several);

struct TimeUnit {
    double perSecond = 1e3;
    QString name;
};

inline constexpr double kBytesPerMebibyte = 1024.0 * 1024.0;
inline constexpr double kBytesPerGibibyte = 1024.0 * kBytesPerMebibyte;

}  // namespace qs::widgets
