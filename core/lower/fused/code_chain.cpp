#include "core/lower/fused/code_chain.h"

#include "core/lower/fused/element_operations.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::int64_t kCodesRead = 16;

// Follows weights from what a product reads to their codes.
class ChainReader final
{
public:
    ChainReader(const Graph& group, const InputStrides& strides, const SkinnyProduct& skinny)
        : m_graph(group),
          m_strides(strides),
          m_uses(group),
          m_type(group.value(skinny.weight).type.dtype),
          m_length(skinny.product.k)
    {
    }

    [[nodiscard]] std::optional<CodeChain> read(ValueId weight, const Coordinates& at)
    {
        if (!follow(weight, at))
            return std::nullopt;
        std::reverse(m_chain.steps.begin(), m_chain.steps.end());
        return m_chain;
    }

private:
    // The last step first.
    [[nodiscard]] bool follow(ValueId id, const Coordinates& at)
    {
        const auto producer = m_uses.producer(id);
        if (!producer)
            return false;
        const Node& node = m_graph.nodes[*producer];
        if (const auto source = throughView(m_graph, node, id, at))
            return follow(node.tensor("self"), *source);
        if (m_graph.value(id).type.dtype != m_type)
            return false;
        const std::string_view name = node.operation->name;
        if (isCast(node)) {
            const ValueId self = node.tensor("self");
            const bool isRounded = m_chain.steps.empty() && !m_chain.isWide &&
                                   m_graph.value(self).type.dtype == DType::Float32;
            if (!isRounded)
                return codes(self, at);
            m_chain.isWide = true;
            m_type = DType::Float32;
            return follow(self, at);
        }
        const bool isProduct = name == "aten::mul";
        if (m_isShifted || (!isProduct && name != "aten::add"))
            return false;
        return isProduct || addsOnce(node) ? step(node, at, isProduct) : false;
    }

    [[nodiscard]] static bool addsOnce(const Node& node)
    {
        return numberOf(node, "alpha").value_or(1.0) == 1.0;
    }

    [[nodiscard]] bool step(const Node& node, const Coordinates& at, bool isProduct)
    {
        const ValueId other = node.tensor("other");
        if (other < 0) {
            const auto number = numberOf(node, "other");
            if (isProduct || !number || *number != std::rint(*number))
                return false;
            m_isShifted = true;
            m_chain.steps.push_back({false, std::nullopt, *number});
            return follow(node.tensor("self"), at);
        }
        const TensorType& type = m_graph.value(other).type;
        if (type.dtype != m_type)
            return false;
        auto place = placeInInput(m_uses, m_strides, other, broadcast(at, type.shape));
        if (!place)
            return false;
        m_chain.steps.push_back({isProduct, std::move(place)});
        return follow(node.tensor("self"), at);
    }

    [[nodiscard]] bool codes(ValueId id, const Coordinates& at)
    {
        const DType type = m_graph.value(id).type.dtype;
        if (type == DType::Int8 || type == DType::Float8E4M3) {
            m_chain.kind = type == DType::Int8 ? CodeKind::Byte : CodeKind::Float8;
            return bytes(id, at);
        }
        const auto producer = m_uses.producer(id);
        if (!producer)
            return false;
        const Node& node = m_graph.nodes[*producer];
        if (const auto source = throughView(m_graph, node, id, at))
            return codes(node.tensor("self"), *source);
        const Argument* tensors = node.find("tensors");
        if (node.operation->name != "aten::stack" || tensors == nullptr)
            return false;
        const auto& parts = std::get<ValueRefs>(*tensors);
        const std::size_t axis = axisOf(node, "dim", at.size(), 0);
        Coordinates within = at;
        within.erase(within.begin() + static_cast<std::ptrdiff_t>(axis));
        const Coordinate half = modulo(placeAt("i", m_length), 2);
        if (parts.size() != 2 || toText({at[axis]}) != toText({half}))
            return false;
        const auto upper = partOf(parts[0].id, "aten::bitwise_right_shift", 4.0);
        const auto lower = partOf(parts[1].id, "aten::bitwise_and", 15.0);
        return upper && lower && *upper == *lower &&
               m_graph.value(*upper).type.dtype == DType::UInt8 && bytes(*upper, within);
    }

    [[nodiscard]] std::optional<ValueId> partOf(ValueId id, std::string_view name,
                                                double number) const
    {
        const auto producer = m_uses.producer(id);
        if (!producer)
            return std::nullopt;
        const Node& node = m_graph.nodes[*producer];
        return node.operation->name == name && numberOf(node, "other") == number
                   ? std::optional(node.tensor("self"))
                   : std::nullopt;
    }

    // One after the other along the row, read from multiples of 16 on.
    [[nodiscard]] bool bytes(ValueId id, const Coordinates& at)
    {
        const auto place = placeInInput(m_uses, m_strides, id, at);
        if (!place || place->place.number != 0)
            return false;
        const std::int64_t divisor = 8 / bitsOf(m_chain.kind);
        bool along = false;
        for (const Coordinate::Term& term : place->place.terms) {
            if (term.atom.variable == "i")
                along = term.factor == 1 && term.atom.divisor == divisor && term.atom.modulus == 0;
            else if (term.factor % kCodesRead != 0)
                return false;
        }
        m_chain.codes = *place;
        return along;
    }

    const Graph& m_graph;
    const InputStrides& m_strides;
    GraphUses m_uses;
    DType m_type;           // of steps
    std::int64_t m_length;  // of a row of weights
    CodeChain m_chain;
    bool m_isShifted = false;  // a number is added to the codes
};

}  // namespace

std::optional<CodeChain> codeChain(const Graph& group, const InputStrides& strides,
                                   const SkinnyProduct& skinny)
{
    const Coordinate row = rowAt("r", skinny.product.b.rows);
    const Coordinate along = placeAt("i", skinny.product.k);
    const Coordinates at = skinny.turned ? Coordinates{along, row} : Coordinates{row, along};
    return ChainReader(group, strides, skinny).read(skinny.weight, at);
}

}  // namespace qs::core
