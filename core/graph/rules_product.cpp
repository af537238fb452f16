#include "core/graph/type_rules.h"

#include <limits>

namespace qs::core::rules {

namespace {

// Products are of one type; what they are multiplied into is of the same.
void requireOneType(CallReader& call, const TensorType& a, const TensorType& b)
{
    static_cast<void>(call.require(a.dtype == b.dtype, "factors are of different types"));
}

void requireVector(CallReader& call, std::string_view name, std::int64_t length)
{
    if (const auto vector = call.tensorIfAny(name))
        static_cast<void>(
            call.require(vector->shape == Shape{length}, std::string(name) + " is no vector of " +
                                                             std::to_string(length) + " values"));
}

// [M, K] x [K, N]
Shape productShape(CallReader& call, const Shape& a, const Shape& b)
{
    static_cast<void>(call.require(a[1] == b[0], "inner sizes differ"));
    return {a[0], b[1]};
}

std::int64_t convolved(CallReader& call, std::int64_t extent, std::int64_t kernel,
                       std::int64_t stride, std::int64_t padding, std::int64_t dilation)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const bool sane = kernel > 0 && stride > 0 && dilation > 0 && padding >= 0 && kernel < kMost &&
                      dilation < kMost && padding < kMost;
    if (!call.require(sane, "a kernel, stride, padding or dilation makes no sense"))
        return 1;
    const std::int64_t room = extent + 2 * padding - dilation * (kernel - 1) - 1;
    static_cast<void>(call.require(room >= 0, "the kernel is larger than the padded image"));
    return room < 0 ? 1 : room / stride + 1;
}

// [N, C, H, W] and [out, C / groups, kh, kw] -> [N, out, H', W']
Shape convolvedShape(CallReader& call, const Shape& input, const Shape& weight)
{
    const std::int64_t groups = call.whole("groups", 1);
    const bool divides = groups > 0 && input[1] % groups == 0 && weight[0] % groups == 0 &&
                         input[1] / groups == weight[1];
    static_cast<void>(call.require(divides, "channels and groups do not fit the weight"));
    const Shape stride = call.perDimension("stride", 2, Shape{1});
    const Shape padding = call.perDimension("padding", 2, Shape{0});
    const Shape dilation = call.perDimension("dilation", 2, Shape{1});
    Shape result{input[0], weight[0]};
    for (std::size_t i = 0; i < 2; ++i)
        result.push_back(
            convolved(call, input[i + 2], weight[i + 2], stride[i], padding[i], dilation[i]));
    return result;
}

}  // namespace

void linear(CallReader& call)
{
    TensorType result = call.tensor("input", 1);
    const Shape weight = call.shape("weight", 2);
    requireOneType(call, result, call.tensor("weight"));
    static_cast<void>(
        call.require(result.shape.back() == weight[1], "the input is not as wide as the weight"));
    requireVector(call, "bias", weight[0]);
    result.shape.back() = weight[0];
    call.give(result);
}

void convolution2d(CallReader& call)
{
    const Shape input = call.shape("input", 4);
    const Shape weight = call.shape("weight", 4);
    const TensorType type = call.tensor("input");
    requireOneType(call, type, call.tensor("weight"));
    static_cast<void>(
        call.require(!call.flag("transposed", false), "transposed convolutions are not known"));
    requireVector(call, "bias", weight[0]);
    call.give(type.dtype, convolvedShape(call, input, weight));
}

// Codes 0 … 255 with a zero point, and a weight that kInt8Layout laid out.
void int8Convolution(CallReader& call)
{
    const Shape input = call.shape("qx", 4);
    const Shape weight = call.shape("qw", 4);
    const bool codes =
        call.tensor("qx").dtype == DType::UInt8 && call.tensor("qw").dtype == DType::Int8;
    static_cast<void>(call.require(codes, "codes are not of the types uint8 and int8"));
    requireVector(call, "bias", weight[0]);
    call.give(call.dtype("output_dtype", DType::UInt8), convolvedShape(call, input, weight));
}

void int8Layout(CallReader& call)
{
    const TensorType weight = call.tensor("weight", 4);
    static_cast<void>(call.require(weight.shape.size() == 4 && weight.dtype == DType::Int8,
                                   "the weight is none of a convolution of int8"));
    call.give(weight);
}

// weight [in, out / groups, kh, kw]
void transposedConvolution2d(CallReader& call)
{
    const Shape input = call.shape("input", 4);
    const Shape weight = call.shape("weight", 4);
    const TensorType type = call.tensor("input");
    requireOneType(call, type, call.tensor("weight"));
    const std::int64_t groups = call.whole("groups", 1);
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!call.require(groups > 0 && groups < kMost && weight[1] < kMost && input[1] == weight[0] &&
                          weight[0] % groups == 0,
                      "channels and groups do not fit the weight")) {
        call.give(type);
        return;
    }
    requireVector(call, "bias", weight[1] * groups);
    const Shape stride = call.perDimension("stride", 2, Shape{1});
    const Shape padding = call.perDimension("padding", 2, Shape{0});
    const Shape extra = call.perDimension("output_padding", 2, Shape{0});
    const Shape dilation = call.perDimension("dilation", 2, Shape{1});
    Shape result{input[0], weight[1] * groups};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto isSane = [&](std::int64_t each, std::int64_t least) {
            return each >= least && each < kMost;
        };
        const bool sane = isSane(stride[i], 1) && isSane(padding[i], 0) && isSane(extra[i], 0) &&
                          isSane(dilation[i], 1) && isSane(weight[i + 2], 1) &&
                          isSane(input[i + 2], 1);
        const std::int64_t extent = sane ? (input[i + 2] - 1) * stride[i] - 2 * padding[i] +
                                               dilation[i] * (weight[i + 2] - 1) + extra[i] + 1
                                         : 1;
        static_cast<void>(call.require(sane && extent > 0,
                                       "a kernel, stride, padding or dilation makes no sense"));
        result.push_back(extent > 0 ? extent : 1);
    }
    call.give(type.dtype, result);
}

