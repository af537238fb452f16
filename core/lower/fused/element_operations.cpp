#include "core/lower/fused/element_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace qs::core {

namespace {

struct Operands {
    const Node& node;
    const std::vector<std::string>& values;
    bool whole;          // the result is of whole numbers or truth values
    bool wholeOperands;  // all of them are
    DType type;          // of the first one
    Division division;

    // The operand, or the number that stands in its place.
    [[nodiscard]] std::string at(std::size_t index, std::string_view argument) const
    {
        if (index < values.size())
            return values[index];
        return number(argument).value_or("");
    }
    [[nodiscard]] std::optional<std::string> number(std::string_view argument) const
    {
        const auto value = numberOf(node, argument);
        if (!value)
            return std::nullopt;
        return whole && wholeOperands ? fmt::format("{}", static_cast<std::int64_t>(*value))
                                      : literal(*value);
    }
};

using Writer = std::optional<std::string> (*)(const Operands&);

// f(x) of the whole row of one operand.
const std::map<std::string_view, std::string_view>& unaryForms()
{
    static const std::map<std::string_view, std::string_view> forms{
        {"aten::neg", "-{}"},
        {"aten::relu", "qs_relu({})"},
        {"aten::round", "rintf({})"},
        {"aten::silu", "qs_silu({})"},
        {"aten::sigmoid", "qs_sigmoid({})"},
        {"aten::exp", "expf({})"},
        {"aten::log", "logf({})"},
        {"aten::erf", "erff({})"},
        {"aten::tanh", "tanhf({})"},
        {"aten::cos", "cosf({})"},
        {"aten::sin", "sinf({})"},
        {"aten::sqrt", "sqrtf({})"},
        {"aten::rsqrt", "rsqrtf({})"},
        {"aten::reciprocal", "1.0f / {}"},
    };
    return forms;
}

bool scalesOperand(const Node& node)
{
    const Argument* alpha = node.find("alpha");
    if (alpha == nullptr || std::holds_alternative<std::monostate>(*alpha))
        return false;
    if (const auto* whole = std::get_if<std::int64_t>(alpha))
        return *whole != 1;
    return std::get<double>(*alpha) != 1.0;
}

template <char Sign>
std::optional<std::string> writeSum(const Operands& of)
{
    if (scalesOperand(of.node))
        return std::nullopt;
    return fmt::format("{} {} {}", of.at(0, "self"), Sign, of.at(1, "other"));
}

std::optional<std::string> writeProduct(const Operands& of)
{
    return fmt::format("{} * {}", of.at(0, "self"), of.at(1, "other"));
}

std::optional<std::string> writeQuotient(const Operands& of)
{
    const Argument* rounding = of.node.find("rounding_mode");
    if (of.whole || (rounding != nullptr && std::holds_alternative<std::string>(*rounding)))
        return std::nullopt;
    const auto divisor = of.values.size() < 2 ? numberOf(of.node, "other") : std::nullopt;
    if (divisor && of.division == Division::ByReciprocal)
        return fmt::format("{} * {}", of.values[0], literal(1.0F / static_cast<float>(*divisor)));
    return fmt::format("{} / {}", of.values[0], of.at(1, "other"));
}

std::optional<std::string> writePower(const Operands& of)
{
    const auto exponent = numberOf(of.node, "exponent");
    if (of.whole || !exponent)
        return std::nullopt;
    if (*exponent == 2.0)
        return fmt::format("{0} * {0}", of.values[0]);
    if (*exponent == 0.5)
        return fmt::format("sqrtf({})", of.values[0]);
    return std::nullopt;
}

std::optional<std::string> writeClamp(const Operands& of)
{
    if (of.values.size() != 1)
        return std::nullopt;
    std::string text = of.values[0];
    if (const auto low = of.number("min"))
        text = fmt::format("qs_at_least({}, {})", text, *low);
    if (const auto high = of.number("max"))
        text = fmt::format("qs_at_most({}, {})", text, *high);
    return text;
}

std::optional<std::string> writeGelu(const Operands& of)
{
    const Argument* given = of.node.find("approximate");
    const auto* form = given != nullptr ? std::get_if<std::string>(given) : nullptr;
    const bool isNarrow = of.type == DType::BFloat16 || of.type == DType::Float16;
    return fmt::format("qs_gelu{}{}({})", form != nullptr && *form == "tanh" ? "_tanh" : "",
                       isNarrow ? "_near" : "", of.values[0]);
}

std::optional<std::string> writeWhere(const Operands& of)
{
    if (of.values.size() != 3)
        return std::nullopt;
    return fmt::format("{} ? {} : {}", of.values[0], of.values[1], of.values[2]);
}

// PyTorch compares with a number of the type of the tensor.
std::optional<std::string> writeBinary(const Operands& of, std::string_view sign)
{
    const bool isNumber = of.values.size() == 1;
    const std::string other = of.at(1, "other");
    if (isNumber && (of.type == DType::BFloat16 || of.type == DType::Float16))
        return fmt::format("{} {} {}", of.values[0], sign, rounded(other, false, of.type));
    return fmt::format("{} {} {}", of.values[0], sign, other);
}

std::optional<std::string> writeNot(const Operands& of)
{
    return fmt::format("!{}", of.values[0]);
}

std::optional<std::string> writeAbsolute(const Operands& of)
{
    return fmt::format("{}({})", of.whole ? "qs_abs" : "fabsf", of.values[0]);
}

std::optional<std::string> writeSame(const Operands& of)
{
    return of.values[0];
}

std::optional<std::string> writeZero(const Operands&)
{
    return "0";
}

std::optional<std::string> writeFilled(const Operands& of)
{
    const Argument* filled = of.node.find("fill_value");
    if (filled == nullptr)
        return std::nullopt;
    if (const auto* number = std::get_if<double>(filled))
        return of.whole ? std::nullopt : std::optional(literal(*number));
    const auto* whole = std::get_if<std::int64_t>(filled);
    return whole != nullptr ? std::optional(fmt::format("{}", *whole)) : std::nullopt;
}

const std::map<std::string_view, Writer>& writers()
{
    static const std::map<std::string_view, Writer> all{
        {"aten::abs", writeAbsolute},    {"aten::add", writeSum<'+'>},
        {"aten::sub", writeSum<'-'>},    {"aten::mul", writeProduct},
        {"aten::div", writeQuotient},    {"aten::pow", writePower},
        {"aten::clamp", writeClamp},     {"aten::clamp_min", writeClamp},
        {"aten::clamp_max", writeClamp}, {"aten::gelu", writeGelu},
        {"aten::where", writeWhere},     {"aten::to", writeSame},
        {"aten::logical_not", writeNot}, {"aten::_to_copy", writeSame},
        {"aten::zeros_like", writeZero}, {"aten::full_like", writeFilled},
    };
    return all;
}

// Operations with two operands whose result is one expression.
const std::map<std::string_view, std::string_view>& signs()
{
    static const std::map<std::string_view, std::string_view> all{
        {"aten::eq", "=="},         {"aten::ne", "!="},        {"aten::lt", "<"},
        {"aten::le", "<="},         {"aten::gt", ">"},         {"aten::ge", ">="},
        {"aten::bitwise_and", "&"}, {"aten::bitwise_or", "|"}, {"aten::bitwise_right_shift", ">>"},
    };
    return all;
}

bool isWhole(DType type)
{
    return !isFloating(type);
}

// clamp may take its limits as tensors, and a power its exponent.
bool hasTensorLimits(const Node& node)
{
    return node.operation->name != "aten::where" && node.operation->overload == "Tensor_Tensor";
}

}  // namespace

