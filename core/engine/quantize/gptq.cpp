#include "core/engine/quantize/gptq.h"

#include "core/engine/quantize/column_rounder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addr.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace qs::engine {

namespace {

constexpr double kHalfRange = 7.5;
constexpr double kSparse = 0.05;  // share of zeros from which they stay zeros
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

// The upper Cholesky factor of the inverse; nothing if there is none. Beside the factor one matrix
// exists at a time.
std::optional<at::Tensor> factorOfInverse(at::Tensor moments)
{
    auto [lower, failed] = at::linalg_cholesky_ex(moments);
    moments.reset();
    if (failed.item<int>() != 0)
        return std::nullopt;
    at::Tensor inverse = at::cholesky_inverse(lower);
    lower.reset();
    const auto [upper, again] = at::linalg_cholesky_ex(inverse, true);
    inverse.reset();
    if (again.item<int>() != 0 || !upper.isfinite().all().item<bool>())
        return std::nullopt;
    return upper;
}

// A block of columns of a weight that is being rounded; all are views.
struct Block {
    at::Tensor weight;  // [out, columns]; changes
    at::Tensor scale;   // of each column
    at::Tensor factor;  // [columns, columns]
    at::Tensor codes;   // is filled
    at::Tensor errors;  // is filled
    at::Tensor moved;   // 1 where errors go, 0 at zeros that stay; undefined: everywhere
};

// The part of an update that begins `first` columns into what `moved` is for.
at::Tensor whereMoved(at::Tensor update, const at::Tensor& moved, std::int64_t first)
{
    return moved.defined() ? update.mul_(moved.slice(1, first)) : update;
}

at::Tensor codesOf(const at::Tensor& column, const at::Tensor& step)
{
    return column.div(step).round().clamp(kLowestCode, kHighestCode);
}

void solveStraight(const Block& block, at::Tensor& loss)
{
    for (std::int64_t i = 0; i < block.weight.size(1); ++i) {
        const at::Tensor column = block.weight.select(1, i).clone();
        const at::Tensor step = block.scale.select(1, i);
        const at::Tensor pivot = block.factor.select(0, i).select(0, i);
        const at::Tensor rounded = codesOf(column, step) * step;
        loss += ((column - rounded).square() / pivot.square()).sum() / 2.0;
        const at::Tensor error = (column - rounded) / pivot;
        const at::Tensor row = block.factor.select(0, i).slice(0, i);
        block.weight.slice(1, i).sub_(
            whereMoved(at::matmul(error.unsqueeze(1), row.unsqueeze(0)), block.moved, i));
        block.codes.select(1, i).copy_(codesOf(column, step));
        block.errors.select(1, i).copy_(error);
    }
}

void solveImproved(const Block& block, at::Tensor& loss)
{
    for (std::int64_t i = 0; i < block.weight.size(1); ++i) {
        const at::Tensor column = block.weight.select(1, i);
        const at::Tensor step = block.scale.select(1, i);
        const at::Tensor codes = codesOf(column, step);
        const at::Tensor row = block.factor.select(0, i);
        const at::Tensor error = (column - codes * step) / row.select(0, i);
        block.codes.select(1, i).copy_(codes);
        loss += error.square().sum() / 2.0;
        block.errors.select(1, i).copy_(error);
        const at::Tensor after = block.weight.slice(1, i + 1);
        if (block.moved.defined())
            after.sub_(whereMoved(at::outer(error, row.slice(0, i + 1)), block.moved, i + 1));
        else
            after.addr_(error, row.slice(0, i + 1), 1.0, -1.0);
    }
}

void solveInPieces(const Block& block, const ColumnRounder& rounder, at::Tensor& loss)
{
    const std::int64_t count = block.weight.size(1);
    for (std::int64_t first = 0; first < count; first += rounder.width()) {
        const std::int64_t last = std::min(first + rounder.width(), count);
        const at::Tensor factor = block.factor.slice(0, first, last);
        const auto [codes, errors] =
            rounder.round(block.weight.slice(1, first, last), block.scale.slice(1, first, last),
                          factor.slice(1, first, last));
        block.codes.slice(1, first, last).copy_(codes);
        block.errors.slice(1, first, last).copy_(errors);
        loss += errors.square().sum() / 2.0;
        if (last < count)
            block.weight.slice(1, last).addmm_(errors, factor.slice(1, last), 1.0, -1.0);
    }
}

struct Rounding {
    at::Tensor codes;  // float64 [out, in]
    at::Tensor loss;
};

// Rounds the columns of `weight` as they lie, which it changes; `scale` is that of each column.
Rounding roundColumns(at::Tensor weight, const at::Tensor& scale, const at::Tensor& factor,
                      const GptqSettings& settings, bool zerosStay)
{
    const std::int64_t in = weight.size(1);
    const at::Tensor moved = zerosStay ? weight.ne(0.0).to(at::kDouble) : at::Tensor();
    Rounding result{at::empty_like(weight), at::zeros({}, weight.options())};
    for (std::int64_t first = 0; first < in; first += settings.block) {
        const std::int64_t last = std::min(first + settings.block, in);
        const at::Tensor inner = factor.slice(0, first, last);
        const Block block{weight.slice(1, first, last),
                          scale.slice(1, first, last),
                          inner.slice(1, first, last),
                          result.codes.slice(1, first, last),
                          at::empty_like(weight.slice(1, first, last)),
                          moved.defined() ? moved.slice(1, first, last) : at::Tensor()};
        // It knows of no zeros that stay.
        if (settings.rounder != nullptr && !moved.defined())
            solveInPieces(block, *settings.rounder, result.loss);
        else if (settings.solver == BlockSolver::Straight)
            solveStraight(block, result.loss);
        else
            solveImproved(block, result.loss);
        if (last == in)
            break;
        const at::Tensor after = weight.slice(1, last);
        if (moved.defined())
            after.sub_(whereMoved(at::matmul(block.errors, inner.slice(1, last)), moved, last));
        else
            after.addmm_(block.errors, inner.slice(1, last), 1.0, -1.0);
    }
    return result;
}

// How the columns of all rows are gone through.
struct ColumnPlan {
    at::Tensor order;    // of columns
    at::Tensor back;     // from that order to the natural one
    at::Tensor groupOf;  // of columns in their natural order
    at::Tensor dead;     // in that order
    at::Tensor factor;   // in that order
    bool groupsFollow = false;
    bool zerosStay = false;
};

struct SolvedRows {
    at::Tensor codes;  // int8
    at::Tensor scale;
    at::Tensor loss;
};

SolvedRows solveRows(const at::Tensor& rows, const ColumnPlan& plan, const GptqSettings& settings)
{
    at::Tensor natural = rows.to(at::kDouble);
    const at::Tensor working = natural.index_select(1, plan.order);
    SolvedRows solved;
    solved.scale = scalesOf(plan.groupsFollow ? working : natural, settings.group);
    natural.reset();
    working.masked_fill_(plan.dead.unsqueeze(0), 0.0);
    const at::Tensor perColumn =
        solved.scale.index_select(1, plan.groupOf).index_select(1, plan.order);
    const Rounding rounding =
        roundColumns(working, perColumn, plan.factor, settings, plan.zerosStay);
    solved.codes = rounding.codes.to(at::kChar).index_select(1, plan.back);
    solved.loss = rounding.loss;
    return solved;
}

// Of a weight whose dead columns count as zeros.
bool hasManyZeros(const at::Tensor& weight, const at::Tensor& deadColumns)
{
    const at::Tensor kept = weight.ne(0.0).logical_and_(deadColumns.logical_not().unsqueeze(0));
    const auto others = static_cast<double>(kept.sum().item<std::int64_t>());
    return 1.0 - others / static_cast<double>(weight.numel()) >= kSparse;
}

}  // namespace

