#include "core/graph/type_rules.h"

namespace qs::core::rules {

namespace {

// Without the dimensions, or with extent 1 for them; none named means all.
Shape reduced(CallReader& call, const Shape& shape, const Shape& dimensions, bool keep)
{
    std::vector<bool> gone(shape.size(), dimensions.empty());
    for (const std::int64_t dimension : dimensions) {
        const std::size_t at = call.axis(dimension, shape.size());
        if (at < gone.size())
            gone[at] = true;
    }
    Shape result;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (!gone[i])
            result.push_back(shape[i]);
        else if (keep)
            result.push_back(1);
    }
    return result;
}

Shape reducedSelf(CallReader& call, const TensorType& self)
{
    return reduced(call, self.shape, call.list("dim", Shape{}), call.flag("keepdim", false));
}

// Number of windows along one dimension.
std::int64_t windows(CallReader& call, std::int64_t extent, std::int64_t kernel,
                     std::int64_t stride, std::int64_t padding, std::int64_t dilation,
                     bool roundsUp)
{
    const bool sane = kernel > 0 && stride > 0 && dilation > 0 && padding >= 0 &&
                      padding <= kernel / 2 && kernel < kMostElements && dilation < kMostElements &&
                      kernel * dilation / dilation == kernel;
    if (!call.require(sane, "a window, stride, padding or dilation makes no sense"))
        return 1;
    const std::int64_t span = dilation * (kernel - 1) + 1;
    const std::int64_t room = extent + 2 * padding - span;
    if (!call.require(room >= 0, "the window is larger than the image"))
        return 1;
    std::int64_t count = (roundsUp ? room + stride - 1 : room) / stride + 1;
    // A window must begin inside the image or its left padding.
    if (roundsUp && (count - 1) * stride >= extent + padding)
        --count;
    return count;
}

// [N, C, H, W] or [C, H, W] with the last two replaced.
void pool2d(CallReader& call, bool dilates)
{
    TensorType self = call.tensor("self", 3);
    static_cast<void>(call.require(self.shape.size() <= 4, "images have 3 or 4 dimensions"));
    const Shape kernel = call.perDimension("kernel_size", 2, std::nullopt);
    Shape stride = call.list("stride", Shape{});
    if (stride.empty())
        stride = kernel;
    stride.resize(2, stride.front());
    const Shape padding = call.perDimension("padding", 2, Shape{0});
    const Shape dilation = dilates ? call.perDimension("dilation", 2, Shape{1}) : Shape{1, 1};
    const bool roundsUp = call.flag("ceil_mode", false);
    for (std::size_t i = 0; i < 2; ++i) {
        std::int64_t& extent = self.shape[self.shape.size() - 2 + i];
        extent = windows(call, extent, kernel[i], stride[i], padding[i], dilation[i], roundsUp);
    }
    call.give(self);
}

// Statistics and factors of the channels.
void requireChannels(CallReader& call, std::int64_t channels)
{
    for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
        if (const auto each = call.tensorIfAny(name))
            static_cast<void>(
                call.require(each->shape == Shape{channels},
                             std::string(name) + " does not have one value for each channel"));
    }
}

void requireEnding(CallReader& call, const Shape& shape, const Shape& normalized)
{
    bool ends = normalized.size() <= shape.size() && !normalized.empty();
    for (std::size_t i = 0; ends && i < normalized.size(); ++i)
        ends = shape[shape.size() - normalized.size() + i] == normalized[i];
    static_cast<void>(call.require(ends, "the input does not end in the normalized shape"));
    for (const char* name : {"weight", "bias"}) {
        if (const auto each = call.tensorIfAny(name))
            static_cast<void>(call.require(each->shape == normalized,
                                           std::string(name) + " is not of normalized shape"));
    }
}

}  // namespace

void mean(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const DType dtype = call.dtype("dtype", self.dtype);
    static_cast<void>(call.require(isFloating(dtype), "a mean is of floating numbers"));
    call.give(dtype, reducedSelf(call, self));
}

void sum(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const DType natural = isFloating(self.dtype) ? self.dtype : DType::Int64;
    call.give(call.dtype("dtype", natural), reducedSelf(call, self));
}

void extremum(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(self.dtype, reducedSelf(call, self));
}

// Along one dimension: the values and where they stand.
void extremumWithPlace(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const Shape shape =
        reduced(call, self.shape, Shape{call.whole("dim")}, call.flag("keepdim", false));
    call.give(self.dtype, shape);
    call.give(DType::Int64, shape);
}

void anyOf(CallReader& call)
{
    const TensorType self = call.tensor("self");
    // PyTorch keeps bytes for compatibility with what it once had for bool.
    const DType dtype = self.dtype == DType::UInt8 ? DType::UInt8 : DType::Bool;
    call.give(dtype,
              reduced(call, self.shape, Shape{call.whole("dim")}, call.flag("keepdim", false)));
}

