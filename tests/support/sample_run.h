#pragma once

#include "core/record/run_data.h"

#include <string>

namespace qs::tests {

// A synthetic run as an H200 might have given it; the numbers follow from formulas, not from a
// measurement. {bf16, int8dq} x {none, cuda-graph} x batch {1, 4, 16} in three rounds with four
// pictures each, and the noise-floor runs (fp32, bf16 again) of each batch. Equal arguments give
// equal runs.
struct SampleRunOptions {
    int rounds = 3;       // measured; 0 is a run that has just begun
    bool trained = true;  // with trained weights there are reconstruction figures as well
    // Adds batch 64, where int8dq/none times out and the graphs run out of memory, and a crash of
    // bf16-none-b1 in round 0 that a second attempt mends.
    bool withFailures = false;
};

[[nodiscard]] core::RunData sampleRun(const SampleRunOptions& options = {});

// Ids of its cells: sampleCellId("int8dq", "cuda-graph", 4) is "int8dq-cuda-graph-b4". The
// noise-floor runs are "fp32-none-b4" and "bf16-none-b4-again"; the quality reference is
// "bf16-none-b4".
[[nodiscard]] std::string sampleCellId(const std::string& precision, const std::string& compile,
                                       int batch);

}  // namespace qs::tests
