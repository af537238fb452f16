#include "core/measure/distance_limit.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

double distanceLimit(bool codes, const std::optional<double>& bf16FromFp32)
{
    if (!bf16FromFp32)
        return codes ? kUnknownLimitOfCodes : kUnknownLimit;
    const double rounding =
        codes ? std::max(*bf16FromFp32, std::sqrt(*bf16FromFp32 * kCodeStep)) : *bf16FromFp32;
    return std::clamp(kMostTimesBf16 * rounding, codes ? kLeastLimitOfCodes : kLeastLimit,
                      kMostDistance);
}

}  // namespace qs::core
