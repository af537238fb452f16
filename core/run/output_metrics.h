#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/record/output_quality.h"
#include "core/sweep/metric.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace qs::core {

// What is known of how output number `sample` of a cell differs from the same output of its
// reference, in the metrics of its kind. Images are [3, H, W] in [-1, 1]; scores have a row of
// classes or of the vocabulary per position; tokens are whole numbers, the prompt left out;
// embeddings are rows. Errors: different shapes, values that are not finite.
[[nodiscard]] Result<OutputQuality> compareOutputs(OutputKind kind, const FloatArray& output,
                                                   const FloatArray& reference, int sample,
                                                   const std::stop_token& stop = {});

// Nothing where the metric has no value.
using OutputMetricFunction = std::function<Result<std::optional<double>>(
    const FloatArray& output, const FloatArray& reference)>;
// Adds a metric to metricRegistry() and to what compareOutputs() tells. At the start of a program.
void addOutputMetric(OutputMetric metric, OutputMetricFunction function);

}  // namespace qs::core
