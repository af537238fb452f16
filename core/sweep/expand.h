#pragma once

#include "core/base/result.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// Why a cell is in the plan besides having been asked for.
enum class CellRole {
    Swept,             // asked for by the axes
    QualityReference,  // the bf16 eager cell that outputs are compared with
    NoiseFloor,        // fp32, bf16 again, bf16 graph: the measure of what is no difference at all
};

struct ExpandedCell {
    CellConfig config;
    CellRole role = CellRole::Swept;
    // The noise-floor rerun has the configuration of the reference; the ordinal keeps them apart (0
    // otherwise).
    int rerun = 0;
    // Layer filters that were asked for as well and change nothing: a filter says which layers are
    // quantized, and here none are.
    std::vector<std::string> sameFilters = {};
};

inline constexpr std::int64_t kCellsWithoutAsking = 10'000;
// Nobody measures that many; memory should not be the one to say so.
inline constexpr std::int64_t kCellsAtMost = 100'000;

// Number of cells before exclusions, without building them; saturates at INT64_MAX.
[[nodiscard]] std::int64_t countCells(const Preset& preset);

// Cells in a fixed order without duplicates, exclusions applied; then the quality reference (bf16,
// eager, same everything else) of each cell that has one, and the noise-floor runs if the preset
// wants them. More than kCellsWithoutAsking cells need `manyAllowed`.
[[nodiscard]] Result<std::vector<ExpandedCell>> expandCells(const Preset& preset, bool manyAllowed);

// Whether there is anything that outputs could be compared with: not of compiled programs, which
// exist in one form only.
[[nodiscard]] bool hasReference(const CellConfig& cell);
// The configuration of the quality reference of a cell that has one: bf16 in all stages, all
// layers, eager, inputs on the device, attention as in the cell.
[[nodiscard]] CellConfig qualityReferenceOf(const CellConfig& cell);

}  // namespace qs::core
