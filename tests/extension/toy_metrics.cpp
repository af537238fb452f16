#include "tests/extension/toy_metrics.h"

#include "core/analysis/metric_values.h"
#include "core/run/output_metrics.h"

#include <algorithm>
#include <cmath>

namespace qs::tests {

namespace {

core::Result<std::optional<double>> gap(const core::FloatArray& output,
                                        const core::FloatArray& reference)
{
    const auto largest = [](const core::FloatArray& array) {
        return double{*std::max_element(array.values.begin(), array.values.end())};
    };
    return std::optional(std::abs(largest(output) - largest(reference)));
}

}  // namespace

void registerToyMetrics()
{
    core::addOutputMetric({.name = "toy_gap",
                           .title = "Toy gap",
                           .about = "Difference of the largest scores.",
                           .outputs = {core::OutputKind::Logits},
                           .inTables = true},
                          gap);
    core::addMetric({.name = "toy_rows", .title = "Toy rows", .about = "Four.", .plotted = true},
                    {[](const core::CellSummary& cell) {
                        return cell.measured ? std::optional(4.0) : std::nullopt;
                    }});
}

}  // namespace qs::tests
