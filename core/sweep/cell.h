#pragma once

#include "core/model/sizes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// One configuration of a sweep: everything that decides which numbers come out. A plain value; the
// text forms are those of presets and tables.
struct CellConfig {
    std::string model;                   // "vitok:350M-f16x64", or a path to weights
    std::string device = "cpu";          // "cpu", "cuda:0" …
    std::vector<std::string> precision;  // scheme names, one for all stages or one per stage
    std::string layers = "all";          // layer filter, see core/quant/layer_filter.h
    std::string compile = "none";        // compile mode
    std::string attention = "auto";      // attention kernel
    std::string inputs = "device";       // where inputs wait, see core/sweep/input_residency.h
    std::int64_t batch = 1;              // samples per pass
    // The sizes of the model by name; a plan completes them and drops those of other models.
    Sizes sizes{{std::string(kImageSize), 256}};
    std::int64_t seed = 42;         // of generated weights and inputs
    std::string env = "none";       // variables of its worker, see core/sweep/worker_variables.h
    std::string workload = "pass";  // what a sample is, see core/sweep/cell_workload.h
    // Of axes that a program added (registerAxis), by name; none where the usual value holds.
    std::map<std::string, std::int64_t> others = {};

    bool operator==(const CellConfig&) const = default;
    // In pixels a side; 0 for models that take no images.
    [[nodiscard]] std::int64_t imageSize() const { return sizes.find(kImageSize).value_or(0); }
};

// "bf16", or "bf16/int8dq" when the stages differ.
[[nodiscard]] std::string precisionText(const CellConfig& cell);

// Every stage has this scheme.
[[nodiscard]] bool allStagesAre(const CellConfig& cell, std::string_view scheme);

}  // namespace qs::core
