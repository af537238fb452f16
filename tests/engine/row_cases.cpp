#include "tests/engine/row_cases.h"

#include "core/graph/builder.h"
#include "core/model/rope/pair_rotation.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace qs::tests {

namespace {

using core::DType;
using core::GraphBuilder;
using core::ValueId;

// The most that rounding moves a number by: a share of it, and where it is denormal.
constexpr double kUnit = 0x1p-8;  // of bf16
constexpr double kLeast = 0x1p-134;
constexpr double kFloatUnit = 0x1p-24;
constexpr double kFloatLeast = 0x1p-150;
constexpr double kSlack = 1.01;  // for what roundings do to each other
constexpr double kEpsilon = 1e-6;

// Squares of a row of huge numbers add up to less than a float holds; their own sums need not.
constexpr RowScales kOfSquares{0x1p56, 0x1p-123, 0x1p-130};
constexpr RowScales kOfNumbers{0x1p124, 0x1p-123, 0x1p-130};

at::Tensor normal(std::vector<std::int64_t> shape)
{
    return at::randn(shape).to(at::kBFloat16);
}

// Rows, and weights and summands of their elements.
RowTensors ofSquares(const RowSizes& sizes, std::int64_t first)
{
    return {hardRows(sizes, first, kOfSquares, at::kBFloat16), normal({sizes.length}),
            normal({sizes.length})};
}

RowTensors ofNumbers(const RowSizes& sizes, std::int64_t first)
{
    return {hardRows(sizes, first, kOfNumbers, at::kBFloat16)};
}

// Rows whose largest is so small that the reciprocal of their scale is no float, beside others.
RowTensors ofSmallest(const RowSizes& sizes, std::int64_t first)
{
    constexpr double kLargest[] = {1e-37, 1e-40, 0.0, 1.0};
    at::Tensor x = at::rand({sizes.rows, sizes.length}) * 2.0 - 1.0;
    for (std::int64_t row = 0; row < sizes.rows; ++row) {
        x[row][(row * 37 + 3) % sizes.length] = -1.0;
        x[row] *= kLargest[(row + first) % std::ssize(kLargest)];
    }
    return {x};
}

RowTensors withNumbers(const RowSizes& sizes, std::int64_t first)
{
    return {hardRows(sizes, first, kOfNumbers, at::kBFloat16), normal({sizes.rows, sizes.length})};
}

ValueId rowsOf(GraphBuilder& b, const RowSizes& sizes, const char* name)
{
    return b.input(name, {DType::BFloat16, {sizes.rows, sizes.length}});
}

core::Graph rmsNorm(const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = b.cast(rowsOf(b, sizes, "x"), DType::Float32);
    const ValueId weight = b.input("w", {DType::BFloat16, {sizes.length}});
    static_cast<void>(b.input("b", {DType::BFloat16, {sizes.length}}));
    const ValueId mean = b.mean(b.power(x, 2.0), {-1});
    const ValueId normed = b.binary("mul", x, b.unary("rsqrt", b.scalar("add", mean, kEpsilon)));
    const ValueId y = b.binary("mul", normed, weight);
    b.output(y, "wide");
    b.output(b.cast(y, DType::BFloat16), "narrow");
    return b.finish().value();
}

// Halves of what the sum of the squares is off by, and a dozen roundings.
void checkRmsNorm(const RowTensors& inputs, const RowTensors& found, double chain)
{
    const at::Tensor x = wide(inputs[0]);
    const at::Tensor mean = x.square().mean({-1}, true);
    const at::Tensor y = x * (mean + kEpsilon).rsqrt() * wide(inputs[1]);
    const at::Tensor off = (chain / 2 + 12) * kFloatUnit * y.abs();
    expectWithin(found[0], y, off + kFloatLeast);
    expectWithin(found[1], y, kSlack * (kUnit * y.abs() + off) + kLeast);
}

core::Graph layerNorm(const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = rowsOf(b, sizes, "x");
    const ValueId weight = b.input("w", {DType::BFloat16, {sizes.length}});
    const ValueId bias = b.input("b", {DType::BFloat16, {sizes.length}});
    b.output(
        b.call1("aten::layer_norm", {{"input", core::ValueRef{x}},
                                     {"normalized_shape", std::vector<std::int64_t>{sizes.length}},
                                     {"weight", core::ValueRef{weight}},
                                     {"bias", core::ValueRef{bias}},
                                     {"eps", kEpsilon}}),
        "y");
    return b.finish().value();
}

// The mean is off by what the largest number is rounded by, for each addition.
void checkLayerNorm(const RowTensors& inputs, const RowTensors& found, double chain)
{
    const at::Tensor x = wide(inputs[0]);
    const at::Tensor centred = x - x.mean({-1}, true);
    const at::Tensor factor = (centred.square().mean({-1}, true) + kEpsilon).rsqrt();
    const at::Tensor weight = wide(inputs[1]);
    const at::Tensor y = centred * factor * weight + wide(inputs[2]);
    const at::Tensor most = x.abs().amax({-1}, true) + centred.abs();
    const at::Tensor off = (chain + 16) * kFloatUnit * (most * factor * weight.abs() + y.abs());
    expectWithin(found[0], y, kSlack * (kUnit * y.abs() + off) + kLeast);
}

core::Graph gate(const RowSizes& sizes, const char* form)
{
    GraphBuilder b;
    const ValueId x = rowsOf(b, sizes, "x");
    const ValueId up = rowsOf(b, sizes, "up");
    const std::string name = form;
    const ValueId gated =
        name == "silu"
            ? b.unary("silu", x)
            : b.call1("aten::gelu", {{"self", core::ValueRef{x}}, {"approximate", name}});
    b.output(b.binary("mul", gated, up), "y");
    return b.finish().value();
}

core::Graph siluGate(const RowSizes& sizes)
{
    return gate(sizes, "silu");
}

core::Graph geluGate(const RowSizes& sizes)
{
    return gate(sizes, "none");
}

core::Graph tanhGate(const RowSizes& sizes)
{
    return gate(sizes, "tanh");
}

// Two roundings; powers of two are off by less than another sixteenth of one, and zero where no
// normal float is as small. `tail`: what else the gate is off by, for each one of x.
void checkGate(const RowTensors& inputs, const at::Tensor& found, const at::Tensor& gated,
               double vanishesBelow, double tail)
{
    constexpr double kPowers = 0x1p-12;
    constexpr double kVanished = 0x1p-119;
    const at::Tensor x = wide(inputs[0]);
    const at::Tensor up = wide(inputs[1]);
    const at::Tensor y = gated * up;
    const at::Tensor least = at::where(x < vanishesBelow, kVanished, 2 * kLeast);
    expectWithin(found, y,
                 kSlack * (2 * kUnit + kPowers) * y.abs() + least * (1 + up.abs()) +
                     tail * (x * up).abs());
}

void checkSiluGate(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor x = wide(inputs[0]);
    checkGate(inputs, found[0], x * at::sigmoid(x), -80.0, 0.0);
}

// Its tail is within 8e-8 of that of the normal distribution.
void checkGeluGate(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor x = wide(inputs[0]);
    checkGate(inputs, found[0], 0.5 * x * at::erfc(x * -0.7071067811865476), -10.0, 1e-7);
}

void checkTanhGate(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor x = wide(inputs[0]);
    const at::Tensor inner = 1.5957691216057308 * (x + 0.044715 * x * x * x);
    checkGate(inputs, found[0], x * at::sigmoid(inner), -9.0, 0.0);
}

core::Graph rotation(const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = rowsOf(b, sizes, "x");
    const core::TensorType half{DType::BFloat16, {sizes.rows, sizes.length / 2}};
    const ValueId cosine = b.input("cosine", half);
    const ValueId sine = b.input("sine", half);
    b.output(core::turnPairs(b, x, {cosine, sine}), "y");
    return b.finish().value();
}

RowTensors rotationInputs(const RowSizes& sizes, std::int64_t first)
{
    const at::Tensor angles = at::rand({sizes.rows, sizes.length / 2}) * 6.25;
    return {hardRows(sizes, first, kOfNumbers, at::kBFloat16), angles.cos().to(at::kBFloat16),
            angles.sin().to(at::kBFloat16)};
}

// Both products are rounded, and their sum.
void checkRotation(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor pairs = wide(inputs[0]).unflatten(-1, {-1, 2});
    const at::Tensor cosine = wide(inputs[1]);
    const at::Tensor sine = wide(inputs[2]);
    const at::Tensor a = pairs.select(-1, 0);
    const at::Tensor b = pairs.select(-1, 1);
    const at::Tensor y = at::stack({a * cosine - b * sine, b * cosine + a * sine}, -1).flatten(-2);
    const at::Tensor both =
        at::stack({(a * cosine).abs() + (b * sine).abs(), (b * cosine).abs() + (a * sine).abs()},
                  -1)
            .flatten(-2);
    expectWithin(found[0], y, kSlack * kUnit * (both + y.abs()) + 3 * kLeast);
}

constexpr double kInt8Levels = 127.5;
constexpr double kInt8Least = 0x1p-23;
constexpr double kMostFloat8 = 448.0;

core::Graph int8Rows(const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = rowsOf(b, sizes, "x");
    const ValueId ratio = b.scalar("div", b.absoluteMaximum(x, {-1}), kInt8Levels);
    const ValueId scale = b.cast(b.clampMin(ratio, kInt8Least), DType::Float32);
    const ValueId steps = b.binary("mul", x, b.unary("reciprocal", scale));
    b.output(b.cast(b.clamp(b.unary("round", steps), -128.0, 127.0), DType::Int8), "codes");
    b.output(scale, "scale");
    return b.finish().value();
}

// What is no number has the code 0, and a scale that makes its row none. The steps of codes are off
// by two roundings of floats.
void checkInt8Rows(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor x = wide(inputs[0]);
    const at::Tensor ratio = (x.abs().amax({-1}, true) / kInt8Levels).clamp_min(kInt8Least);
    expectWithin(found[1], ratio, kSlack * kUnit * ratio);
    const at::Tensor steps = (x / wide(found[1])).clamp(-128.0, 127.0).nan_to_num(0.0);
    expectWithin(found[0], steps, 0.5 + 4 * kFloatUnit * steps.abs());
}

ValueId float8Codes(GraphBuilder& b, ValueId x, ValueId scale)
{
    const ValueId steps = b.binary("div", b.cast(x, DType::Float32), scale);
    return b.cast(b.clamp(steps, -kMostFloat8, kMostFloat8), DType::Float8E4M3);
}

core::Graph float8RowsOf(DType type, const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {type, {sizes.rows, sizes.length}});
    const ValueId ratio =
        b.cast(b.scalar("div", b.absoluteMaximum(x, {-1}), kMostFloat8), DType::Float32);
    const ValueId scale = b.binary("add", ratio, b.cast(b.equals(ratio, 0.0), DType::Float32));
    b.output(float8Codes(b, x, scale), "codes");
    b.output(scale, "scale");
    return b.finish().value();
}

