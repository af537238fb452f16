#include "core/lower/fused/matrix_product.h"

#include "core/lower/fused/through_view.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::string_view kLinear = "aten::linear";

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
    if (name == kLinear)
        return sixteenBits(graph.value(node.tensor("weight")).type.dtype);
    return name == "aten::mm" ? sixteenBits(graph.value(node.tensor("mat2")).type.dtype)
                              : std::nullopt;
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

// Whether rows begin where kernels can read them.
bool fits(const std::optional<ProductOperand>& operand, ProductType type)
{
    return operand && operand->pitch * elementBytes(type) % kPitchBytes == 0;
}

std::optional<MatrixProduct> productAt(const GraphUses& uses, const InputStrides& strides,
                                       std::size_t index)
{
    ProductCall of = *productCall(uses.graph(), uses.graph().nodes[index]);
    if (const auto padding = paddingOf(uses, index)) {
        of.a = padding->rows;
        of.m = uses.graph().value(of.a).type.shape.front();
    }
    const Coordinate along = placeAt("k", of.k);
    const Coordinate row = rowAt("r", of.n);
    const auto a = firstOperand(uses, strides, of);
    const auto b = operandOf(uses, strides, of.b,
                             of.rowsOfB ? Coordinates{row, along} : Coordinates{along, row}, of.n);
    if (!a || !fits(b, of.type))
        return std::nullopt;
    return MatrixProduct{index, of.type, *a, *b, of.k};
}

}  // namespace

std::int64_t elementBytes(ProductType type)
{
    return type == ProductType::Int8 || type == ProductType::Float8 ? 1 : 2;
}

std::optional<ProductCall> productCall(const Graph& graph, const Node& node)
{
    const auto type = productTypeOf(graph, node);
    if (!type)
        return std::nullopt;
    const bool linear = node.operation->name == kLinear;
    const ValueId a = node.tensor(linear ? "input" : "self");
    const ValueId b = node.tensor(linear ? "weight" : "mat2");
    const auto& shape = graph.value(b).type.shape;
    const std::int64_t k = shape[linear ? 1 : 0];
    const std::int64_t m = k == 0 ? 0 : graph.value(a).type.elementCount() / k;
    return ProductCall{*type, a, b, m, shape[linear ? 0 : 1], k, linear};
}

std::optional<ProductOperand> firstOperand(const GraphUses& uses, const InputStrides& strides,
                                           const ProductCall& call)
{
    const Coordinates at{rowAt("r", call.m), placeAt("k", call.k)};
    const auto& shape = uses.graph().value(call.a).type.shape;
    auto a = operandOf(uses, strides, call.a, reshaped(at, {call.m, call.k}, shape), call.m);
    return fits(a, call.type) ? a : std::nullopt;
}

std::optional<RowPadding> paddingOf(const GraphUses& uses, std::size_t product)
{
    const Graph& graph = uses.graph();
    const auto call = productCall(graph, graph.nodes[product]);
    const auto maker = call ? uses.producer(call->a) : std::nullopt;
    if (!maker || graph.nodes[*maker].operation->name != "aten::constant_pad_nd")
        return std::nullopt;
    using Sides = std::vector<std::int64_t>;
    const ValueId rows = graph.nodes[*maker].tensor("self");
    const std::int64_t before = graph.value(rows).type.shape.front();
    const bool isBelow = before > 0 && std::get<Sides>(*graph.nodes[*maker].find("pad")) ==
                                           Sides{0, 0, 0, call->m - before};
    const auto reader = uses.onlyConsumer(graph.nodes[product].outputs.front());
    if (!isBelow || !reader || graph.nodes[*reader].operation->name != "aten::slice")
        return std::nullopt;
    const Node& slice = graph.nodes[*reader];
    const Coordinates at{rowAt("r", before), placeAt("c", call->n)};
    const auto source = throughView(graph, slice, slice.outputs.front(), at);
    const bool isFirst = source && toText(*source) == toText(at) &&
                         graph.value(slice.outputs.front()).type.shape == Sides{before, call->n};
    return isFirst ? std::optional(RowPadding{rows, *maker, *reader}) : std::nullopt;
}

bool hasElements(const ProductCall& call)
{
    return call.m > 0 && call.n > 0 && call.k > 0;
}

bool hasWholeRows(const ProductCall& call)
{
    return call.k * elementBytes(call.type) % kPitchBytes == 0;
}

bool hasWholeColumns(const ProductCall& call)
{
    return call.n % kFinishedAtOnce == 0;
}

bool multipliesMatrices(const Graph& group, const Node& node)
{
    const auto call = productCall(group, node);
    if (!call || !hasElements(*call) || !hasWholeColumns(*call))
        return false;
    if (call->type != ProductType::Float8)
        return true;
    const Argument* fast = node.find("use_fast_accum");
    return group.value(node.outputs.front()).type.dtype == DType::BFloat16 && fast != nullptr &&
           std::get<bool>(*fast);
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
    if (found)
        found->halves = halvesOf(*found, group);
    return found && found->halves > 0 ? found : std::nullopt;
}

int halvesOf(const MatrixProduct& product, const Graph& group)
{
    if (group.outputs.empty())
        return 0;
    const std::int64_t elements = group.value(group.outputs.front()).type.elementCount();
    const std::int64_t sums = product.a.rows * product.b.rows;
    const std::int64_t halves = elements == 0 ? 0 : sums / elements;
    const bool isWhole = (halves == 1 || halves == 2) && halves * elements == sums;
    return isWhole ? static_cast<int>(halves) : 0;
}

}  // namespace qs::core
