#include "core/graph/builder.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

std::size_t axis(const std::vector<std::int64_t>& shape, std::int64_t dimension)
{
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t index = dimension < 0 ? dimension + rank : dimension;
    QS_ASSERT(index >= 0 && index < rank);
    return static_cast<std::size_t>(index);
}

std::vector<std::int64_t> broadcast(const std::vector<std::int64_t>& a,
                                    const std::vector<std::int64_t>& b)
{
    std::vector<std::int64_t> result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
        QS_ASSERT(left == right || left == 1 || right == 1);
        result[result.size() - 1 - i] = std::max(left, right);
    }
    return result;
}

// PyTorch's type promotion for two tensors, as far as our operations need it.
DType promoted(DType a, DType b)
{
    if (a == b)
        return a;
    QS_ASSERT(isFloating(a) || isFloating(b));
    if (!isFloating(b))
        return a;
    return isFloating(a) ? DType::Float32 : b;
}

// A scalar tensor (no dimensions) does not widen a tensor of its own category.
DType promoted(const TensorType& a, const TensorType& b)
{
    if (isFloating(a.dtype) == isFloating(b.dtype) && a.shape.empty() != b.shape.empty())
        return a.shape.empty() ? b.dtype : a.dtype;
    return promoted(a.dtype, b.dtype);
}

std::vector<std::int64_t> reduced(std::vector<std::int64_t> shape,
                                  const std::vector<std::int64_t>& dimensions)
{
    if (dimensions.empty())
        return {};
    for (const std::int64_t dimension : dimensions)
        shape[axis(shape, dimension)] = 1;
    return shape;
}

} // namespace

ValueId GraphBuilder::add(std::string name, TensorType type, ValueKind kind)
{
    m_graph.values.push_back({std::move(name), std::move(type), kind});
    return static_cast<ValueId>(m_graph.values.size() - 1);
}

ValueId GraphBuilder::input(const std::string& name, TensorType type)
{
    const ValueId id = add(name, std::move(type), ValueKind::Input);
    m_graph.inputs.push_back(id);
    return id;
}

ValueId GraphBuilder::weight(const std::string& name, TensorType type)
{
    const ValueId existing = m_graph.findValue(name);
    if (existing >= 0) {
        QS_ASSERT(m_graph.value(existing).kind == ValueKind::Weight);
        QS_ASSERT(m_graph.value(existing).type == type);
        return existing;
    }
    return add(name, std::move(type), ValueKind::Weight);
}

ValueId GraphBuilder::state(const std::string& name, TensorType type)
{
    return add(name, std::move(type), ValueKind::State);
}

ValueId GraphBuilder::constant(const std::string& name, TensorType type, std::vector<double> values)
{
    QS_ASSERT(static_cast<std::int64_t>(values.size()) == type.elementCount());
    const ValueId id = add(name, std::move(type), ValueKind::Constant);
    m_graph.constants.emplace(id, std::move(values));
    return id;
}

void GraphBuilder::output(ValueId value, const std::string& name)
{
    QS_ASSERT(m_graph.value(value).kind == ValueKind::Intermediate);
    m_graph.values[static_cast<std::size_t>(value)].name = name;
    m_graph.outputs.push_back(value);
}

const TensorType& GraphBuilder::type(ValueId value) const
{
    return m_graph.value(value).type;
}

const std::vector<std::int64_t>& GraphBuilder::shape(ValueId value) const
{
    return type(value).shape;
}

std::vector<ValueId> GraphBuilder::call(std::string_view operation,
                                        std::vector<NamedArgument> arguments,
                                        std::vector<TensorType> results)
{
    const Operation* found = findOperation(operation);
    QS_ASSERT(found != nullptr);
    Node node{found, std::move(arguments), {}, m_module, false};
    for (TensorType& result : results)
        node.outputs.push_back(add("v" + std::to_string(m_graph.values.size()), std::move(result),
                                   ValueKind::Intermediate));
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back().outputs;
}

ValueId GraphBuilder::call1(std::string_view operation, std::vector<NamedArgument> arguments,
                            TensorType result)
{
    return call(operation, std::move(arguments), {std::move(result)}).front();
}