core::Graph float8Rows(const RowSizes& sizes)
{
    return float8RowsOf(DType::BFloat16, sizes);
}

core::Graph wideFloat8Rows(const RowSizes& sizes)
{
    return float8RowsOf(DType::Float32, sizes);
}

// Four digits, and where they are denormal a tenth one behind the point.
void checkFloat8(const at::Tensor& x, const at::Tensor& codes, const at::Tensor& scale)
{
    const at::Tensor steps = (wide(x) / wide(scale)).clamp(-kMostFloat8, kMostFloat8);
    expectWithin(codes, steps, (1 + 0x1p-20) * (steps.abs() * 0x1p-4).clamp_min(0x1p-10));
}

// A row of zeros, and one whose scale is rounded to zero, has the scale 1.
void checkFloat8Rows(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor ratio = wide(inputs[0]).abs().amax({-1}, true) / kMostFloat8;
    const double least = inputs[0].scalar_type() == at::kFloat ? kFloatLeast : kLeast;
    const at::Tensor scale = at::where(ratio < least, 1.0, ratio);
    expectWithin(found[1], scale, kSlack * (kUnit * scale + kLeast));
    checkFloat8(inputs[0], found[0], found[1]);
}

core::Graph float8Tensor(const RowSizes& sizes)
{
    GraphBuilder b;
    const ValueId x = rowsOf(b, sizes, "x");
    b.output(float8Codes(b, x, b.input("scale", {DType::Float32, {}})), "codes");
    return b.finish().value();
}

