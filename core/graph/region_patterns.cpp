#include "core/graph/region_patterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::array<std::string_view, 6> kNorms{
    "aten::layer_norm", "aten::rms_norm",          "aten::group_norm",
    "aten::batch_norm", "aten::native_layer_norm", "aten::_native_batch_norm_legit_no_training"};
constexpr std::array<std::string_view, 5> kActivations{"aten::silu", "aten::gelu", "aten::relu",
                                                       "aten::silu_", "aten::relu_"};

template <typename List>
bool isOneOf(const Node& node, const List& names)
{
    return std::find(names.begin(), names.end(), node.operation->name) != names.end();
}

bool isNamed(const GraphUses& uses, std::optional<std::size_t> node, std::string_view name)
{
    return node && uses.graph().nodes[*node].operation->name == name;
}

const Node& nodeAt(const GraphUses& uses, std::size_t node)
{
    return uses.graph().nodes[node];
}

ValueId resultOf(const GraphUses& uses, std::size_t node)
{
    return nodeAt(uses, node).outputs.front();
}

bool allInner(const GraphUses& uses, std::size_t node, const RegionNodes& nodes)
{
    const auto& outputs = nodeAt(uses, node).outputs;
    return std::all_of(outputs.begin(), outputs.end(),
                       [&](ValueId each) { return uses.isReadOnlyBy(nodes, each); });
}

// The value, or what it was before a cast that nothing else reads.
void takeCastBefore(const GraphUses& uses, ValueId value, RegionNodes& nodes)
{
    const auto cast = uses.producer(value);
    if (isNamed(uses, cast, "aten::to") && uses.isReadOnlyBy(nodes, value))
        nodes.insert(*cast);
}

// A weight, or the cast of one, which then belongs to the norm.
bool takesGain(const GraphUses& uses, ValueId value, RegionNodes& nodes)
{
    if (value < 0)
        return false;
    if (uses.graph().value(value).kind == ValueKind::Weight)
        return true;
    const auto cast = uses.producer(value);
    if (!isNamed(uses, cast, "aten::to") ||
        uses.graph().value(nodeAt(uses, *cast).tensor("self")).kind != ValueKind::Weight)
        return false;
    if (uses.onlyConsumer(value))
        nodes.insert(*cast);
    return true;
}

// What follows the normalised value: casts, gain and shift, each of them read by the next alone.
void takeGainAndCasts(const GraphUses& uses, ValueId value, RegionNodes& nodes)
{
    while (const auto next = uses.onlyConsumer(value)) {
        const Node& node = nodeAt(uses, *next);
        const bool cast = node.operation->name == "aten::to";
        const bool scales =
            node.operation->name == "aten::mul" || node.operation->name == "aten::add";
        if (!cast && !scales)
            return;
        if (scales) {
            const ValueId other =
                node.tensor("self") == value ? node.tensor("other") : node.tensor("self");
            if (!takesGain(uses, other, nodes))
                return;
        }
        nodes.insert(*next);
        value = node.outputs.front();
    }
}

// x · rsqrt(mean(x²) + ε), from its rsqrt; empty if it is something else.
RegionNodes rootMeanSquare(const GraphUses& uses, std::size_t rsqrt)
{
    const auto sum = uses.producer(nodeAt(uses, rsqrt).tensor("self"));
    if (!isNamed(uses, sum, "aten::add"))
        return {};
    const auto mean = uses.producer(nodeAt(uses, *sum).tensor("self"));
    if (!isNamed(uses, mean, "aten::mean"))
        return {};
    const auto square = uses.producer(nodeAt(uses, *mean).tensor("self"));
    if (!isNamed(uses, square, "aten::pow") && !isNamed(uses, square, "aten::mul") &&
        !isNamed(uses, square, "aten::square"))
        return {};
    const ValueId x = nodeAt(uses, *square).tensor("self");
    const auto product = uses.onlyConsumer(resultOf(uses, rsqrt));
    if (!isNamed(uses, product, "aten::mul"))
        return {};
    const Node& scaled = nodeAt(uses, *product);
    if (scaled.tensor("self") != x && scaled.tensor("other") != x)
        return {};
    RegionNodes nodes{*square, *mean, *sum, rsqrt, *product};
    takeCastBefore(uses, x, nodes);
    takeGainAndCasts(uses, scaled.outputs.front(), nodes);
    return nodes;
}

RegionNodes wholeNorm(const GraphUses& uses, std::size_t norm)
{
    RegionNodes nodes{norm};
    takeCastBefore(uses, nodeAt(uses, norm).inputs().front(), nodes);
    const auto next = uses.onlyConsumer(resultOf(uses, norm));
    if (isNamed(uses, next, "aten::to"))
        nodes.insert(*next);
    return nodes;
}

// Views in front of a region that nothing else reads.
void takeViewsBefore(const GraphUses& uses, RegionNodes& nodes)
{
    for (bool found = true; found;) {
        found = false;
        for (const std::size_t each : RegionNodes(nodes)) {
            for (const ValueId input : nodeAt(uses, each).inputs()) {
                const auto view = uses.producer(input);
                if (view && !nodes.contains(*view) &&
                    nodeAt(uses, *view).operation->operationClass == OperationClass::View &&
                    allInner(uses, *view, nodes))
                    found |= nodes.insert(*view).second;
            }
        }
    }
}