ValueId GraphBuilder::linear(ValueId x, ValueId weight, ValueId bias)
{
    std::vector<std::int64_t> result = shape(x);
    QS_ASSERT(shape(weight).size() == 2 && result.back() == shape(weight)[1]);
    QS_ASSERT(bias < 0 || shape(bias) == std::vector<std::int64_t>{shape(weight)[0]});
    result.back() = shape(weight)[0];
    std::vector<NamedArgument> arguments{{"input", ValueRef{x}}, {"weight", ValueRef{weight}}};
    if (bias >= 0)
        arguments.push_back({"bias", ValueRef{bias}});
    return call1("aten::linear", std::move(arguments), {type(x).dtype, std::move(result)});
}

ValueId GraphBuilder::attention(ValueId query, ValueId key, ValueId value)
{
    QS_ASSERT(shape(query).size() == 4 && shape(key) == shape(value));
    QS_ASSERT(shape(query).back() == shape(key).back());
    return call1("aten::scaled_dot_product_attention",
                 {{"query", ValueRef{query}}, {"key", ValueRef{key}}, {"value", ValueRef{value}}},
                 type(query));
}

ValueId GraphBuilder::layerNorm(ValueId x, std::vector<std::int64_t> normalizedShape,
                                double epsilon)
{
    QS_ASSERT(std::equal(normalizedShape.rbegin(), normalizedShape.rend(), shape(x).rbegin()));
    return call1("aten::layer_norm",
                 {{"input", ValueRef{x}},
                  {"normalized_shape", std::move(normalizedShape)},
                  {"eps", epsilon}},
                 type(x));
}

ValueId GraphBuilder::unary(std::string_view operation, ValueId x)
{
    return call1("aten::" + std::string(operation), {{"self", ValueRef{x}}}, type(x));
}

ValueId GraphBuilder::binary(std::string_view operation, ValueId a, ValueId b)
{
    return call1("aten::" + std::string(operation) + ".Tensor",
                 {{"self", ValueRef{a}}, {"other", ValueRef{b}}},
                 {promoted(type(a), type(b)), broadcast(shape(a), shape(b))});
}

ValueId GraphBuilder::scalar(std::string_view operation, ValueId x, double number)
{
    return call1("aten::" + std::string(operation) + ".Scalar",
                 {{"self", ValueRef{x}}, {"other", number}}, type(x));
}

ValueId GraphBuilder::power(ValueId x, double exponent)
{
    return call1("aten::pow.Tensor_Scalar", {{"self", ValueRef{x}}, {"exponent", exponent}},
                 type(x));
}

ValueId GraphBuilder::clamp(ValueId x, double low, double high)
{
    return call1("aten::clamp", {{"self", ValueRef{x}}, {"min", low}, {"max", high}}, type(x));
}

ValueId GraphBuilder::clampMin(ValueId x, double low)
{
    return call1("aten::clamp_min", {{"self", ValueRef{x}}, {"min", low}}, type(x));
}

ValueId GraphBuilder::where(ValueId condition, ValueId a, ValueId b)
{
    return call1(
        "aten::where.self",
        {{"condition", ValueRef{condition}}, {"self", ValueRef{a}}, {"other", ValueRef{b}}},
        {promoted(type(a), type(b)), broadcast(shape(condition), broadcast(shape(a), shape(b)))});
}

ValueId GraphBuilder::equals(ValueId x, double number)
{
    return call1("aten::eq.Scalar", {{"self", ValueRef{x}}, {"other", number}},
                 {DType::Bool, shape(x)});
}

ValueId GraphBuilder::mean(ValueId x, std::vector<std::int64_t> dimensions)
{
    const TensorType result{type(x).dtype, reduced(shape(x), dimensions)};
    const bool keep = !dimensions.empty();
    return call1("aten::mean.dim",
                 {{"self", ValueRef{x}}, {"dim", std::move(dimensions)}, {"keepdim", keep}},
                 result);
}

ValueId GraphBuilder::absoluteMaximum(ValueId x, std::vector<std::int64_t> dimensions)
{
    const ValueId magnitude = unary("abs", x);
    const TensorType result{type(x).dtype, reduced(shape(x), dimensions)};
    const bool keep = !dimensions.empty();
    return call1("aten::amax",
                 {{"self", ValueRef{magnitude}}, {"dim", std::move(dimensions)}, {"keepdim", keep}},
                 result);
}

