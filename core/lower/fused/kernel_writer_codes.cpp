#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/kernel_writer.h"

#include <fmt/format.h>

#include <cmath>

// What a kernel computes of codes: numbers divided by their scale, and limited to what a byte
// holds.
namespace qs::core {

namespace {

struct Limited {
    ValueId numbers = -1;
    double low = 0.0;
    double high = 0.0;
};

const Node* producerOf(const Graph& graph, const GraphUses& uses, ValueId id)
{
    const auto producer = uses.producer(id);
    return producer ? &graph.nodes[*producer] : nullptr;
}

// The numbers that an operation turns into those of another type, where they are limited by two
// numbers and do not change their type before.
std::optional<Limited> limitedBefore(const Graph& graph, const GraphUses& uses, const Node& cast)
{
    if (!isCast(cast))
        return std::nullopt;
    const Node* clamp = producerOf(graph, uses, cast.tensor("self"));
    if (clamp == nullptr || clamp->operation->name != "aten::clamp")
        return std::nullopt;
    const auto low = numberOf(*clamp, "min");
    const auto high = numberOf(*clamp, "max");
    const ValueId numbers = clamp->tensor("self");
    if (!low || !high || !isFloating(graph.value(numbers).type.dtype))
        return std::nullopt;
    return Limited{numbers, *low, *high};
}

// Whether whole numbers between the limits are those of the type.
bool holds(DType type, const Limited& limited)
{
    const bool isSigned = type == DType::Int8;
    const bool isByte = isSigned || type == DType::UInt8;
    const bool isWhole =
        std::rint(limited.low) == limited.low && std::rint(limited.high) == limited.high;
    return isByte && isWhole && limited.low >= (isSigned ? -128.0 : 0.0) &&
           limited.high <= (isSigned ? 127.0 : 255.0) && limited.low <= limited.high;
}

// A sum with what is 1 where x is 0, and 0 elsewhere, is x or 1.
bool replacesZeros(const Graph& graph, const GraphUses& uses, const Node& sum)
{
    const Node* cast = sum.operation->name == "aten::add" && sum.tensor("other") >= 0
                           ? producerOf(graph, uses, sum.tensor("other"))
                           : nullptr;
    const Node* isZero =
        cast != nullptr && isCast(*cast) ? producerOf(graph, uses, cast->tensor("self")) : nullptr;
    return isZero != nullptr && isZero->operation->name == "aten::eq" &&
           isZero->tensor("self") == sum.tensor("self") && numberOf(*isZero, "other") == 0.0 &&
           numberOf(sum, "alpha").value_or(1.0) == 1.0;
}

// Whether a value is of 16 bits, or 16 bits would hold it.
bool isOf16Bits(const Graph& graph, const GraphUses& uses, ValueId id)
{
    const DType type = graph.value(id).type.dtype;
    if (type == DType::BFloat16 || type == DType::Float16)
        return true;
    const Node* node = producerOf(graph, uses, id);
    if (type != DType::Float32 || node == nullptr)
        return false;
    const bool keepsNumbers = isCast(*node) || node->operation->name == "aten::reshape" ||
                              replacesZeros(graph, uses, *node);
    return keepsNumbers && isFloating(graph.value(node->tensor("self")).type.dtype) &&
           isOf16Bits(graph, uses, node->tensor("self"));
}

}  // namespace

// A quotient whose divisor is the same all along the row: what it is divided with is found once.
std::optional<std::string> KernelWriter::ofRowDivisor(const Node& node,
                                                      const std::vector<std::string>& operands,
                                                      const Coordinates& at, Loop* loop)
{
    const ValueId divisor = node.tensor("other");
    if (node.operation->name != "aten::div" || divisor < 0 || loop == nullptr)
        return std::nullopt;
    const TensorType& type = m_group.value(divisor).type;
    if (!isFloating(type.dtype) || withinRow(broadcast(at, type.shape)))
        return std::nullopt;
    const auto ofRow = [&](const char* what, const std::string& expression) {
        const std::string key = fmt::format("{} of {}", what, operands[1]);
        const auto found = m_rowNames.find(key);
        return found != m_rowNames.end() ? found->second
                                         : named(key, DType::Float32, expression, nullptr);
    };
    const std::string factor = ofRow("factor", fmt::format("qs_divisor_factor({})", operands[1]));
    const std::string scaled = ofRow("scaled", fmt::format("{} * {}", operands[1], factor));
    const std::string near = ofRow("divisor", fmt::format("qs_divisor({})", scaled));
    const std::string reciprocal = ofRow("reciprocal", "1.0f / " + scaled);
    const bool isNarrow =
        isOf16Bits(m_group, m_uses, node.tensor("self")) && isOf16Bits(m_group, m_uses, divisor);
    return fmt::format("{}({}, {}, {}, {})", isNarrow ? "qs_quotient_of_16_bits" : "qs_quotient",
                       operands[0], factor, near, reciprocal);
}

// Limits are whole numbers: it is the same whether numbers are rounded before or after.
std::optional<std::string> KernelWriter::ofCode(const Node& node, const Coordinates& at, Loop* loop)
{
    const DType type = m_group.value(node.outputs.front()).type.dtype;
    const auto limited = limitedBefore(m_group, m_uses, node);
    if (!limited || !holds(type, *limited))
        return std::nullopt;
    const Node* round = producerOf(m_group, m_uses, limited->numbers);
    if (round == nullptr || round->operation->name != "aten::round" ||
        round->find("decimals") != nullptr)
        return std::nullopt;
    return fmt::format(
        "(int)({} char)qs_code({}, {}, {})", type == DType::Int8 ? "signed" : "unsigned",
        value(round->tensor("self"), at, loop), literal(limited->low), literal(limited->high));
}

std::string KernelWriter::closedResult(ValueId id, const std::string& held) const
{
    constexpr double kMost = 448.0;  // of float8_e4m3fn
    const DType type = m_group.value(id).type.dtype;
    const Node* cast = producerOf(m_group, m_uses, id);
    const auto limited = type == DType::Float8E4M3 && cast != nullptr
                             ? limitedBefore(m_group, m_uses, *cast)
                             : std::nullopt;
    const bool isWithin = limited && limited->low >= -kMost && limited->high <= kMost;
    return isWithin ? fmt::format("qs_to_e4m3_within({})", held) : closed(held, type);
}

}  // namespace qs::core
