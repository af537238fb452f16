#pragma once

#include "core/analysis/run_figures.h"
#include "core/record/run_folder.h"

#include <filesystem>

namespace qs::core {

// A run folder as it was read, with what an analysis needs of its rows: made of each row while it
// was at hand, on several threads.
struct MeasuredRun {
    RunData data;
    RunFigures figures;
};

// As readRunFolder() and scanRunFolder().
[[nodiscard]] Result<MeasuredRun> readMeasuredRun(const std::filesystem::path& folder,
                                                  RowPlace rows);

}  // namespace qs::core
