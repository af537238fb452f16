#include "core/quant/schemes/int8_convolution.h"

#include "core/graph/layer_operations.h"
#include "core/quant/schemes/int8_rules.h"

#include <array>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::int64_t kCudaMultiple = 8;

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

}  // namespace

ValueId quantizeStaticInput(GraphBuilder& b, ValueId x, const StaticInput& input)
{
    const ValueId wide = b.cast(x, DType::Float32);
    const ValueId steps = input.divide ? b.binary("div", wide, input.scale)
                                       : b.binary("mul", wide, b.unary("reciprocal", input.scale));
    const ValueId rounded = b.unary("round", steps);
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

ValueId int8Convolution(GraphBuilder& b, const ConvolutionParts& parts, const StaticInput& input,
                        const DeviceDescription& device, std::vector<Note>& notes)
{
    const Window window = windowOf(b, parts);
    ValueId x = parts.x;
    if (window.padding[0] != 0 || window.padding[1] != 0)
        x = b.call1("aten::constant_pad_nd",
                    {{"self", ValueRef{x}},
                     {"pad", std::vector<std::int64_t>{window.padding[1], window.padding[1],
                                                       window.padding[0], window.padding[0]}}});
    const ValueId all = patches(b, quantizeStaticInput(b, x, input), window);
    const std::int64_t images = b.shape(parts.x)[0];
    const std::int64_t outputs = images * window.extent[0] * window.extent[1];
    const std::int64_t channels = parts.weightShape[1];
    const std::int64_t out = parts.weightShape[0];
    const std::int64_t perGroup = out / window.groups;
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
    const ValueId product = products.size() == 1 ? products.front() : b.concatenate(products, 1);
    const ValueId y =
        scaleProduct(b, product, input.scale, parts.stored[1], parts.bias, b.type(parts.x).dtype);
    notes.push_back({NoteCode::ReferenceStatic});
    const ValueId image = b.view(y, {images, window.extent[0], window.extent[1], out});
    return b.contiguous(permute(b, image, {0, 3, 1, 2}));
}

}  // namespace qs::core
