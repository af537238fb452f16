#pragma once

#include "core/base/json.h"

#include <string>
#include <vector>

namespace qs::core {

// One fact about where rows were measured, as several environments tell it.
struct EnvironmentField {
    std::string path;    // "torch", "devices[cuda:0].driver"
    std::string name;    // in words: "PyTorch", "cuda:0, driver"
    std::string reason;  // why it matters to whoever compares rows, a sentence
    // As text with its unit, one per environment; empty where it is not told.
    std::vector<std::string> values;
    bool differs = false;
};

// Every field that any of the environments has, as toJson(Environment) writes them, also such as
// this version does not know by name; those that differ first, each part in a fixed order. Devices
// are matched by their id. A value that is missing in one differs
// from one that is told; missing and empty are the same.
[[nodiscard]] std::vector<EnvironmentField>
compareEnvironments(const std::vector<Json>& environments);

}  // namespace qs::core
