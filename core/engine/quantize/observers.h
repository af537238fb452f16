#pragma once

#include "core/quant/calibration.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace qs::engine {

// Gathers what a scheme has to know of the inputs of one layer, in memory that does not grow with
// the samples. Used under InferenceMode.
class InputObserver
{
public:
    virtual ~InputObserver() = default;
    // Passes over the calibration set that it needs.
    [[nodiscard]] virtual int passes() const = 0;
    virtual void beginPass(int pass) = 0;
    // The input of one sample, features in the last dimension.
    virtual void see(const at::Tensor& input) = 0;
    // See Statistic.
    [[nodiscard]] virtual at::Tensor statistic() const = 0;
};

// Note [Ranges]
// The method absmax needs one pass. The others count values in bins between the extremes in a
// second pass. percentile: the smallest edge of a bin below which that share of the magnitudes lies
// (affine: of the values, half of the rest cut at either end). mse: of a hundred ranges, each a
// hundredth of the extremes smaller than the one before, the one with the least squared error when
// the middles of the bins are rounded to its codes; the larger of two that are equal.
inline constexpr int kRangeBins = 8192;
inline constexpr int kRangeCandidates = 100;

// `scheme` has a statistic, other than second moments, which solvers gather themselves.
[[nodiscard]] std::unique_ptr<InputObserver> makeObserver(const core::Scheme& scheme);

}  // namespace qs::engine
