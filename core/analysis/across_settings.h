#pragma once

#include "core/stats/interval.h"

#include <string>
#include <vector>

namespace qs::core {

struct Analysis;

// Note [Across settings]
// Where the inputs of a cell wait, and which variables its worker has, changes how a pass is
// fed: that is no speed-up of a precision or a compile mode. Such cells never are the speed
// baseline of one another; each is held, round by round, against the cell that differs from it in
// that setting alone and has its usual value, or the first value of the plan where none has.

struct SettingRatio {
    std::string axis;   // "inputs" or "env"
    std::string usual;  // its value in the cell that is compared with
    std::string value;  // and in the other one
    std::string usualId;
    std::string cellId;
    Estimate ratio;  // seconds of the first over those of the other: above 1, the other is faster

    bool operator==(const SettingRatio&) const = default;
};

// In order of the plan, inputs first. Nothing of cells that were not timed in the same environment.
[[nodiscard]] std::vector<SettingRatio> settingRatios(const Analysis& analysis);

}  // namespace qs::core