RowTensors float8TensorInputs(const RowSizes& sizes, std::int64_t first)
{
    return {hardRows(sizes, first, kOfNumbers, at::kBFloat16), at::rand({}) + 0x1p-9};
}

void checkFloat8Tensor(const RowTensors& inputs, const RowTensors& found, double)
{
    checkFloat8(inputs[0], found[0], inputs[1]);
}

core::Graph maxima(const RowSizes& sizes)
{
    GraphBuilder b;
    b.output(b.absoluteMaximum(rowsOf(b, sizes, "x"), {-1}), "y");
    return b.finish().value();
}

void checkMaxima(const RowTensors& inputs, const RowTensors& found, double)
{
    const at::Tensor y = wide(inputs[0]).abs().amax({-1}, true);
    expectWithin(found[0], y, at::zeros_like(y));
}

}  // namespace

void PrintTo(const RowCase& each, std::ostream* out)
{
    *out << each.name;
}

const std::vector<RowCase>& rowCases()
{
    static const std::vector<RowCase> cases{
        {"RmsNorm", rmsNorm, ofSquares, checkRmsNorm},
        {"LayerNorm", layerNorm, ofSquares, checkLayerNorm},
        {"SiluGate", siluGate, withNumbers, checkSiluGate},
        {"GeluGate", geluGate, withNumbers, checkGeluGate},
        {"TanhGate", tanhGate, withNumbers, checkTanhGate},
        {"Rotation", rotation, rotationInputs, checkRotation},
        {"Int8Rows", int8Rows, ofNumbers, checkInt8Rows},
        {"Float8Rows", float8Rows, ofNumbers, checkFloat8Rows},
        {"SmallestFloat8Rows", wideFloat8Rows, ofSmallest, checkFloat8Rows},
        {"Float8Tensor", float8Tensor, float8TensorInputs, checkFloat8Tensor},
        {"Maxima", maxima, ofNumbers, checkMaxima},
    };
    return cases;
}

void expectFloat64(const RowCase& each, const RowSizes& sizes, double chain,
                   const std::function<RowTensors(const RowTensors&)>& run)
{
    for (std::int64_t first = 0; first < turnsOf(sizes); ++first) {
        SCOPED_TRACE(std::string(each.name) + " of " + std::to_string(sizes.rows) + " x " +
                     std::to_string(sizes.length) + " from kind " + std::to_string(first));
        const RowTensors inputs = each.inputs(sizes, first);
        each.check(inputs, run(inputs), chain);
    }
}

}  // namespace qs::tests
