#include "core/lower/fused/matrix_product.h"

#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/through_view.h"

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

// Rows begin at multiples of it.
constexpr std::int64_t kPitchBytes = 16;
constexpr std::string_view kLinear = "aten::linear";
constexpr std::int64_t kNeighbours = 8;  // columns that a thread finishes at once

std::optional<ProductType> sixteenBits(DType type)
{
    if (type == DType::BFloat16)
        return ProductType::BFloat16;
    return type == DType::Float16 ? std::optional(ProductType::Float16) : std::nullopt;
}

std::optional<ProductType> productTypeOf(const Graph& graph, const Node& node)
{
    const std::string_view name = node.operation->name;
    if (name == "aten::_int_mm")
        return ProductType::Int8;
    if (name == "aten::_scaled_mm")
        return ProductType::Float8;
    return name == kLinear ? sixteenBits(graph.value(node.tensor("weight")).type.dtype)
                           : std::nullopt;
}

// The operands of a product m × n: rows of `a`, in any shape, with columns or rows of `b`.
struct ProductOperands {
    ValueId a;
    ValueId b;
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
    bool rowsOfB;
};

ProductOperands operandsOf(const Graph& graph, const Node& node)
{
    const bool linear = node.operation->name == kLinear;
    const ValueId a = node.tensor(linear ? "input" : "self");
    const ValueId b = node.tensor(linear ? "weight" : "mat2");
    const auto& shape = graph.value(b).type.shape;
    const std::int64_t k = shape[linear ? 1 : 0];
    const std::int64_t m = k == 0 ? 0 : graph.value(a).type.elementCount() / k;
    return {a, b, m, shape[linear ? 0 : 1], k, linear};
}

// Where it comes from through all views.
std::optional<ProductOperand> operandOf(const GraphUses& uses, const InputStrides& strides,
                                        ValueId id, Coordinates at, std::int64_t rows)
{
    const auto found = placeInInput(uses, strides, id, std::move(at));
    if (!found || found->place.number != 0)
        return std::nullopt;
    ProductOperand operand{found->input, rows, 0};
    bool along = false;
    for (const Coordinate::Term& term : found->place.terms) {
        const bool whole = term.atom.divisor == 1 && term.atom.modulus == 0;
        if (whole && term.atom.variable == "k" && term.factor == 1)
            along = true;
        else if (whole && term.atom.variable == "r" && operand.pitch == 0)
            operand.pitch = term.factor;
        else
            return std::nullopt;
    }
    if (!along || (rows > 1 && operand.pitch == 0))
        return std::nullopt;
    return operand;
}

std::optional<MatrixProduct> productAt(const GraphUses& uses, const InputStrides& strides,
                                       std::size_t index)
{
    const Graph& graph = uses.graph();
    const Node& node = graph.nodes[index];
    const ProductType type = *productTypeOf(graph, node);
    const ProductOperands of = operandsOf(graph, node);
    const Coordinate along = placeAt("k", of.k);
    const Coordinates ofA{rowAt("r", of.m), along};
    const auto a = operandOf(uses, strides, of.a,
                             reshaped(ofA, {of.m, of.k}, graph.value(of.a).type.shape), of.m);
    const Coordinate row = rowAt("r", of.n);
    const auto b = operandOf(uses, strides, of.b,
                             of.rowsOfB ? Coordinates{row, along} : Coordinates{along, row}, of.n);
    const auto fits = [&](const std::optional<ProductOperand>& operand) {
        return operand && operand->pitch * elementBytes(type) % kPitchBytes == 0;
    };
    if (!fits(a) || !fits(b))
        return std::nullopt;
    return MatrixProduct{index, type, *a, *b, of.k};
}

// Whether a view has its elements in the order of what it views.
bool keepsOrder(const Graph& graph, const Node& node)
{
    const TensorType& type = graph.value(node.outputs.front()).type;
    const std::int64_t count = type.elementCount();
    const Coordinates at = reshaped({placeAt("i", count)}, {count}, type.shape);
    const auto source = throughView(graph, node, node.outputs.front(), at);
    if (!source)
        return false;
    const auto& before = graph.value(node.tensor("self")).type.shape;
    return toText({linear(*source, denseStrides(before))}) ==
           toText({linear(at, denseStrides(type.shape))});
}

// Grows a group behind a product, as long as what follows is computed from it element by element.
class Followers final
{
public:
    Followers(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken,
              std::size_t product)
        : m_uses(uses), m_graph(uses.graph()), m_order(order), m_taken(taken), m_group{product}
    {
        m_last = m_graph.nodes[product].outputs.front();
        m_bytes = byteSize(type().dtype);
    }

    [[nodiscard]] NodeGroup group()
    {
        chain();
        m_isGate = gate();
        return m_group;
    }
    [[nodiscard]] bool isGate() const { return m_isGate; }

private:
    [[nodiscard]] const TensorType& type() const { return m_graph.value(m_last).type; }

    [[nodiscard]] bool joins(std::size_t index) const
    {
        return !m_taken[index] && m_graph.nodes[index].outputs.size() == 1 &&
               !touchesMutated(m_graph, m_order, {index});
    }

    // One reader after the other, up to the narrowest result.
    void chain()
    {
        NodeGroup nodes = m_group;
        ValueId last = m_last;
        while (const auto reader = m_uses.onlyConsumer(last)) {
            const Node& node = m_graph.nodes[*reader];
            if (!joins(*reader))
                break;
            const TensorType& before = m_graph.value(last).type;
            const TensorType& after = m_graph.value(node.outputs.front()).type;
            const bool computes = after.shape == before.shape && isElementwise(m_graph, node);
            if (after.elementCount() != before.elementCount() ||
                (!computes && !keepsOrder(m_graph, node)))
                break;
            nodes.push_back(*reader);
            last = node.outputs.front();
            if (computes && byteSize(after.dtype) <= m_bytes) {
                m_bytes = byteSize(after.dtype);
                m_group = nodes;
                m_last = last;
            }
        }
    }