GptqResult solveGptq(const at::Tensor& weight, at::Tensor moments, const GptqSettings& settings)
{
    GptqResult result;
    const std::int64_t in = weight.size(1);
    const at::Tensor natural = at::arange(in, weight.options().dtype(at::kLong));
    ColumnPlan plan;
    plan.order = settings.order == ColumnOrder::Natural
                     ? natural
                     : at::argsort(moments.diagonal(), true, 0, true);
    plan.back = at::argsort(plan.order);
    plan.groupsFollow = settings.order == ColumnOrder::Group;
    plan.groupOf =
        (plan.groupsFollow ? plan.back : natural).div(settings.group, std::string_view("floor"));
    at::Tensor scaled = moments.index_select(0, plan.order);
    moments.reset();
    scaled = scaled.index_select(1, plan.order);
    plan.dead = scaled.diagonal().eq(0.0);
    plan.zerosStay = hasManyZeros(weight, plan.dead.index_select(0, plan.back));
    scaled.diagonal().masked_fill_(plan.dead, 1.0);
    scaled.diagonal().add_(scaled.diagonal().mean() * settings.damp);
    const auto factor = factorOfInverse(std::move(scaled));
    result.roundedToNearest = !factor.has_value();
    plan.factor = factor ? *factor : at::eye(in, weight.options().dtype(at::kDouble));
    std::vector<at::Tensor> codes;
    std::vector<at::Tensor> scales;
    double loss = 0.0;
    const std::int64_t step = std::max<std::int64_t>(1, settings.numbersAtATime / in);
    for (std::int64_t first = 0; first < weight.size(0); first += step) {
        const std::int64_t last = std::min(first + step, weight.size(0));
        SolvedRows rows = solveRows(weight.slice(0, first, last), plan, settings);
        codes.push_back(std::move(rows.codes));
        scales.push_back(std::move(rows.scale));
        loss += rows.loss.item<double>();
    }
    result.codes = at::cat(codes);
    result.scale = at::cat(scales);
    result.groupOf = plan.groupOf;
    result.deadColumns = plan.dead.sum().item<std::int64_t>();
    result.loss = result.roundedToNearest ? 0.0 : loss;
    return result;
}

}  // namespace qs::engine
