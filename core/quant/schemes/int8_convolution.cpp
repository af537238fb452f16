#include "core/quant/schemes/int8_convolution.h"

#include "core/graph/layer_operations.h"
#include "core/quant/schemes/int8_rules.h"

#include <array>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::int64_t kCudaMultiple = 8;
constexpr std::int64_t kMiddleCode = 128;

// [M, N] with zeros beside, up to a multiple that CUDA takes.
ValueId padColumns(GraphBuilder& b, ValueId x)
{
    const std::int64_t columns = b.shape(x)[1];
    const std::int64_t missing = (kCudaMultiple - columns % kCudaMultiple) % kCudaMultiple;
    if (missing == 0)
        return x;
    return b.call1("aten::constant_pad_nd",
                   {{"self", ValueRef{x}}, {"pad", std::vector<std::int64_t>{0, missing}}});
}

// One number for both dimensions, or two; that of an option that is not there is `fallback`.
std::array<std::int64_t, 2> pairOf(const ConvolutionParts& parts, std::string_view name,
                                   std::int64_t fallback)
{
    for (const NamedArgument& option : parts.options) {
        if (option.name != name)
            continue;
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&option.value))
            return list->size() == 1 ? std::array{list->front(), list->front()}
                                     : std::array{list->at(0), list->at(1)};
        if (const auto* one = std::get_if<std::int64_t>(&option.value))
            return {*one, *one};
    }
    return {fallback, fallback};
}

struct Window {
    std::array<std::int64_t, 2> kernel, stride, padding, dilation, extent;
    std::int64_t groups = 1;
};

Window windowOf(GraphBuilder& b, const ConvolutionParts& parts)
{
    Window window{.kernel = {parts.weightShape[2], parts.weightShape[3]},
                  .stride = pairOf(parts, "stride", 1),
                  .padding = pairOf(parts, "padding", 0),
                  .dilation = pairOf(parts, "dilation", 1),
                  .extent = {},
                  .groups = pairOf(parts, "groups", 1)[0]};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t room = b.shape(parts.x)[i + 2] + 2 * window.padding[i] -
                                  window.dilation[i] * (window.kernel[i] - 1) - 1;
        window.extent[i] = room / window.stride[i] + 1;
    }
    return window;
}

ValueId every(GraphBuilder& b, ValueId x, std::int64_t dimension, std::int64_t begin,
              std::int64_t count, std::int64_t step)
{
    return b.call1("aten::slice.Tensor", {{"self", ValueRef{x}},
                                          {"dim", dimension},
                                          {"start", begin},
                                          {"end", begin + (count - 1) * step + 1},
                                          {"step", step}});
}

// codes [N, C, H, W], padded -> [N, H', W', C, kernel]: what each output is made of.
ValueId patches(GraphBuilder& b, ValueId codes, const Window& window)
{
    std::vector<ValueId> places;
    for (std::int64_t row = 0; row < window.kernel[0]; ++row) {
        const ValueId rows =
            every(b, codes, 2, row * window.dilation[0], window.extent[0], window.stride[0]);
        for (std::int64_t column = 0; column < window.kernel[1]; ++column)
            places.push_back(
                every(b, rows, 3, column * window.dilation[1], window.extent[1], window.stride[1]));
    }
    return permute(b, b.stack(places, -1), {0, 2, 3, 1, 4});
}

// x in whole units of its scale.
ValueId roundedSteps(GraphBuilder& b, ValueId x, const StaticInput& input)
{
    const ValueId wide = b.cast(x, DType::Float32);
    const ValueId steps = input.divide ? b.binary("div", wide, input.scale)
                                       : b.binary("mul", wide, b.unary("reciprocal", input.scale));
    return b.unary("round", steps);
}

std::vector<std::int64_t> listOf(const std::array<std::int64_t, 2>& pair)
{
    return {pair[0], pair[1]};
}

std::vector<NamedArgument> optionsOf(const Window& window)
{
    return {{"stride", listOf(window.stride)},
            {"padding", listOf(window.padding)},
            {"dilation", listOf(window.dilation)},
            {"groups", window.groups}};
}