void largest(CallReader& call)
{
    TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim", -1), self.shape.size());
    const std::int64_t count = call.whole("k");
    if (call.require(count >= 0 && count <= self.shape[along], "there are fewer values"))
        self.shape[along] = count;
    call.give(self);
    call.give(DType::Int64, self.shape);
}

void variance(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(isFloating(self.dtype), "a variance is of floating numbers"));
    call.give(self.dtype, reducedSelf(call, self));
}

void vectorNorm(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(isFloating(self.dtype), "a norm is of floating numbers"));
    call.give(call.dtype("dtype", self.dtype), reducedSelf(call, self));
}

void argmax(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const auto dimension = call.wholeIfAny("dim");
    const Shape dimensions = dimension ? Shape{*dimension} : Shape{};
    call.give(DType::Int64, reduced(call, self.shape, dimensions, call.flag("keepdim", false)));
}

void softmax(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.axis(call.whole("dim"), std::max<std::size_t>(self.shape.size(), 1)));
    const DType dtype = call.dtype("dtype", self.dtype);
    static_cast<void>(call.require(isFloating(dtype), "a softmax is of floating numbers"));
    call.give(dtype, self.shape);
}

void cumulative(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.axis(call.whole("dim"), std::max<std::size_t>(self.shape.size(), 1)));
    call.give(call.dtype("dtype", isFloating(self.dtype) ? self.dtype : DType::Int64), self.shape);
}

void layerNorm(CallReader& call)
{
    const TensorType input = call.tensor("input");
    requireEnding(call, input.shape, call.list("normalized_shape"));
    call.give(input);
}

void groupNorm(CallReader& call)
{
    const TensorType input = call.tensor("input", 2);
    const std::int64_t groups = call.whole("num_groups");
    static_cast<void>(call.require(groups > 0 && input.shape[1] % groups == 0,
                                   "the groups do not divide the channels"));
    requireChannels(call, input.shape[1]);
    call.give(input);
}

void rmsNorm(CallReader& call)
{
    layerNorm(call);
}

void batchNorm(CallReader& call)
{
    const TensorType input = call.tensor("input", 2);
    requireChannels(call, input.shape[1]);
    static_cast<void>(
        call.require(!call.flag("training", false), "statistics are not learned here"));
    call.give(input);
}

// With the saved mean and deviation, which are empty outside training.
void batchNormWithStatistics(CallReader& call)
{
    const TensorType input = call.tensor("input", 2);
    requireChannels(call, input.shape[1]);
    call.give(input);
    call.give(input.dtype, {0});
    call.give(input.dtype, {0});
}

void maxPool2d(CallReader& call)
{
    pool2d(call, true);
}

void averagePool2d(CallReader& call)
{
    pool2d(call, false);
}

void adaptiveAveragePool2d(CallReader& call)
{
    TensorType self = call.tensor("self", 3);
    const Shape size = call.perDimension("output_size", 2, std::nullopt);
    self.shape[self.shape.size() - 2] = size[0];
    self.shape[self.shape.size() - 1] = size[1];
    call.give(self);
}

// To a size, or by a factor for each of the last two dimensions.
void resizeByFactor(CallReader& call)
{
    const Shape shape = call.shape("input", 4);
    Shape size = call.list("output_size", Shape{});
    const std::vector<double> factors = call.reals("scale_factors");
    if (size.empty() && factors.size() == 2) {
        for (std::size_t i = 0; i < 2; ++i) {
            const double extent = static_cast<double>(shape[i + 2]) * factors[i];
            const bool sane = extent >= 1.0 && extent < static_cast<double>(kMostElements);
            static_cast<void>(call.require(sane, "a factor makes no sense"));
            size.push_back(sane ? static_cast<std::int64_t>(extent) : 1);
        }
    }
    if (!call.require(size.size() == 2 && size[0] > 0 && size[1] > 0, "no pixels"))
        size = {1, 1};
    call.give(call.tensor("input").dtype, {shape[0], shape[1], size[0], size[1]});
}

void bicubicResize(CallReader& call)
{
    const bool vector = call.has("input");
    const Shape shape = call.shape(vector ? "input" : "self", 4);
    const Shape size = call.perDimension("output_size", 2, std::nullopt);
    static_cast<void>(
        call.require(size[0] > 0 && size[1] > 0 && shape[2] > 0 && shape[3] > 0, "no pixels"));
    const TensorType input = call.tensor(vector ? "input" : "self");
    call.give(input.dtype, {shape[0], shape[1], size[0], size[1]});
}

}  // namespace qs::core::rules