std::optional<double> numberOf(const Node& node, std::string_view argument)
{
    const Argument* given = node.find(argument);
    if (given == nullptr)
        return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(given))
        return static_cast<double>(*whole);
    const auto* number = std::get_if<double>(given);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

bool isCast(const Node& node)
{
    return node.operation->name == "aten::to" || node.operation->name == "aten::_to_copy";
}

std::string_view heldType(DType type)
{
    if (isFloating(type))
        return "float";
    return type == DType::Int64 ? "long long" : "int";
}

bool isCode(DType type)
{
    return type == DType::Int8 || type == DType::UInt8 || type == DType::Float8E4M3;
}

bool isHeld(DType type)
{
    return type != DType::Float64;
}

std::string rounded(const std::string& expression, bool whole, DType type)
{
    switch (type) {
    case DType::Float32:
        return whole ? "(float)(" + expression + ")" : expression;
    case DType::Float16:
        return "qs_f16(" + expression + ")";
    case DType::BFloat16:
        return "qs_bf16(" + expression + ")";
    case DType::Float8E4M3:
        return "qs_e4m3(" + expression + ")";
    case DType::Int8:
        return "(int)(signed char)(int)(" + expression + ")";
    case DType::UInt8:
        return "(int)(unsigned char)(int)(" + expression + ")";
    case DType::Int32:
        return "(int)(" + expression + ")";
    case DType::Int64:
        return "(long long)(" + expression + ")";
    case DType::Bool:
        return "(int)((" + expression + ") != 0)";
    case DType::Float64:
        break;
    }
    return {};
}

