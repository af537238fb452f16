#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>

namespace qs::core {

// How often a classifier decides as its reference does, as fractions of the samples. Of equal
// scores the class with the smaller number comes first, in both.
struct ClassAgreement {
    std::size_t samples = 0;
    double top1 = 0.0;         // the same first class
    double top5 = 0.0;         // the reference's first class is among the first five
    double top5Overlap = 0.0;  // share of the first five that both name
};

// One row of `classes` scores per sample; below five classes, "five" is all of them. Errors:
// different sizes, no values, NaN or infinite values, no whole rows.
[[nodiscard]] Result<ClassAgreement> classAgreement(std::span<const float> scores,
                                                    std::span<const float> reference,
                                                    std::size_t classes);

}  // namespace qs::core
