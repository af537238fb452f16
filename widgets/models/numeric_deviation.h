#pragma once

#include "core/analysis/analysis.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace qs::widgets {

// How far the raw outputs of a cell lie from its quality reference. It means something even with
// untrained weights, where pictures and their SSIM do not.
struct NumericDeviation {
    // ‖a - b‖ / ‖b‖, mean over the pictures; empty if the reference of one is zero everywhere.
    std::optional<double> relativeL2;
    double maximumDifference = 0.0;  // of values in [0, 1], over all pictures
    int pictures = 0;

    bool operator==(const NumericDeviation&) const = default;
};

// By cell id, with pictures of the environment that the figures of the cell come from in
// `analysis`, which is one of `data`. Of a picture that was compared twice, as after resuming, the
// last comparison counts.
[[nodiscard]] std::unordered_map<std::string, NumericDeviation>
numericDeviations(const core::RunData& data, const core::Analysis& analysis);

// Whether no cell of the plan has trained weights.
[[nodiscard]] bool untrainedRun(const core::Plan& plan);

}  // namespace qs::widgets
