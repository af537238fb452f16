#pragma once

#include "core/engine/weights/weight_loader.h"
#include "core/measure/layer_report.h"
#include "core/quant/recipe.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace qs::engine {

// Squares of differences and of what they are differences to, over any number of tensors.
class RelativeError final
{
public:
    void add(const at::Tensor& exact, const at::Tensor& approximate);
    // See ReportedLayer.
    [[nodiscard]] std::optional<double> value() const;

private:
    double m_differences = 0.0;
    double m_squares = 0.0;
};

// Fills in what can be said of the weight alone: bytes, scales, codes and its error. `exact` is the
// weight in the working type.
[[nodiscard]] core::Status addWeightFigures(const core::LayerRow& row, const at::Tensor& exact,
                                            const StageWeights& stored, c10::Device device,
                                            core::ReportedLayer& layer);

}  // namespace qs::engine
