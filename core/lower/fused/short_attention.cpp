#include "core/lower/fused/short_attention.h"

#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/product_units.h"
#include "core/lower/fused/through_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::string_view kAttentionCall = "aten::scaled_dot_product_attention";
constexpr std::size_t kAxes = 4;
constexpr std::int64_t kMostKeys = 256;  // columns of one instruction
constexpr std::int64_t kPart = 64;       // of the width of a head, which 128 bytes are
constexpr std::int64_t kLoadBytes = 16;

const std::vector<std::int64_t>& shapeOf(const Graph& graph, ValueId id)
{
    return graph.value(id).type.shape;
}

// Heads of one part, or two whole ones.
bool hasWidth(std::int64_t width)
{
    constexpr std::int64_t kStep = 16;  // that an instruction multiplies at once
    return width == 2 * kPart || (width > 0 && width <= kPart && width % kStep == 0);
}

bool isGiven(const Node& node, std::string_view argument)
{
    const Argument* found = node.find(argument);
    return found != nullptr && !std::holds_alternative<std::monostate>(*found);
}

double scaleOf(const Graph& graph, const Node& node)
{
    if (const Argument* scale = node.find("scale")) {
        if (const double* number = std::get_if<double>(scale))
            return *number;
        if (const std::int64_t* whole = std::get_if<std::int64_t>(scale))
            return static_cast<double>(*whole);
    }
    return 1.0 / std::sqrt(static_cast<double>(shapeOf(graph, node.tensor("query")).back()));
}

bool flag(const Node& node, std::string_view argument)
{
    const Argument* found = node.find(argument);
    return found != nullptr && std::holds_alternative<bool>(*found) && std::get<bool>(*found);
}

// Where it comes from through all views.
std::optional<AttentionOperand> operandOf(const GraphUses& uses, const InputStrides& strides,
                                          ValueId id)
{
    const Graph& graph = uses.graph();
    const std::vector<std::int64_t>& shape = shapeOf(graph, id);
    constexpr std::array<const char*, kAxes> kNames{"b", "h", "t", "d"};
    Coordinates at;
    for (std::size_t i = 0; i < kAxes; ++i)
        at.push_back(placeAt(kNames[i], shape[i]));
    const auto found = placeInInput(uses, strides, id, std::move(at));
    if (!found)
        return std::nullopt;
    AttentionOperand operand;
    operand.input = found->input;
    operand.offset = found->place.number;
    operand.tokens = shape[2];
    std::array<std::int64_t, kAxes> pitches{};
    for (const Coordinate::Term& term : found->place.terms) {
        const auto* const axis =
            std::find(kNames.begin(), kNames.end(), std::string_view(term.atom.variable));
        if (axis == kNames.end() || term.atom.divisor != 1 || term.atom.modulus != 0)
            return std::nullopt;
        pitches[static_cast<std::size_t>(axis - kNames.begin())] += term.factor;
    }
    // Of an axis of one element nothing is known, and nothing asked.
    for (std::size_t i = 0; i < kAxes; ++i) {
        if (shape[i] > 1 && pitches[i] <= 0)
            return std::nullopt;
    }
    operand.batchPitch = pitches[0];
    operand.headPitch = pitches[1];
    operand.tokenPitch = pitches[2];
    const auto begins = [&](std::int64_t elements) {
        return elements * byteSize(graph.value(id).type.dtype) % kLoadBytes == 0;
    };
    const bool fits = pitches[3] == 1 && begins(operand.offset) && begins(operand.tokenPitch) &&
                      begins(operand.headPitch) && begins(operand.batchPitch);
    return fits ? std::optional(operand) : std::nullopt;
}

}  // namespace

bool isShortAttention(const Graph& graph, const Node& node)
{
    if (node.operation->name != kAttentionCall || isGiven(node, "attn_mask"))
        return false;
    const TensorType& query = graph.value(node.tensor("query")).type;
    const auto& key = shapeOf(graph, node.tensor("key"));
    const Argument* dropout = node.find("dropout_p");
    const double* dropped = dropout == nullptr ? nullptr : std::get_if<double>(dropout);
    if ((dropped != nullptr && *dropped != 0.0) || query.shape.size() != kAxes ||
        query.elementCount() == 0 ||
        (query.dtype != DType::BFloat16 && query.dtype != DType::Float16))
        return false;
    const double scale = scaleOf(graph, node);
    return key == shapeOf(graph, node.tensor("value")) && key[0] == query.shape[0] &&
           key[1] == query.shape[1] && key[2] > 0 && key[2] <= kMostKeys &&
           hasWidth(query.shape[3]) && std::isfinite(scale) && scale > 0.0;
}

std::optional<ShortAttention> shortAttention(const Graph& group, const InputStrides& strides)
{
    const GraphUses uses(group);
    const auto node = std::find_if(group.nodes.begin(), group.nodes.end(),
                                   [&](const Node& each) { return isShortAttention(group, each); });
    if (node == group.nodes.end())
        return std::nullopt;
    const auto q = operandOf(uses, strides, node->tensor("query"));
    const auto k = operandOf(uses, strides, node->tensor("key"));
    const auto v = operandOf(uses, strides, node->tensor("value"));
    if (!q || !k || !v)
        return std::nullopt;
    const TensorType& query = group.value(node->tensor("query")).type;
    return ShortAttention{static_cast<std::size_t>(node - group.nodes.begin()),
                          query.dtype,
                          query.shape[0],
                          query.shape[1],
                          query.shape[3],
                          scaleOf(group, *node),
                          flag(*node, "is_causal"),
                          *q,
                          *k,
                          *v};
}

std::vector<NodeGroup> attentionGroups(const GraphUses& uses, const NodeOrder& order,
                                       const DeviceDescription& device)
{
    std::vector<NodeGroup> groups;
    if (device.kind == DeviceKind::Cuda && productChip(device).units != ProductUnits::Hopper)
        return groups;
    const Graph& graph = uses.graph();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (isShortAttention(graph, graph.nodes[i]) && !touchesMutated(graph, order, {i}))
            groups.push_back({i});
    }
    return groups;
}

}  // namespace qs::core
