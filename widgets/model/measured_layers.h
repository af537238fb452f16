#pragma once

#include "core/measure/layer_report.h"
#include "core/record/run_data.h"

#include <optional>
#include <string>

namespace qs::widgets {

// What is looked for in a run: texts of the axes.
struct WantedLayers {
    std::string model;
    std::string precision;
    std::string layers;

    bool operator==(const WantedLayers&) const = default;
};

// The layer report of the first cell of the run with these, whatever its batch and compile mode,
// that has one, with a mismatch of any cell of the same layers, and with what any that is fused
// computes them in. Reads files.
[[nodiscard]] std::optional<core::LayerReport> measuredLayers(const core::RunData& data,
                                                              const WantedLayers& wanted);

}  // namespace qs::widgets