// The weight as oneDNN reads it, for images of this size.
ValueId laidOut(GraphBuilder& b, const ConvolutionParts& parts, const Window& window,
                ValueId unitScale)
{
    const ValueId weight = b.view(parts.stored[0], parts.weightShape);
    std::vector<NamedArgument> arguments = optionsOf(window);
    arguments.push_back({"weight", ValueRef{weight}});
    arguments.push_back({"w_scales", ValueRef{unitScale}});
    arguments.push_back({"x_scale", 1.0});
    arguments.push_back({"x_zp", kMiddleCode});
    arguments.push_back({"x_shape", b.shape(parts.x)});
    return b.call1(kInt8Layout, std::move(arguments));
}

struct ShiftedCodes {
    ValueId codes;  // 0 … 255
    ValueId zero;   // int64
};

ShiftedCodes shiftedCodes(GraphBuilder& b, ValueId x, const StaticInput& input)
{
    constexpr auto kShift = static_cast<double>(kMiddleCode);
    const bool symmetric = input.zero < 0;
    const ValueId rounded = roundedSteps(b, x, input);
    const ValueId zero = symmetric ? b.constant("middle_code", {DType::Int64, {}}, {kShift})
                                   : b.scalar("add", input.zero, kShift);
    const ValueId shifted =
        symmetric ? b.scalar("add", rounded, kShift) : b.binary("add", rounded, zero);
    const ValueId codes = b.cast(b.clamp(shifted, 0.0, 255.0), DType::UInt8);
    return {codes, b.cast(zero, DType::Int64)};
}

// The sums of the products as float32 [N, H', W', out], by a kernel that takes codes 0 … 255: the
// codes of x and their zero point stand 128 higher. It takes the zero point off in int32, pads with
// it, and all scales are 1: what comes out is what the other way rounds to float32 (but for sums
// beyond 2^24, see the header).
ValueId sumsOfKernel(GraphBuilder& b, const ConvolutionParts& parts, const StaticInput& input,
                     const Window& window)
{
    const ValueId one = b.constant("one", {DType::Float32, {}}, {1.0});
    const ValueId unitScale = b.constant("unit_scale", {DType::Float32, {1}}, {1.0});
    const ValueId noOffset = b.constant("no_offset", {DType::Int64, {1}}, {0.0});
    const ShiftedCodes x = shiftedCodes(b, parts.x, input);
    const ValueId weight = laidOut(b, parts, window, unitScale);
    std::vector<NamedArgument> arguments{{"qx", ValueRef{x.codes}},
                                         {"x_scale", ValueRef{one}},
                                         {"x_zero_point", ValueRef{x.zero}},
                                         {"qw", ValueRef{weight}},
                                         {"w_scale", ValueRef{unitScale}},
                                         {"w_zero_point", ValueRef{noOffset}},
                                         {"bias", std::monostate()},
                                         {"output_scale", 1.0},
                                         {"output_zero_point", std::int64_t{0}},
                                         {"output_dtype", DType::Float32},
                                         {"attr", std::string("none")},
                                         {"scalars", std::vector<std::int64_t>()},
                                         {"algorithm", std::string()}};
    for (NamedArgument& option : optionsOf(window))
        arguments.push_back(std::move(option));
    const ValueId sums = b.call1(std::string(kInt8Convolution) + ".tensor", std::move(arguments));
    return permute(b, sums, {0, 2, 3, 1});
}

}  // namespace

ValueId quantizeStaticInput(GraphBuilder& b, ValueId x, const StaticInput& input)
{
    const ValueId rounded = roundedSteps(b, x, input);
    const ValueId shifted = input.zero < 0 ? rounded : b.binary("add", rounded, input.zero);
    return b.cast(b.clamp(shifted, -128.0, 127.0), DType::Int8);
}

