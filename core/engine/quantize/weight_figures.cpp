#include "core/engine/quantize/weight_figures.h"

#include "core/lower/weight_preparation.h"

#include <ATen/TensorOperators.h>

#include <cmath>
#include <string_view>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

constexpr double kLargestE4M3 = 448.0;

// Codes at either end of their range; those of four bits lie two to a byte.
std::int64_t saturatedCodes(const at::Tensor& codes)
{
    const auto count = [](const at::Tensor& flags) { return flags.sum().item<std::int64_t>(); };
    switch (codes.scalar_type()) {
    case at::kChar:
        return count(codes.eq(127).logical_or(codes.eq(-128)));
    case at::kFloat8_e4m3fn:
        return count(codes.to(at::kFloat).abs().ge(kLargestE4M3));
    case at::kByte: {
        const at::Tensor lower = codes.bitwise_and(15);
        const at::Tensor upper = codes.bitwise_right_shift(4);
        return count(lower.eq(0).logical_or(lower.eq(15))) +
               count(upper.eq(0).logical_or(upper.eq(15)));
    }
    default:
        return 0;
    }
}

core::ScaleFigures figuresOf(const at::Tensor& scale)
{
    const at::Tensor all = scale.to(at::kDouble).flatten();
    return {all.min().item<double>(), all.median().item<double>(), all.max().item<double>(),
            all.numel()};
}

Result<at::Tensor> restored(const core::LayerRow& row, const StageWeights& stored,
                            c10::Device device)
{
    QS_TRY(const core::Graph graph, core::restoreWeight(row));
    QS_TRY(const Executor executor, Executor::create(graph, stored.tensors, device));
    return executor.run({}).front();
}

}  // namespace

void RelativeError::add(const at::Tensor& exact, const at::Tensor& approximate)
{
    const at::Tensor wide = exact.to(at::kFloat);
    m_differences += (approximate.to(at::kFloat) - wide).square().sum(at::kDouble).item<double>();
    m_squares += wide.square().sum(at::kDouble).item<double>();
}

std::optional<double> RelativeError::value() const
{
    const double error = std::sqrt(m_differences / m_squares);
    return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

Status addWeightFigures(const core::LayerRow& row, const at::Tensor& exact,
                        const StageWeights& stored, c10::Device device, core::ReportedLayer& layer)
{
    layer.bytesBefore = row.bytesBefore;
    layer.bytesAfter = row.bytesAfter;
    layer.codes = row.inFeatures * row.outFeatures;
    for (const core::StoredPart& part :
         row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures)) {
        const at::Tensor& tensor = stored.tensors.at(core::storedName(row.weight, part));
        if (part.name == "codes")
            layer.saturated = saturatedCodes(tensor);
        else if (part.name == "scale")
            layer.scale = figuresOf(tensor);
    }
    if (!row.scheme->restoreWeight)
        return {};
    QS_TRY(const at::Tensor approximate, restored(row, stored, device));
    const at::Tensor matrix = exact.reshape({row.outFeatures, row.inFeatures});
    layer.underflown = approximate.eq(0).logical_and(matrix.ne(0)).sum().item<std::int64_t>();
    RelativeError error;
    error.add(matrix, approximate);
    layer.weightError = error.value();
    return {};
}

}  // namespace qs::engine
