#include "core/graph/operation.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

using enum OperationClass;

std::vector<Operation> makeCatalogue()
{
    const std::string_view none;
    return {
        {"qs::linear", "", Linear, none, false},
        {"aten::linear", "", Linear, none, false},
        {"aten::_int_mm", "", Matmul, none, false},
        {"aten::_scaled_mm", "", Matmul, none, false},
        {"aten::mm", "", Matmul, none, false},
        {"aten::scaled_dot_product_attention", "", Attention, none, false},
        {"aten::abs", "", Elementwise, none, false},
        {"aten::add", "Tensor", Elementwise, none, false},
        {"aten::add", "Scalar", Elementwise, none, false},
        {"aten::add_", "Tensor", Elementwise, "self", true},
        {"aten::bitwise_and", "Scalar", Elementwise, none, false},
        {"aten::bitwise_right_shift", "Tensor_Scalar", Elementwise, none, false},
        {"aten::clamp", "", Elementwise, none, false},
        {"aten::clamp_min", "", Elementwise, none, false},
        {"aten::copy_", "", Copy, "self", true},
        {"aten::cos", "", Elementwise, none, false},
        {"aten::div", "Tensor", Elementwise, none, false},
        {"aten::div", "Scalar", Elementwise, none, false},
        {"aten::layer_norm", "", Reduction, none, false},
        {"aten::mul", "Tensor", Elementwise, none, false},
        {"aten::mul", "Scalar", Elementwise, none, false},
        {"aten::pow", "Tensor_Scalar", Elementwise, none, false},
        {"aten::reciprocal", "", Elementwise, none, false},
        {"aten::round", "", Elementwise, none, false},
        {"aten::rsqrt", "", Elementwise, none, false},
        {"aten::silu", "", Elementwise, none, false},
        {"aten::sin", "", Elementwise, none, false},
        {"aten::sub", "Tensor", Elementwise, none, false},
        {"aten::where", "self", Elementwise, none, false},
        {"aten::eq", "Scalar", Elementwise, none, false},
        {"aten::zeros_like", "", Elementwise, none, false},
        {"aten::amax", "", Reduction, none, false},
        {"aten::amin", "", Reduction, none, false},
        {"aten::mean", "dim", Reduction, none, false},
        {"aten::cat", "", Copy, none, false},
        {"aten::constant_pad_nd", "", Copy, none, false},
        {"aten::contiguous", "", Copy, none, true},
        {"aten::stack", "", Copy, none, false},
        {"aten::to", "dtype", Copy, none, true},
        {"aten::chunk", "", View, none, true},
        {"aten::flatten", "using_ints", View, none, true},
        {"aten::reshape", "", View, none, true},
        {"aten::select", "int", View, none, true},
        {"aten::slice", "Tensor", View, none, true},
        {"aten::t", "", View, none, true},
        {"aten::transpose", "int", View, none, true},
        {"aten::unbind", "int", View, none, true},
        {"aten::unsqueeze", "", View, none, true},
        {"aten::view", "", View, none, true},
    };
}

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

const Operation* findOperation(std::string_view fullName)
{
    static const auto index = [] {
        std::map<std::string, const Operation*, std::less<>> byName;
        for (const Operation& operation : operationCatalogue())
            byName.emplace(operation.fullName(), &operation);
        return byName;
    }();
    const auto found = index.find(fullName);
    return found == index.end() ? nullptr : found->second;
}

}  // namespace qs::core