ValueId alignedInt8Product(GraphBuilder& b, ValueId codes, ValueId weight,
                           const DeviceDescription& device, std::vector<Note>& notes)
{
    const std::int64_t out = b.shape(weight)[0];
    if (device.kind != DeviceKind::Cuda)
        return int8Product(b, codes, weight, device, notes);
    const std::int64_t missing = (kCudaMultiple - out % kCudaMultiple) % kCudaMultiple;
    const ValueId columns = padColumns(b, weight);
    const ValueId rows = missing == 0 ? columns : b.padRows(columns, missing);
    const ValueId wide = padColumns(b, codes);
    const ValueId product = int8Product(b, wide, rows, device, notes);
    return missing == 0 ? product : b.slice(product, 1, 0, out);
}

ValueId scaleProduct(GraphBuilder& b, ValueId product, ValueId inputScale, ValueId rowScale,
                     ValueId bias, DType type)
{
    const ValueId scale = b.binary("mul", b.flatten(rowScale, 0, 1), inputScale);
    const ValueId y = b.binary("mul", b.cast(product, DType::Float32), scale);
    const ValueId wideBias = bias < 0 ? -1 : b.cast(bias, DType::Float32);
    return b.cast(addBias(b, y, wideBias), type);
}

namespace {

// The sums of the products as int32 [N · H' · W', out]: im2col and a product per group.
ValueId sumsOfMatrices(GraphBuilder& b, const ConvolutionParts& parts, const StaticInput& input,
                       const Window& window, const DeviceDescription& device,
                       std::vector<Note>& notes)
{
    ValueId x = parts.x;
    if (window.padding[0] != 0 || window.padding[1] != 0)
        x = b.call1("aten::constant_pad_nd",
                    {{"self", ValueRef{x}},
                     {"pad", std::vector<std::int64_t>{window.padding[1], window.padding[1],
                                                       window.padding[0], window.padding[0]}}});
    const ValueId all = patches(b, quantizeStaticInput(b, x, input), window);
    const std::int64_t outputs = b.shape(parts.x)[0] * window.extent[0] * window.extent[1];
    const std::int64_t channels = parts.weightShape[1];
    const std::int64_t perGroup = parts.weightShape[0] / window.groups;
    std::vector<ValueId> products;
    for (std::int64_t group = 0; group < window.groups; ++group) {
        const ValueId own = b.slice(all, 3, group * channels, (group + 1) * channels);
        const ValueId matrix =
            b.reshape(own, {outputs, channels * window.kernel[0] * window.kernel[1]});
        const ValueId weight =
            b.slice(parts.stored[0], 0, group * perGroup, (group + 1) * perGroup);
        const ValueId product = alignedInt8Product(b, matrix, weight, device, notes);
        products.push_back(input.zero < 0 ? product : subtractZero(b, product, input.zero, weight));
    }
    notes.push_back({NoteCode::ReferenceStatic});
    return products.size() == 1 ? products.front() : b.concatenate(products, 1);
}

// Both give the same sums (see the header); what follows is one and the same.
bool hasKernel(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cpu && device.exactInt8Convolutions.value_or(false);
}

}  // namespace

ValueId int8Convolution(GraphBuilder& b, const ConvolutionParts& parts, const StaticInput& input,
                        const DeviceDescription& device, std::vector<Note>& notes)
{
    const Window window = windowOf(b, parts);
    const bool kernel = hasKernel(device);
    if (kernel)
        notes.push_back({NoteCode::UnfusedInt8});
    const ValueId sums = kernel ? sumsOfKernel(b, parts, input, window)
                                : sumsOfMatrices(b, parts, input, window, device, notes);
    const ValueId y =
        scaleProduct(b, sums, input.scale, parts.stored[1], parts.bias, b.type(parts.x).dtype);
    const ValueId image =
        b.view(y, {b.shape(parts.x)[0], window.extent[0], window.extent[1], parts.weightShape[0]});
    return b.contiguous(permute(b, image, {0, 3, 1, 2}));
}

Product int8ConvolutionOf(const Scheme& scheme, const DeviceDescription& device)
{
    return hasKernel(device) ? Product{std::string(kInt8Convolution), DType::Int32}
                             : int8ProductOf(scheme, device);
}

}  // namespace qs::core