// The activation, and what it gates if it does.
RegionNodes gateOf(const GraphUses& uses, std::size_t activation)
{
    const auto product = uses.onlyConsumer(resultOf(uses, activation));
    if (!isNamed(uses, product, "aten::mul"))
        return {};
    const Node& gated = nodeAt(uses, *product);
    if (gated.tensor("self") < 0 || gated.tensor("other") < 0 ||
        gated.tensor("self") == gated.tensor("other"))
        return {};
    RegionNodes nodes{activation, *product};
    takeViewsBefore(uses, nodes);
    return nodes;
}

// Linear layers whose results these nodes read; nothing if one of the results is read elsewhere.
std::optional<RegionNodes> linearsBefore(const GraphUses& uses, const RegionNodes& nodes)
{
    RegionNodes linears;
    for (const std::size_t each : nodes) {
        for (const ValueId input : nodeAt(uses, each).inputs()) {
            const auto producer = uses.producer(input);
            if (producer && nodes.contains(*producer))
                continue;
            if (!producer || !isProduct(nodeAt(uses, *producer)) ||
                !uses.isReadOnlyBy(nodes, input))
                return std::nullopt;
            linears.insert(*producer);
        }
    }
    return linears;
}

RegionNodes mlpOf(const GraphUses& uses, std::size_t activation)
{
    RegionNodes nodes = gateOf(uses, activation);
    if (nodes.empty())
        nodes.insert(activation);
    const auto before = linearsBefore(uses, nodes);
    const auto behind = uses.onlyConsumer(resultOf(uses, *nodes.rbegin()));
    if (!before || !behind || !isProduct(nodeAt(uses, *behind)) ||
        nodeAt(uses, *behind).operation->operationClass == OperationClass::Convolution)
        return {};
    nodes.insert(before->begin(), before->end());
    nodes.insert(*behind);
    return nodes;
}

// "decoder_blocks.3" of "decoder_blocks.3.ffn.fc1"; empty without a number.
std::string_view entryOf(std::string_view module)
{
    for (std::size_t begin = 0; begin < module.size();) {
        const std::size_t end = std::min(module.find('.', begin), module.size());
        const std::string_view part = module.substr(begin, end - begin);
        const bool number = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
        if (number && begin > 0)
            return module.substr(0, end);
        begin = end + 1;
    }
    return {};
}

}  // namespace

bool isProduct(const Node& node)
{
    return multiplies(*node.operation) &&
           node.operation->operationClass != OperationClass::Attention;
}

bool onlyArranges(const Node& node)
{
    static constexpr std::array<std::string_view, 2> kCopies{"aten::contiguous", "aten::clone"};
    return node.operation->operationClass == OperationClass::View || isOneOf(node, kCopies);
}

std::vector<RegionNodes> normRegions(const GraphUses& uses)
{
    std::vector<RegionNodes> regions;
    for (std::size_t i = 0; i < uses.graph().nodes.size(); ++i) {
        RegionNodes nodes;
        if (isOneOf(nodeAt(uses, i), kNorms))
            nodes = wholeNorm(uses, i);
        else if (nodeAt(uses, i).operation->name == "aten::rsqrt")
            nodes = rootMeanSquare(uses, i);
        if (!nodes.empty())
            regions.push_back(std::move(nodes));
    }
    return regions;
}

std::vector<RegionNodes> gateRegions(const GraphUses& uses)
{
    std::vector<RegionNodes> regions;
    for (std::size_t i = 0; i < uses.graph().nodes.size(); ++i) {
        if (!isOneOf(nodeAt(uses, i), kActivations))
            continue;
        RegionNodes nodes = gateOf(uses, i);
        if (!nodes.empty())
            regions.push_back(std::move(nodes));
    }
    return regions;
}

std::vector<RegionNodes> mlpRegions(const GraphUses& uses)
{
    std::vector<RegionNodes> regions;
    for (std::size_t i = 0; i < uses.graph().nodes.size(); ++i) {
        if (!isOneOf(nodeAt(uses, i), kActivations))
            continue;
        RegionNodes nodes = mlpOf(uses, i);
        if (!nodes.empty())
            regions.push_back(std::move(nodes));
    }
    return regions;
}

std::vector<RegionNodes> blockRegions(const GraphUses& uses)
{
    std::map<std::string_view, RegionNodes> entries;
    for (std::size_t i = 0; i < uses.graph().nodes.size(); ++i) {
        const std::string_view entry = entryOf(nodeAt(uses, i).module);
        if (!entry.empty())
            entries[entry].insert(i);
    }
    std::vector<RegionNodes> regions;
    for (auto& [entry, nodes] : entries) {
        // Entries of a list without layers are parts of something else.
        if (nodes.size() > 1 && std::any_of(nodes.begin(), nodes.end(), [&](std::size_t each) {
                return isProduct(nodeAt(uses, each));
            }))
            regions.push_back(std::move(nodes));
    }
    return regions;
}

}  // namespace qs::core
