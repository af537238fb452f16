#pragma once

#include "core/record/environment.h"

#include <string>
#include <vector>

namespace qs::core {

// What an environment tells beyond its programs and devices, one line a topic: commit and
// libraries, processor, each GPU, PyTorch's switches, variables. Nothing for runs of before 0.2.
[[nodiscard]] std::vector<std::string> environmentLines(const Environment& environment);

// A member that two environments do not share; empty where one of them does not tell.
struct EnvironmentDifference {
    std::string member;  // "gpu settings 0 power limit w"
    std::string first;
    std::string second;
};
[[nodiscard]] std::vector<EnvironmentDifference> environmentDifferences(const Environment& first,
                                                                        const Environment& second);

}  // namespace qs::core
