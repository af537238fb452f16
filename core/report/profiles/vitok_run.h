#pragma once

#include "core/report/profiles/profile_cells.h"
#include "core/report/profiles/vitok_pictures.h"

#include <optional>
#include <string>

namespace qs::core {

// What the whole export of a ViTok run speaks of.
struct VitokRun {
    const RunData& data;
    const Analysis& analysis;
    HostTimes times;
    PictureFiguresById againstReference;
    PictureFiguresById againstInput;

    // Mean of a pass; nothing without samples.
    [[nodiscard]] std::optional<double> seconds(const CellSummary& cell) const;
    [[nodiscard]] std::optional<double> imagesPerSecond(const CellSummary& cell) const;
    // bf16 eager of the same shape; null if the run has none.
    [[nodiscard]] const CellSummary* baselineOf(const CellSummary& cell) const;
    [[nodiscard]] std::optional<double> speedup(const CellSummary& cell) const;
    // "bf16_baseline", "fp8_compile" where the script has such a configuration; else what tells
    // the cell from others.
    [[nodiscard]] std::string configName(const CellSummary& summary) const;
};

[[nodiscard]] Result<VitokRun> vitokRun(const RunData& data, const Analysis& analysis);

}  // namespace qs::core