std::optional<std::string> beforeRounding(const std::string& text, DType type)
{
    const std::string call = rounded("", false, type);
    if (call.empty() || !text.starts_with(call.substr(0, call.size() - 1)) || !text.ends_with(')'))
        return std::nullopt;
    // The call is the whole of the text.
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0 && text[i] == ')')
            return std::nullopt;
    }
    return text.substr(call.size() - 1, text.size() - call.size());
}

std::string literal(double number)
{
    const auto value = static_cast<float>(number);
    if (std::isnan(value))
        return "qs_nan()";
    if (std::isinf(value))
        return value > 0 ? "qs_infinity()" : "-qs_infinity()";
    return fmt::format("{}{:a}f{}", value < 0 ? "(" : "", value, value < 0 ? ")" : "");
}

std::optional<std::string> elementExpression(const Graph& graph, const Node& node,
                                             const std::vector<std::string>& operands,
                                             Division division)
{
    if (operands.empty() || node.outputs.size() != 1 || hasTensorLimits(node))
        return std::nullopt;
    const bool whole = isWhole(graph.value(node.outputs.front()).type.dtype);
    const std::string_view name = node.operation->name;
    if (const auto form = unaryForms().find(name); form != unaryForms().end()) {
        if (whole || node.find("decimals") != nullptr)
            return std::nullopt;
        return fmt::format(fmt::runtime(form->second), operands[0]);
    }
    const auto inputs = node.inputs();
    const bool wholeOperands = std::all_of(inputs.begin(), inputs.end(), [&](ValueId id) {
        return isWhole(graph.value(id).type.dtype);
    });
    const DType type = inputs.empty() ? DType::Float32 : graph.value(inputs.front()).type.dtype;
    const Operands all{node, operands, whole, wholeOperands, type, division};
    if (const auto sign = signs().find(name); sign != signs().end())
        return writeBinary(all, sign->second);
    const auto writer = writers().find(name);
    return writer != writers().end() ? writer->second(all) : std::nullopt;
}

bool isElementwise(const Graph& graph, const Node& node)
{
    const auto inputs = node.inputs();
    const std::vector<std::string> names(inputs.size(), "x");
    const auto held = [&](ValueId id) { return isHeld(graph.value(id).type.dtype); };
    return std::all_of(inputs.begin(), inputs.end(), held) &&
           std::all_of(node.outputs.begin(), node.outputs.end(), held) &&
           elementExpression(graph, node, names, Division::Exact).has_value();
}

}  // namespace qs::core
