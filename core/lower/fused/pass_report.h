#pragma once

#include "core/lower/fused/unfused.h"
#include "core/lower/region_program.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Equal groups of operations that are one kernel, or an operation beside them, wherever it stands.
struct PassEntry {
    std::string module;                        // of the first
    std::vector<std::string> operations = {};  // in order, but views: "linear", "mul"
    int calls = 0;                             // in one run of the stage
    std::optional<std::size_t> program = {};   // of the stage; nothing: PyTorch's
    Unfused why = Unfused::No;

    bool operator==(const PassEntry&) const = default;
};

// What a stage is made of once it is fused: all its operations but views. `chip`: of the device.
[[nodiscard]] std::vector<PassEntry> passReport(const RegionStage& stage, const ProductChip& chip);

}  // namespace qs::core
