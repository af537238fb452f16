#pragma once

#include "core/report/profiles/profile_cells.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One layer, or the mean over layers of one type. Seconds.
struct SolvedFigure {
    Moments seconds = {};
    Moments loss = {};
};

// A cell that quantizes, over all its rounds.
struct GptqCell {
    const CellSummary* summary = nullptr;
    bool straight = false;              // by=straight: what the benchmark calls baseline
    std::vector<double> coldSeconds;    // the first sample of each process, where it does not count
    std::vector<double> seconds;        // samples that count
    std::vector<MemoryFigures> memory;  // of each round
    std::map<std::string, SolvedFigure> layers = {};  // by type: "q_proj"
};

[[nodiscard]] Result<std::vector<GptqCell>> gptqCells(const RunData& data,
                                                      const Analysis& analysis);

// The same quantized straight, if it is a cell of the run; null for one that is.
[[nodiscard]] const GptqCell* straightOf(const std::vector<GptqCell>& cells, const GptqCell& cell);

}  // namespace qs::core
