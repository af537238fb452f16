#pragma once

#include "core/graph/graph.h"
#include "tests/engine/hard_rows.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

// Kernels of rows, and what float64 says of their results.
namespace qs::tests {

using RowTensors = std::vector<at::Tensor>;

struct RowCase {
    const char* name;
    core::Graph (*graph)(const RowSizes&);
    RowTensors (*inputs)(const RowSizes&, std::int64_t first);
    // `chain`: additions one after the other that a sum of a row has, at most.
    void (*check)(const RowTensors& inputs, const RowTensors& found, double chain);
};
void PrintTo(const RowCase& each, std::ostream* out);

[[nodiscard]] const std::vector<RowCase>& rowCases();
// With every kind of row. `run`: from inputs to results on the processor.
void expectFloat64(const RowCase& each, const RowSizes& sizes, double chain,
                   const std::function<RowTensors(const RowTensors&)>& run);

}  // namespace qs::tests
