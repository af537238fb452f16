// Kernels of rows, compiled for this machine, against float64.

#include "core/lower/fused/kernel_source.h"
#include "tests/engine/host_kernels.h"
#include "tests/engine/row_cases.h"
#include "tests/support/test_folder.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <vector>

namespace qs::engine {
namespace {

// A row has one thread here, which adds up all of it.
TEST(RowCases, AreWhatFloat64Says)
{
    const c10::InferenceMode inference;
    std::vector<core::Graph> graphs;
    for (const tests::RowCase& each : tests::rowCases()) {
        for (const tests::RowSizes& sizes : tests::kRowSizes)
            graphs.push_back(each.graph(sizes));
    }
    const tests::TestFolder folder;
    const tests::HostKernels kernels(graphs, folder.path());
    std::size_t number = 0;
    for (const tests::RowCase& each : tests::rowCases()) {
        for (const tests::RowSizes& sizes : tests::kRowSizes) {
            tests::expectFloat64(each, sizes, static_cast<double>(sizes.length),
                                 [&](const auto& inputs) { return kernels.run(number, inputs); });
            ++number;
        }
    }
}

}  // namespace
}  // namespace qs::engine
