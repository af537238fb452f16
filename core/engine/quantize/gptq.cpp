#include "core/engine/quantize/gptq.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addr.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace qs::engine {

namespace {

constexpr double kHalfRange = 7.5;
constexpr double kLowest = -8.0;
constexpr double kHighest = 7.0;
constexpr double kFloat32Epsilon = 1.1920928955078125e-07;

// [out, groups]; the last group may be shorter.
at::Tensor scalesOf(const at::Tensor& weight, std::int64_t group)
{
    std::vector<at::Tensor> scales;
    for (std::int64_t first = 0; first < weight.size(1); first += group) {
        const at::Tensor columns = weight.slice(1, first, std::min(first + group, weight.size(1)));
        scales.push_back(columns.abs().amax({1}, true).div(kHalfRange).clamp_min(kFloat32Epsilon));
    }
    return at::cat(scales, 1);
}

// The upper Cholesky factor of the inverse; nothing if there is none.
std::optional<at::Tensor> factorOfInverse(const at::Tensor& moments)
{
    const auto [lower, failed] = at::linalg_cholesky_ex(moments);
    if (failed.item<int>() != 0)
        return std::nullopt;
    const auto [upper, again] = at::linalg_cholesky_ex(at::cholesky_inverse(lower), true);
    if (again.item<int>() != 0 || !upper.isfinite().all().item<bool>())
        return std::nullopt;
    return upper;
}

struct Rounding {
    at::Tensor codes;  // float64 [out, in]
    at::Tensor loss;
};

// Rounds the columns of `weight` as they lie, which it changes; `scale` is that of each column.
Rounding roundColumns(at::Tensor weight, const at::Tensor& scale, const at::Tensor& factor,
                      std::int64_t block)
{
    const std::int64_t in = weight.size(1);
    Rounding result{at::empty_like(weight), at::zeros({}, weight.options())};
    for (std::int64_t first = 0; first < in; first += block) {
        const std::int64_t last = std::min(first + block, in);
        at::Tensor own = weight.slice(1, first, last);
        const at::Tensor inner = factor.slice(0, first, last);
        at::Tensor errors = at::empty_like(own);
        for (std::int64_t column = 0; column < last - first; ++column) {
            const at::Tensor before = own.select(1, column);
            const at::Tensor step = scale.select(1, first + column);
            const at::Tensor codes = before.div(step).round().clamp(kLowest, kHighest);
            const at::Tensor pivot = inner.select(1, first + column).select(0, column);
            const at::Tensor error = (before - codes * step) / pivot;
            result.codes.select(1, first + column).copy_(codes);
            result.loss += error.square().sum() / 2.0;
            errors.select(1, column).copy_(error);
            own.slice(1, column + 1)
                .addr_(error, inner.select(0, column).slice(0, first + column + 1, last), 1.0,
                       -1.0);
        }
        if (last < in)
            weight.slice(1, last).addmm_(errors, inner.slice(1, last), 1.0, -1.0);
    }
    return result;
}

}  // namespace

GptqResult solveGptq(const at::Tensor& weight, const at::Tensor& moments,
                     const GptqSettings& settings)
{
    GptqResult result;
    const std::int64_t in = weight.size(1);
    const at::Tensor natural = at::arange(in, weight.options().dtype(at::kLong));
    at::Tensor order = natural;
    if (settings.order != ColumnOrder::Natural)
        order = at::argsort(moments.diagonal(), true, 0, true);
    at::Tensor working = weight.to(at::kDouble).index_select(1, order);
    at::Tensor scaled = moments.index_select(0, order).index_select(1, order);
    const at::Tensor back = at::argsort(order);
    const bool groupsFollow = settings.order == ColumnOrder::Group;
    result.scale = scalesOf(groupsFollow ? working : weight.to(at::kDouble), settings.group);
    result.groupOf = (groupsFollow ? back : natural).div(settings.group, std::string_view("floor"));
    const at::Tensor dead = scaled.diagonal().eq(0.0);
    result.deadColumns = dead.sum().item<std::int64_t>();
    scaled.diagonal().masked_fill_(dead, 1.0);
    working.masked_fill_(dead.unsqueeze(0), 0.0);
    scaled.diagonal().add_(scaled.diagonal().mean() * settings.damp);
    auto factor = factorOfInverse(scaled);
    result.roundedToNearest = !factor.has_value();
    if (!factor)
        factor = at::eye(in, scaled.options());
    const at::Tensor perColumn =
        result.scale.index_select(1, result.groupOf).index_select(1, order);
    const Rounding rounding = roundColumns(working, perColumn, *factor, settings.block);
    result.codes = rounding.codes.index_select(1, back).to(at::kChar);
    result.loss = result.roundedToNearest ? 0.0 : rounding.loss.item<double>();
    return result;
}

}  // namespace qs::engine
