#include "core/engine/probe/exact_int8.h"

#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/quant/schemes/int8_convolution.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>

#include <functional>

namespace qs::engine {

namespace {

constexpr std::int64_t kChannels = 32;
constexpr double kCode = 127.0;  // the largest, so that any narrower sum than int32 shows

// y = the convolution of an image of the largest codes with a weight of them: one number for each
// of the output channels, 127 · 127 · 32 · 9 of them, which float32 holds.
core::Result<core::Graph> oneConvolution(const core::DeviceDescription& device)
{
    core::GraphBuilder builder;
    const std::vector<std::int64_t> shape{kChannels, kChannels, 3, 3};
    const auto x = builder.input("x", {core::DType::Float32, {1, kChannels, 3, 3}});
    const auto codes =
        builder.weight("codes", {core::DType::Int8, {kChannels, kChannels * shape[2] * shape[3]}});
    const auto scale = builder.weight("scale", {core::DType::Float32, {kChannels, 1}});
    const auto inputScale = builder.weight("input_scale", {core::DType::Float32, {}});
    std::vector<core::Note> notes;
    builder.output(core::int8Convolution(builder, {x, {codes, scale}, -1, shape, {}}, {inputScale},
                                         device, notes),
                   "y");
    return builder.finish();
}

core::Status convolve(at::Tensor& y)
{
    core::DeviceDescription device;
    device.exactInt8Convolutions = true;
    QS_TRY(const core::Graph graph, oneConvolution(device));
    const c10::Device cpu(c10::kCPU);
    const NamedTensors weights{{"codes", at::full({kChannels, kChannels * 9}, kCode, at::kChar)},
                               {"scale", at::ones({kChannels, 1})},
                               {"input_scale", at::ones({})}};
    QS_TRY(const Executor executor, Executor::create(graph, weights, cpu));
    y = executor.run({at::full({1, kChannels, 3, 3}, kCode, at::kFloat)}).front();
    return {};
}

// Of one row, which is a kernel of its own, and of many.
core::Status multiply(std::int64_t rows, at::Tensor& y)
{
    constexpr std::int64_t kInputs = 9 * kChannels;
    core::GraphBuilder builder;
    const auto x = builder.input("x", {core::DType::Int8, {rows, kInputs}});
    const auto weight = builder.weight("codes", {core::DType::Int8, {kChannels, kInputs}});
    builder.output(builder.integerMatmul(x, builder.matrixTranspose(weight)), "y");
    QS_TRY(const core::Graph graph, builder.finish());
    const NamedTensors weights{{"codes", at::full({kChannels, kInputs}, kCode, at::kChar)}};
    QS_TRY(const Executor executor, Executor::create(graph, weights, c10::Device(c10::kCPU)));
    y = executor.run({at::full({rows, kInputs}, kCode, at::kChar)}).front();
    return {};
}

// All of them are one number.
bool isExact(const std::function<core::Status(at::Tensor&)>& product)
{
    const c10::InferenceMode guard;
    at::Tensor y;
    // Where PyTorch lacks the operation, the executor says so.
    const bool ran = catching([&] { return product(y); }).ok();
    return ran && (y == kCode * kCode * 9 * kChannels).all().item<bool>();
}

}  // namespace

bool multipliesInt8Exactly()
{
    static const bool exact = isExact([](at::Tensor& y) { return multiply(1, y); }) &&
                              isExact([](at::Tensor& y) { return multiply(kChannels, y); });
    return exact;
}

bool convolvesInt8Exactly()
{
    static const bool exact = isExact(convolve);
    return exact;
}

}  // namespace qs::engine
