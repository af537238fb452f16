#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace qs::core {

// How far the scores of a model over a vocabulary are from those of a reference.
struct LogitDistance {
    std::size_t positions = 0;
    double maxAbsolute = 0.0;
    double meanAbsolute = 0.0;
    // Kullback-Leibler divergence of the distribution from that of the reference, KL(reference ‖
    // values), in nats: 0 or more. It does not change if a constant is added to all scores.
    double meanDivergence = 0.0;
    double maxDivergence = 0.0;
    std::size_t worstPosition = 0;  // the first with that divergence
};

// One row of `vocabulary` scores before softmax per position. Errors: different sizes, no values,
// NaN or infinite values, no whole rows.
[[nodiscard]] Result<LogitDistance> logitDistance(std::span<const float> logits,
                                                  std::span<const float> reference,
                                                  std::size_t vocabulary);

// Mean over the rows of −log of the probability that each gives its target, in nats: the loss of a
// text whose next tokens are the targets. Errors: no rows, not one target for each, targets beyond
// the vocabulary, NaN or infinite values.
[[nodiscard]] Result<double> crossEntropy(std::span<const float> logits,
                                          std::span<const std::int64_t> targets,
                                          std::size_t vocabulary);

}  // namespace qs::core
