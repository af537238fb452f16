#pragma once

#include "core/stats/interval.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct Analysis;
struct CellSummary;

// Note [Across devices]
// How a GPU stands to the processor of the same computer is no speed-up of a precision: it is told
// apart, and named so. A cell of a GPU is held against the fastest cell of the processor that has
// the same model, shape, batch and precision, whatever its compile mode, round by round.

// Fills CellSummary::againstCpu of the cells of GPUs.
void compareWithCpu(std::vector<CellSummary>& cells);

// From which batch on a GPU is worth its while: the cells of one precision and compile mode.
struct DeviceCrossover {
    struct Batch {
        std::int64_t batch = 0;
        std::string cpuId;
        std::string gpuId;
        Estimate ratio;  // seconds of the processor over those of the GPU

        // What the whole interval says.
        [[nodiscard]] bool gpuFaster() const;
        [[nodiscard]] bool cpuFaster() const;
    };
    std::string family;          // its name by what tells the cells of the run apart
    std::vector<Batch> batches;  // ascending
    // The smallest batch from which on the GPU is faster at each that was measured; nothing if it
    // is not at the largest. `decided`: every batch has an interval on one side of 1.
    std::optional<std::int64_t> from;
    bool decided = false;
};

// Of each precision and compile mode of a GPU that the processor ran, too; in order of the plan.
[[nodiscard]] std::vector<DeviceCrossover> deviceCrossovers(const Analysis& analysis);

}  // namespace qs::core
