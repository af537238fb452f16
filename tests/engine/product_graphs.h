#pragma once

#include "core/engine/internal/torch_types.h"
#include "core/graph/builder.h"

#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>

#include <cstdint>
#include <vector>

// Products with what follows them, and what they are worth.
namespace qs::tests {

struct ProductSizes {
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
};

inline at::Tensor codes(std::int64_t rows, std::int64_t columns)
{
    return at::randint(-128, 128, {rows, columns}).to(at::kChar);
}

// a · wᵀ
inline at::Tensor exactSums(const at::Tensor& a, const at::Tensor& w)
{
    return at::matmul(a.to(at::kDouble), w.to(at::kDouble).t());
}

inline core::Graph wholeProduct(const ProductSizes& sizes)
{
    core::GraphBuilder b;
    const core::ValueId a = b.input("a", {core::DType::Int8, {sizes.m, sizes.k}});
    const core::ValueId w = b.input("w", {core::DType::Int8, {sizes.n, sizes.k}});
    b.output(b.integerMatmul(a, b.matrixTranspose(w)), "y");
    return b.finish().value();
}

// As int8dq has it: two roundings, a residual behind them.
inline core::Graph scaledProduct(const ProductSizes& sizes)
{
    core::GraphBuilder b;
    const core::ValueId a = b.input("a", {core::DType::Int8, {sizes.m, sizes.k}});
    const core::ValueId w = b.input("w", {core::DType::Int8, {sizes.n, sizes.k}});
    const core::ValueId s = b.input("s", {core::DType::Float32, {sizes.m, 1}});
    const core::ValueId t = b.input("t", {core::DType::Float32, {sizes.n}});
    const core::ValueId x = b.input("x", {core::DType::BFloat16, {sizes.m, sizes.n}});
    const core::ValueId once =
        b.cast(b.binary("mul", b.integerMatmul(a, b.matrixTranspose(w)), s), core::DType::BFloat16);
    b.output(b.binary("add", x, b.cast(b.binary("mul", once, t), core::DType::BFloat16)), "y");
    return b.finish().value();
}

inline std::vector<at::Tensor> scaledInputs(const ProductSizes& sizes)
{
    return {codes(sizes.m, sizes.k), codes(sizes.n, sizes.k), at::rand({sizes.m, 1}),
            at::rand({sizes.n}), at::randn({sizes.m, sizes.n}).to(at::kBFloat16)};
}

inline at::Tensor scaledResult(const std::vector<at::Tensor>& inputs)
{
    const at::Tensor exact = exactSums(inputs[0], inputs[1]).to(at::kFloat);
    const at::Tensor once = (exact * inputs[2]).to(at::kBFloat16);
    return inputs[4] + (once * inputs[3]).to(at::kBFloat16);
}

inline core::Graph float8Gate(const ProductSizes& sizes)
{
    core::GraphBuilder b;
    const core::ValueId a = b.input("a", {core::DType::Float8E4M3, {sizes.m, sizes.k}});
    const core::ValueId w = b.input("w", {core::DType::Float8E4M3, {sizes.n, sizes.k}});
    const core::ValueId s = b.input("s", {core::DType::Float32, {sizes.m, 1}});
    const core::ValueId t = b.input("t", {core::DType::Float32, {1, sizes.n}});
    const core::ValueId y =
        b.scaledMatmul(a, b.matrixTranspose(w), s, t, -1, core::DType::BFloat16, true);
    const auto halves = b.chunk(y, 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    return b.finish().value();
}

inline std::vector<at::Tensor> float8Inputs(const ProductSizes& sizes)
{
    return {at::randn({sizes.m, sizes.k}).to(at::kFloat8_e4m3fn),
            at::randn({sizes.n, sizes.k}).to(at::kFloat8_e4m3fn), at::rand({sizes.m, 1}) * 0.1,
            at::rand({1, sizes.n})};
}

inline at::Tensor gateOf(const at::Tensor& sums)
{
    const auto halves = sums.chunk(2, -1);
    return at::silu(halves[0]) * halves[1];
}

inline at::Tensor float8Result(const std::vector<at::Tensor>& inputs)
{
    return gateOf(exactSums(inputs[0], inputs[1]) * inputs[2] * inputs[3]);
}

// Of 16 bits: with its gate, or alone.
inline core::Graph halfProduct(core::DType type, const ProductSizes& sizes, bool gates)
{
    core::GraphBuilder b;
    const core::ValueId x = b.input("x", {type, {1, sizes.m, sizes.k}});
    const core::ValueId w = b.input("w", {type, {sizes.n, sizes.k}});
    const core::ValueId y = b.linear(x, w, -1);
    if (!gates) {
        b.output(y, "y");
        return b.finish().value();
    }
    const auto parts = b.chunk(y, 2, -1);
    b.output(b.binary("mul", b.unary("silu", parts[0]), parts[1]), "y");
    return b.finish().value();
}

inline std::vector<at::Tensor> halfInputs(core::DType type, const ProductSizes& sizes)
{
    return {at::randn({1, sizes.m, sizes.k}).to(engine::toTorch(type)),
            (at::randn({sizes.n, sizes.k}) / 16).to(engine::toTorch(type))};
}

inline at::Tensor halfResult(const std::vector<at::Tensor>& inputs, bool gates)
{
    const at::Tensor sums = exactSums(inputs[0], inputs[1]);
    return gates ? gateOf(sums) : sums;
}

inline double relativeDistance(const at::Tensor& found, const at::Tensor& expected)
{
    const at::Tensor off = found.to(at::kDouble) - expected.to(at::kDouble);
    return (off.norm() / expected.to(at::kDouble).norm()).item<double>();
}

}  // namespace qs::tests
