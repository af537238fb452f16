#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace qs::core {

// One of the highest scores of a row, with its share after softmax.
struct RankedScore {
    std::size_t index = 0;
    double score = 0.0;
    double probability = 0.0;

    bool operator==(const RankedScore&) const = default;
};

// The `count` highest, the highest first, all of them if there are fewer; of equal scores the one
// with the smaller index comes first. Errors: no values, NaN or infinite values.
[[nodiscard]] Result<std::vector<RankedScore>> highestScores(std::span<const float> scores,
                                                             std::size_t count);

// A value that is not that of the reference.
struct ValueDifference {
    std::size_t index = 0;
    float value = 0.0F;
    float reference = 0.0F;

    [[nodiscard]] double difference() const
    {
        return static_cast<double>(value) - static_cast<double>(reference);
    }
    bool operator==(const ValueDifference&) const = default;
};

// The `count` largest, without those that are equal; of the same size the first comes first.
// Errors: different sizes, no values, NaN or infinite values.
[[nodiscard]] Result<std::vector<ValueDifference>>
largestDifferences(std::span<const float> values, std::span<const float> reference,
                   std::size_t count);

}  // namespace qs::core
