#pragma once

#include "core/quant/scheme_spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Where the samples of a calibration come from.
enum class CalibrationSet {
    Generated,  // pictures and numbers of the generator, see core/model/calibration_samples.h
    Inputs,     // those of the run, which quality is judged on as well
    Own,        // those of the calibration set that the preset names
};

// How the range of a tensor follows from its values.
enum class RangeMethod {
    Extremes,    // the largest magnitude, or the smallest and the largest value
    Percentile,  // that many per cent of the values lie in the range
    Mse,         // the range with the least squared error of the codes
};

// What a scheme with a statistic says of its calibration.
struct CalibrationSettings {
    std::int64_t samples = 0;
    std::int64_t seed = 0;  // of generated samples, or of the choice among one's own
    CalibrationSet set = CalibrationSet::Generated;

    bool operator==(const CalibrationSettings&) const = default;
};

struct RangeRule {
    RangeMethod method = RangeMethod::Extremes;
    double percentile = 100.0;
    bool symmetric = true;  // around 0
};

// samples, seed and set: every scheme with a statistic has them.
[[nodiscard]] std::vector<Parameter> calibrationParameters(std::int64_t samples);
// method, percentile and range: those of Statistic::Range.
[[nodiscard]] std::vector<Parameter> rangeParameters();

[[nodiscard]] CalibrationSettings calibrationOf(const Scheme& scheme);
[[nodiscard]] RangeRule rangeRuleOf(const Scheme& scheme);
// Whether one of these precisions is calibrated on such a set.
[[nodiscard]] bool anyCalibratesOn(CalibrationSet set, const std::vector<std::string>& precisions);
[[nodiscard]] std::string_view name(CalibrationSet set);

}  // namespace qs::core