ValueId GraphBuilder::cast(ValueId x, DType dtype)
{
    if (type(x).dtype == dtype)
        return x;
    return call1("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", dtype}}, {dtype, shape(x)});
}

ValueId GraphBuilder::contiguous(ValueId x)
{
    return call1("aten::contiguous", {{"self", ValueRef{x}}}, type(x));
}

ValueId GraphBuilder::concatenate(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    QS_ASSERT(!parts.empty());
    TensorType result = type(parts.front());
    const std::size_t along = axis(result.shape, dimension);
    result.shape[along] = 0;
    ValueRefs refs;
    for (const ValueId part : parts) {
        result.shape[along] += shape(part)[along];
        refs.push_back({part});
    }
    return call1("aten::cat", {{"tensors", std::move(refs)}, {"dim", dimension}},
                 std::move(result));
}

ValueId GraphBuilder::stack(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    QS_ASSERT(!parts.empty());
    TensorType result = type(parts.front());
    const auto rank = static_cast<std::int64_t>(result.shape.size()) + 1;
    const std::int64_t at = dimension < 0 ? dimension + rank : dimension;
    result.shape.insert(result.shape.begin() + at, static_cast<std::int64_t>(parts.size()));
    ValueRefs refs;
    for (const ValueId part : parts) {
        QS_ASSERT(type(part) == type(parts.front()));
        refs.push_back({part});
    }
    return call1("aten::stack", {{"tensors", std::move(refs)}, {"dim", dimension}},
                 std::move(result));
}

ValueId GraphBuilder::padRows(ValueId x, std::int64_t rows)
{
    TensorType result = type(x);
    QS_ASSERT(result.shape.size() == 2);
    result.shape[0] += rows;
    return call1("aten::constant_pad_nd",
                 {{"self", ValueRef{x}}, {"pad", std::vector<std::int64_t>{0, 0, 0, rows}}},
                 std::move(result));
}

ValueId GraphBuilder::view(ValueId x, std::vector<std::int64_t> shape)
{
    TensorType result{type(x).dtype, shape};
    QS_ASSERT(result.elementCount() == type(x).elementCount());
    return call1("aten::view", {{"self", ValueRef{x}}, {"size", std::move(shape)}},
                 std::move(result));
}

ValueId GraphBuilder::reshape(ValueId x, std::vector<std::int64_t> shape)
{
    TensorType result{type(x).dtype, shape};
    QS_ASSERT(result.elementCount() == type(x).elementCount());
    return call1("aten::reshape", {{"self", ValueRef{x}}, {"shape", std::move(shape)}},
                 std::move(result));
}

ValueId GraphBuilder::transpose(ValueId x, std::int64_t first, std::int64_t second)
{
    TensorType result = type(x);
    std::swap(result.shape[axis(result.shape, first)], result.shape[axis(result.shape, second)]);
    return call1("aten::transpose.int", {{"self", ValueRef{x}}, {"dim0", first}, {"dim1", second}},
                 std::move(result));
}

ValueId GraphBuilder::matrixTranspose(ValueId x)
{
    TensorType result = type(x);
    QS_ASSERT(result.shape.size() == 2);
    std::swap(result.shape[0], result.shape[1]);
    return call1("aten::t", {{"self", ValueRef{x}}}, std::move(result));
}

ValueId GraphBuilder::unsqueeze(ValueId x, std::int64_t dimension)
{
    TensorType result = type(x);
    const auto rank = static_cast<std::int64_t>(result.shape.size()) + 1;
    result.shape.insert(result.shape.begin() + (dimension < 0 ? dimension + rank : dimension), 1);
    return call1("aten::unsqueeze", {{"self", ValueRef{x}}, {"dim", dimension}}, std::move(result));
}

ValueId GraphBuilder::flatten(ValueId x, std::int64_t first, std::int64_t last)
{
    TensorType result{type(x).dtype, {}};
    const std::size_t from = axis(shape(x), first);
    const std::size_t to = axis(shape(x), last);
    for (std::size_t i = 0; i < shape(x).size(); ++i) {
        if (i > from && i <= to)
            result.shape.back() *= shape(x)[i];
        else
            result.shape.push_back(shape(x)[i]);
    }
    return call1("aten::flatten.using_ints",
                 {{"self", ValueRef{x}}, {"start_dim", first}, {"end_dim", last}},
                 std::move(result));
}