void matmul(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const TensorType other = call.tensor("other", 1);
    requireOneType(call, self, other);
    // A vector is a row on the left and a column on the right.
    Shape a = self.shape;
    Shape b = other.shape;
    if (a.size() == 1)
        a.insert(a.begin(), 1);
    if (b.size() == 1)
        b.push_back(1);
    const Shape product =
        productShape(call, {a[a.size() - 2], a.back()}, {b[b.size() - 2], b.back()});
    Shape result = call.broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    if (self.shape.size() > 1)
        result.push_back(product[0]);
    if (other.shape.size() > 1)
        result.push_back(product[1]);
    call.give(self.dtype, result);
}

void matrixProduct(CallReader& call)
{
    const TensorType self = call.tensor("self");
    requireOneType(call, self, call.tensor("mat2"));
    call.give(self.dtype, productShape(call, call.shape("self", 2), call.shape("mat2", 2)));
}

void addedProduct(CallReader& call)
{
    const TensorType factor = call.tensor("mat1");
    requireOneType(call, factor, call.tensor("mat2"));
    const Shape result = productShape(call, call.shape("mat1", 2), call.shape("mat2", 2));
    static_cast<void>(call.require(call.broadcast(call.tensor("self").shape, result) == result,
                                   "what is added does not fit the product"));
    call.give(factor.dtype, result);
}

void batchedProduct(CallReader& call)
{
    const TensorType self = call.tensor("self");
    requireOneType(call, self, call.tensor("mat2"));
    const Shape a = call.shape("self", 3);
    const Shape b = call.shape("mat2", 3);
    static_cast<void>(call.require(a[0] == b[0], "batches differ"));
    const Shape product = productShape(call, {a[1], a[2]}, {b[1], b[2]});
    call.give(self.dtype, {a[0], product[0], product[1]});
}

void integerProduct(CallReader& call)
{
    const bool bytes =
        call.tensor("self").dtype == DType::Int8 && call.tensor("mat2").dtype == DType::Int8;
    static_cast<void>(call.require(bytes, "factors are not int8"));
    call.give(DType::Int32, productShape(call, call.shape("self", 2), call.shape("mat2", 2)));
}

void scaledProduct(CallReader& call)
{
    const Shape result = productShape(call, call.shape("self", 2), call.shape("mat2", 2));
    const TensorType self = call.tensor("self");
    requireOneType(call, self, call.tensor("mat2"));
    static_cast<void>(call.tensor("scale_a"));
    static_cast<void>(call.tensor("scale_b"));
    requireVector(call, "bias", result[1]);
    call.give(call.dtype("out_dtype", self.dtype), result);
}

void attention(CallReader& call)
{
    const TensorType query = call.tensor("query", 3);
    const TensorType key = call.tensor("key", 3);
    const TensorType value = call.tensor("value", 3);
    const std::size_t rank = query.shape.size();
    if (!call.require(key.shape.size() == rank && value.shape.size() == rank,
                      "query, key and value differ in dimensions")) {
        call.give(query);
        return;
    }
    requireOneType(call, query, key);
    requireOneType(call, query, value);
    static_cast<void>(call.require(query.shape[rank - 1] == key.shape[rank - 1] &&
                                       key.shape[rank - 2] == value.shape[rank - 2],
                                   "query, key and value do not fit each other"));
    const std::int64_t heads = query.shape[rank - 3];
    const std::int64_t keyHeads = key.shape[rank - 3];
    const bool grouped = call.flag("enable_gqa", false);
    const bool fits =
        keyHeads == value.shape[rank - 3] &&
        (heads == keyHeads || keyHeads == 1 || (grouped && keyHeads > 0 && heads % keyHeads == 0));
    static_cast<void>(call.require(fits, "heads do not fit each other"));
    const Shape batch = call.broadcast({query.shape.begin(), query.shape.end() - 3},
                                       {key.shape.begin(), key.shape.end() - 3});
    Shape scores{batch};
    scores.insert(scores.end(), {heads, query.shape[rank - 2], key.shape[rank - 2]});
    if (const auto mask = call.tensorIfAny("attn_mask")) {
        static_cast<void>(call.require(!call.flag("is_causal", false),
                                       "a mask and a causal attention exclude each other"));
        static_cast<void>(call.require(call.broadcast(mask->shape, scores) == scores,
                                       "the mask does not fit the scores"));
        static_cast<void>(call.require(mask->dtype == DType::Bool || mask->dtype == query.dtype,
                                       "the mask is of another type"));
    }
    Shape result{batch};
    result.insert(result.end(), query.shape.end() - 3, query.shape.end());
    result.back() = value.shape.back();
    call.give(query.dtype, result);
}

}  // namespace qs::core::rules
