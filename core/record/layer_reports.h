#pragma once

#include "core/base/files.h"
#include "core/record/output_places.h"
#include "core/record/run_data.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// Layer reports lie beside the outputs of a cell (core/measure/layer_report.h). A run has one for
// each choice of weights and sizes: batch and compile mode change nothing of it.

// `place`: see outputPlace().
[[nodiscard]] FilePlace layerReportFile(const std::filesystem::path& runFolder,
                                        const std::string& place);
// Whether what the report of one would say is what that of the other says.
[[nodiscard]] bool haveSameLayers(const CellConfig& a, const CellConfig& b);

// Where those of one cell lie, one for each environment that made one.
[[nodiscard]] std::vector<std::string> layerReportPlaces(const RunData& data,
                                                         const PlannedCell& cell);

struct LayerReportPlace {
    std::string cellId;
    std::string place;
};
// All that lie in the folder of the run, in order of the plan.
[[nodiscard]] std::vector<LayerReportPlace> layerReportPlaces(const RunData& data);

}  // namespace qs::core
