#include "core/graph/operation.h"

#include "core/graph/type_rules.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace qs::core {

namespace {

using Rows = std::vector<Operation>;

constexpr std::string_view kNone;
constexpr std::string_view kSelf = "self";

Rows products()
{
    using enum OperationClass;
    return {
        {"qs::linear", "", Linear, kNone, kNone, rules::linear},
        {"qs::conv2d", "", Convolution, kNone, kNone, rules::convolution2d},
        {"qs::region", "", Copy, kNone, kNone, rules::region},
        {"aten::linear", "", Linear, kNone, kNone, rules::linear},
        {"aten::conv2d", "", Convolution, kNone, kNone, rules::convolution2d},
        {"aten::convolution", "", Convolution, kNone, kNone, rules::convolution2d},
        {"aten::conv_transpose2d", "input", Convolution, kNone, kNone,
         rules::transposedConvolution2d},
        {kInt8Convolution, "tensor", Convolution, kNone, kNone, rules::int8Convolution},
        {kInt8Layout, "", Copy, kNone, kNone, rules::int8Layout},
        {"aten::_int_mm", "", Matmul, kNone, kNone, rules::integerProduct},
        {"aten::_scaled_mm", "", Matmul, kNone, kNone, rules::scaledProduct},
        {"aten::mm", "", Matmul, kNone, kNone, rules::matrixProduct},
        {"aten::addmm", "", Matmul, kNone, kNone, rules::addedProduct},
        {"aten::bmm", "", Matmul, kNone, kNone, rules::batchedProduct},
        {"aten::matmul", "", Matmul, kNone, kNone, rules::matmul},
        {"aten::scaled_dot_product_attention", "", Attention, kNone, kNone, rules::attention},
    };
}

Rows unaryOperations()
{
    using enum OperationClass;
    Rows rows;
    for (const std::string_view name :
         {"aten::abs", "aten::bitwise_not", "aten::ceil", "aten::elu", "aten::floor", "aten::gelu",
          "aten::hardsigmoid", "aten::hardswish", "aten::hardtanh", "aten::leaky_relu",
          "aten::mish", "aten::neg", "aten::relu", "aten::relu6", "aten::round", "aten::sign",
          "aten::silu", "aten::softplus"})
        rows.push_back({name, "", Elementwise, kNone, kNone, rules::sameAsSelf});
    for (const std::string_view name :
         {"aten::cos", "aten::erf", "aten::exp", "aten::log", "aten::reciprocal", "aten::rsqrt",
          "aten::sigmoid", "aten::sin", "aten::sqrt", "aten::tanh"})
        rows.push_back({name, "", Elementwise, kNone, kNone, rules::floatingUnary});
    for (const std::string_view name :
         {"aten::clamp_", "aten::hardswish_", "aten::hardtanh_", "aten::leaky_relu_",
          "aten::relu6_", "aten::relu_", "aten::sigmoid_", "aten::silu_", "aten::tanh_",
          "aten::zero_"})
        rows.push_back({name, "", Elementwise, kSelf, kSelf, rules::inPlace});
    for (const std::string_view name : {"aten::tril", "aten::triu"})
        rows.push_back({name, "", Copy, kNone, kNone, rules::sameAsSelf});
    rows.push_back({"aten::logical_not", "", Elementwise, kNone, kNone, rules::toBool});
    return rows;
}

Rows binaryOperations()
{
    using enum OperationClass;
    Rows rows;
    for (const std::string_view name : {"aten::add", "aten::mul", "aten::sub"}) {
        rows.push_back({name, "Tensor", Elementwise, kNone, kNone, rules::withTensor});
        rows.push_back({name, "Scalar", Elementwise, kNone, kNone, rules::withNumber});
    }
    for (const std::string_view name : {"aten::add_", "aten::mul_", "aten::sub_", "aten::div_"}) {
        rows.push_back({name, "Tensor", Elementwise, kSelf, kSelf, rules::inPlace});
        rows.push_back({name, "Scalar", Elementwise, kSelf, kSelf, rules::inPlaceWithNumber});
    }
    for (const std::string_view name : {"aten::maximum", "aten::minimum"})
        rows.push_back({name, "", Elementwise, kNone, kNone, rules::withTensor});
    for (const std::string_view name :
         {"aten::eq", "aten::ne", "aten::lt", "aten::le", "aten::gt", "aten::ge"}) {
        rows.push_back({name, "Tensor", Elementwise, kNone, kNone, rules::comparison});
        rows.push_back({name, "Scalar", Elementwise, kNone, kNone, rules::toBool});
    }
    for (const std::string_view name : {"aten::logical_and", "aten::logical_or"})
        rows.push_back({name, "", Elementwise, kNone, kNone, rules::comparison});
    const Rows others{
        {"aten::bitwise_and", "Scalar", Elementwise, kNone, kNone, rules::integersWithNumber},
        {"aten::bitwise_and", "Tensor", Elementwise, kNone, kNone, rules::withTensor},
        {"aten::bitwise_or", "Tensor", Elementwise, kNone, kNone, rules::withTensor},
        {"aten::bitwise_right_shift", "Tensor_Scalar", Elementwise, kNone, kNone,
         rules::integersWithNumber},
        {"aten::clamp", "", Elementwise, kNone, kNone, rules::clamp},
        {"aten::clamp_max", "", Elementwise, kNone, kNone, rules::clamp},
        {"aten::clamp_min", "", Elementwise, kNone, kNone, rules::clamp},
        {"aten::div", "Tensor", Elementwise, kNone, kNone, rules::quotient},
        {"aten::div", "Scalar", Elementwise, kNone, kNone, rules::quotientByNumber},
        {"aten::floor_divide", "", Elementwise, kNone, kNone, rules::withTensor},
        {"aten::masked_fill", "Scalar", Elementwise, kNone, kNone, rules::maskedFill},
        {"aten::masked_fill_", "Scalar", Elementwise, kSelf, kSelf, rules::inPlace},
        {"aten::pow", "Tensor_Scalar", Elementwise, kNone, kNone, rules::power},
        {"aten::pow", "Tensor_Tensor", Elementwise, kNone, kNone, rules::powerOfTensor},
        {"aten::remainder", "Scalar", Elementwise, kNone, kNone, rules::withNumber},
        {"aten::rsub", "Scalar", Elementwise, kNone, kNone, rules::withNumber},
        {"aten::where", "self", Elementwise, kNone, kNone, rules::where},
    };
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

Rows reductions()
{
    using enum OperationClass;
    return {
        {"aten::_native_batch_norm_legit_no_training", "", Reduction, kNone, kNone,
         rules::batchNormWithStatistics},
        {"aten::_softmax", "", Reduction, kNone, kNone, rules::softmax},
        {"aten::_upsample_bicubic2d_aa", "", Reduction, kNone, kNone, rules::bicubicResize},
        {"aten::_upsample_bicubic2d_aa", "vec", Reduction, kNone, kNone, rules::bicubicResize},
        {"aten::adaptive_avg_pool2d", "", Reduction, kNone, kNone, rules::adaptiveAveragePool2d},
        {"aten::all", "dim", Reduction, kNone, kNone, rules::anyOf},
        {"aten::amax", "", Reduction, kNone, kNone, rules::extremum},
        {"aten::amin", "", Reduction, kNone, kNone, rules::extremum},
        {"aten::any", "dim", Reduction, kNone, kNone, rules::anyOf},
        {"aten::argmax", "", Reduction, kNone, kNone, rules::argmax},
        {"aten::avg_pool2d", "", Reduction, kNone, kNone, rules::averagePool2d},
        {"aten::batch_norm", "", Elementwise, kNone, kNone, rules::batchNorm},
        {"aten::cumsum", "", Reduction, kNone, kNone, rules::cumulative},
        {"aten::group_norm", "", Reduction, kNone, kNone, rules::groupNorm},
        {"aten::layer_norm", "", Reduction, kNone, kNone, rules::layerNorm},
        {"aten::linalg_vector_norm", "", Reduction, kNone, kNone, rules::vectorNorm},
        {"aten::log_softmax", "int", Reduction, kNone, kNone, rules::softmax},
        {"aten::max", "dim", Reduction, kNone, kNone, rules::extremumWithPlace},
        {"aten::max_pool2d", "", Reduction, kNone, kNone, rules::maxPool2d},
        {"aten::mean", "dim", Reduction, kNone, kNone, rules::mean},
        {"aten::min", "dim", Reduction, kNone, kNone, rules::extremumWithPlace},
        {"aten::rms_norm", "", Reduction, kNone, kNone, rules::rmsNorm},
        {"aten::softmax", "int", Reduction, kNone, kNone, rules::softmax},
        {"aten::sum", "dim_IntList", Reduction, kNone, kNone, rules::sum},
        {"aten::topk", "", Reduction, kNone, kNone, rules::largest},
        {"aten::upsample_bilinear2d", "vec", Reduction, kNone, kNone, rules::resizeByFactor},
        {"aten::upsample_nearest2d", "vec", Reduction, kNone, kNone, rules::resizeByFactor},
        {"aten::var", "correction", Reduction, kNone, kNone, rules::variance},
    };
}

Rows views()
{
    using enum OperationClass;
    return {
        {"aten::chunk", "", View, kNone, kSelf, rules::chunk, true},
        {"aten::detach", "", View, kNone, kSelf, rules::sameAsSelf},
        {"aten::expand", "", View, kNone, kSelf, rules::expand},
        {"aten::flatten", "using_ints", View, kNone, kSelf, rules::flatten},
        {"aten::permute", "", View, kNone, kSelf, rules::permute},
        {"aten::reshape", "", View, kNone, kSelf, rules::reshape},
        {"aten::select", "int", View, kNone, kSelf, rules::select},
        {"aten::slice", "Tensor", View, kNone, kSelf, rules::slice},
        {"aten::split", "Tensor", View, kNone, kSelf, rules::split, true},
        {"aten::split_with_sizes", "", View, kNone, kSelf, rules::splitWithSizes, true},
        {"aten::squeeze", "dim", View, kNone, kSelf, rules::squeeze},
        {"aten::squeeze", "dims", View, kNone, kSelf, rules::squeeze},
        {"aten::t", "", View, kNone, kSelf, rules::matrixTranspose},
        {"aten::transpose", "int", View, kNone, kSelf, rules::transpose},
        {"aten::unbind", "int", View, kNone, kSelf, rules::unbind, true},
        {"aten::unsqueeze", "", View, kNone, kSelf, rules::unsqueeze},
        {"aten::view", "", View, kNone, kSelf, rules::view},
    };
}

Rows copies()
{
    using enum OperationClass;
    return {
        {"aten::_to_copy", "", Copy, kNone, kNone, rules::cast},
        {"aten::arange", "", Copy, kNone, kNone, rules::arange},
        {"aten::arange", "start", Copy, kNone, kNone, rules::arange},
        {"aten::arange", "start_step", Copy, kNone, kNone, rules::arange},
        {"aten::cat", "", Copy, kNone, kNone, rules::concatenate},
        {"aten::clone", "", Copy, kNone, kNone, rules::sameAsSelf},
        {"aten::constant_pad_nd", "", Copy, kNone, kNone, rules::padConstant},
        {"aten::contiguous", "", Copy, kNone, kSelf, rules::sameAsSelf},
        {"aten::copy_", "", Copy, kSelf, kSelf, rules::inPlace},
        {"aten::fill_", "Scalar", Copy, kSelf, kSelf, rules::inPlace},
        {"aten::flip", "", Copy, kNone, kNone, rules::flip},
        {"aten::full", "", Copy, kNone, kNone, rules::filled},
        {"aten::full_like", "", Copy, kNone, kNone, rules::sameAsSelf},
        {"aten::ones", "", Copy, kNone, kNone, rules::filled},
        {"aten::ones_like", "", Copy, kNone, kNone, rules::sameAsSelf},
        {"aten::pixel_shuffle", "", Copy, kNone, kNone, rules::pixelShuffle},
        {"aten::repeat", "", Copy, kNone, kNone, rules::repeat},
        {"aten::roll", "", Copy, kNone, kNone, rules::flip},
        {"aten::stack", "", Copy, kNone, kNone, rules::stack},
        {"aten::to", "dtype", Copy, kNone, kSelf, rules::cast},
        {"aten::zeros", "", Copy, kNone, kNone, rules::filled},
        {"aten::zeros_like", "", Elementwise, kNone, kNone, rules::sameAsSelf},
    };
}

Rows indexRows()
{
    using enum OperationClass;
    return {
        {"aten::embedding", "", Gather, kNone, kNone, rules::embedding},
        {"aten::gather", "", Gather, kNone, kNone, rules::gather},
        {"aten::index", "Tensor", Gather, kNone, kNone, rules::index},
        {"aten::index_copy", "", Copy, kNone, kNone, rules::indexCopy},
        {"aten::index_copy_", "", Scatter, kSelf, kSelf, rules::indexCopy},
        {"aten::index_put", "", Copy, kNone, kNone, rules::indexPut},
        {"aten::index_put_", "", Scatter, kSelf, kSelf, rules::indexPut},
        {"aten::index_select", "", Gather, kNone, kNone, rules::indexSelect},
    };
}

std::vector<Operation> makeCatalogue()
{
    std::vector<Operation> all;
    for (const Rows& rows : {products(), unaryOperations(), binaryOperations(), reductions(),
                             views(), copies(), indexRows()})
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

// So that a part of a text is looked for as it is.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const
    {
        return std::hash<std::string_view>()(text);
    }
};

}  // namespace

std::string Operation::fullName() const
{
    return overload.empty() ? std::string(name) : std::string(name) + "." + std::string(overload);
}

const std::vector<Operation>& operationCatalogue()
{
    static const std::vector<Operation> catalogue = makeCatalogue();
    return catalogue;
}

bool isInCatalogue(const Operation* operation)
{
    const std::vector<Operation>& all = operationCatalogue();
    return !std::less<>()(operation, all.data()) &&
           std::less<>()(operation, all.data() + all.size());
}

const Operation* findOperation(std::string_view fullName)
{
    static const auto index = [] {
        std::unordered_map<std::string, const Operation*, TextHash, std::equal_to<>> byName;
        for (const Operation& operation : operationCatalogue())
            byName.emplace(operation.fullName(), &operation);
        return byName;
    }();
    const auto found = index.find(fullName);
    return found == index.end() ? nullptr : found->second;
}

bool multiplies(const Operation& operation)
{
    using enum OperationClass;
    switch (operation.operationClass) {
    case Linear:
    case Convolution:
    case Matmul:
    case Attention:
        return true;
    case Elementwise:
    case Reduction:
    case View:
    case Copy:
    case Gather:
    case Scatter:
        return false;
    }
    return false;
}

bool sumsIntegers(const Operation& operation)
{
    return operation.name == "aten::_int_mm" || operation.name == kInt8Convolution;
}

}  // namespace qs::core