    // The only reader of `id` but for views that keep its order, which are added.
    [[nodiscard]] std::optional<std::size_t> readerOf(ValueId id, NodeGroup& views) const
    {
        auto reader = m_uses.onlyConsumer(id);
        while (reader && joins(*reader) && !isElementwise(m_graph, m_graph.nodes[*reader]) &&
               keepsOrder(m_graph, m_graph.nodes[*reader])) {
            views.push_back(*reader);
            reader = m_uses.onlyConsumer(m_graph.nodes[*reader].outputs.front());
        }
        return reader;
    }

    // Two halves of each row, and what is computed of both: one result that is as narrow.
    bool gate()
    {
        NodeGroup nodes = m_group;
        const auto split = readerOf(m_last, nodes);
        if (!split || m_taken[*split] || m_graph.nodes[*split].operation->name != "aten::chunk" ||
            m_graph.nodes[*split].outputs.size() != 2)
            return false;
        nodes.push_back(*split);
        const std::vector<ValueId>& halves = m_graph.nodes[*split].outputs;
        const auto& shape = m_graph.value(halves.front()).type.shape;
        const std::int64_t columns =
            m_graph.value(m_graph.nodes[m_group.front()].outputs.front()).type.shape.back();
        if (shape.back() * 2 != columns || shape.back() % kNeighbours != 0)
            return false;
        std::set<ValueId> made(halves.begin(), halves.end());
        std::set<ValueId> open = made;
        for (std::size_t i = *split + 1; i < m_graph.nodes.size() && !open.empty(); ++i) {
            const Node& node = m_graph.nodes[i];
            const auto inputs = node.inputs();
            if (std::none_of(inputs.begin(), inputs.end(),
                             [&](ValueId id) { return made.count(id) > 0; }))
                continue;
            if (!joins(i) || !isElementwise(m_graph, node) ||
                m_graph.value(node.outputs.front()).type.shape != shape)
                return false;
            nodes.push_back(i);
            made.insert(node.outputs.front());
            open.insert(node.outputs.front());
            const std::set<std::size_t> members(nodes.begin(), nodes.end());
            std::erase_if(open, [&](ValueId id) { return m_uses.isReadOnlyBy(members, id); });
            if (open == std::set<ValueId>{node.outputs.front()} &&
                byteSize(m_graph.value(node.outputs.front()).type.dtype) <= m_bytes) {
                m_group = nodes;
                return true;
            }
        }
        return false;
    }

    const GraphUses& m_uses;
    const Graph& m_graph;
    const NodeOrder& m_order;
    const std::vector<bool>& m_taken;
    NodeGroup m_group;
    ValueId m_last = -1;
    std::int64_t m_bytes = 0;
    bool m_isGate = false;
};

}  // namespace

std::int64_t elementBytes(ProductType type)
{
    return type == ProductType::Int8 || type == ProductType::Float8 ? 1 : 2;
}

bool multipliesMatrices(const Graph& group, const Node& node)
{
    const auto type = productTypeOf(group, node);
    if (!type)
        return false;
    const TensorType& result = group.value(node.outputs.front()).type;
    if (result.elementCount() == 0 || operandsOf(group, node).m * operandsOf(group, node).k == 0 ||
        result.shape.back() % kNeighbours != 0)
        return false;
    if (*type != ProductType::Float8)
        return true;
    const Argument* fast = node.find("use_fast_accum");
    return result.dtype == DType::BFloat16 && fast != nullptr && std::get<bool>(*fast);
}

std::optional<MatrixProduct> matrixProduct(const Graph& group, const InputStrides& strides)
{
    const GraphUses uses(group);
    std::optional<MatrixProduct> found;
    for (std::size_t i = 0; i < group.nodes.size(); ++i) {
        if (!multipliesMatrices(group, group.nodes[i]))
            continue;
        if (found)
            return std::nullopt;
        found = productAt(uses, strides, i);
        if (!found)
            return std::nullopt;
    }
    if (found && !group.outputs.empty())
        found->halves = static_cast<int>(found->a.rows * found->b.rows /
                                         group.value(group.outputs.front()).type.elementCount());
    return found && (found->halves == 1 || found->halves == 2) ? found : std::nullopt;
}

bool hasProductUnits(const DeviceDescription& device)
{
    constexpr int kHopper = 9;
    return device.kind == DeviceKind::Cuda && device.computeMajor == kHopper;
}

std::vector<NodeGroup> productGroups(const GraphUses& uses, const NodeOrder& order,
                                     const DeviceDescription& device)
{
    std::vector<NodeGroup> groups;
    if (device.kind == DeviceKind::Cuda && !hasProductUnits(device))
        return groups;
    const Graph& graph = uses.graph();
    std::vector<bool> taken(graph.nodes.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!multipliesMatrices(graph, graph.nodes[i]) || touchesMutated(graph, order, {i}))
            continue;
        Followers followers(uses, order, taken, i);
        NodeGroup group = followers.group();
        // The library multiplies 16 bits as fast, and what follows goes into the next kernel.
        if (elementBytes(*productTypeOf(graph, graph.nodes[i])) > 1 && !followers.isGate())
            continue;
        groups.push_back(std::move(group));
        for (const std::size_t node : groups.back())
            taken[node] = true;
    }
    return groups;
}

}  // namespace qs::core