ValueId GraphBuilder::select(ValueId x, std::int64_t dimension, std::int64_t index)
{
    TensorType result = type(x);
    result.shape.erase(result.shape.begin() +
                       static_cast<std::ptrdiff_t>(axis(result.shape, dimension)));
    return call1("aten::select.int", {{"self", ValueRef{x}}, {"dim", dimension}, {"index", index}},
                 std::move(result));
}

ValueId GraphBuilder::slice(ValueId x, std::int64_t dimension, std::int64_t begin, std::int64_t end)
{
    TensorType result = type(x);
    std::int64_t& extent = result.shape[axis(result.shape, dimension)];
    QS_ASSERT(begin >= 0 && begin <= end && end <= extent);
    extent = end - begin;
    return call1("aten::slice.Tensor",
                 {{"self", ValueRef{x}}, {"dim", dimension}, {"start", begin}, {"end", end}},
                 std::move(result));
}

std::vector<ValueId> GraphBuilder::unbind(ValueId x, std::int64_t dimension)
{
    TensorType part = type(x);
    const std::size_t along = axis(part.shape, dimension);
    const auto count = static_cast<std::size_t>(part.shape[along]);
    part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(along));
    return call("aten::unbind.int", {{"self", ValueRef{x}}, {"dim", dimension}},
                std::vector<TensorType>(count, part));
}

std::vector<ValueId> GraphBuilder::chunk(ValueId x, std::int64_t chunks, std::int64_t dimension)
{
    TensorType part = type(x);
    std::int64_t& extent = part.shape[axis(part.shape, dimension)];
    QS_ASSERT(extent % chunks == 0);
    extent /= chunks;
    return call("aten::chunk", {{"self", ValueRef{x}}, {"chunks", chunks}, {"dim", dimension}},
                std::vector<TensorType>(static_cast<std::size_t>(chunks), part));
}

ValueId GraphBuilder::integerMatmul(ValueId a, ValueId b)
{
    QS_ASSERT(type(a).dtype == DType::Int8 && type(b).dtype == DType::Int8);
    QS_ASSERT(shape(a)[1] == shape(b)[0]);
    return call1("aten::_int_mm", {{"self", ValueRef{a}}, {"mat2", ValueRef{b}}},
                 {DType::Int32, {shape(a)[0], shape(b)[1]}});
}

ValueId GraphBuilder::scaledMatmul(ValueId a, ValueId b, ValueId scaleA, ValueId scaleB,
                                   ValueId bias, DType output, bool fastAccumulation)
{
    QS_ASSERT(shape(a)[1] == shape(b)[0]);
    std::vector<NamedArgument> arguments{{"self", ValueRef{a}},
                                         {"mat2", ValueRef{b}},
                                         {"scale_a", ValueRef{scaleA}},
                                         {"scale_b", ValueRef{scaleB}}};
    if (bias >= 0)
        arguments.push_back({"bias", ValueRef{bias}});
    arguments.push_back({"out_dtype", output});
    arguments.push_back({"use_fast_accum", fastAccumulation});
    return call1("aten::_scaled_mm", std::move(arguments), {output, {shape(a)[0], shape(b)[1]}});
}

ValueId GraphBuilder::addInPlace(ValueId target, ValueId x)
{
    return call1("aten::add_.Tensor", {{"self", ValueRef{target}}, {"other", ValueRef{x}}},
                 type(target));
}

Graph GraphBuilder::finish()
{
    const Status status = validate(m_graph);
    QS_ASSERT(status.ok());
    return std::exchange(m_graph, {});
}

ModuleScope::ModuleScope(GraphBuilder& builder, std::string_view name)
    : m_builder(builder), m_length(builder.m_module.size())
{
    if (!m_builder.m_module.empty())
        m_builder.m_module += '.';
    m_builder.m_module += name;
}

ModuleScope::~ModuleScope()
{
    m_builder.m_module.resize(m_length);
}

} // namespace qs::core
