#include "core/graph/builder.h"

#include "core/graph/infer.h"

#include <algorithm>
#include <utility>

namespace qs::core {

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
                 {infer::promoted(type(a), type(b)), infer::broadcast(shape(a), shape(b))});
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
        {infer::promoted(type(a), type(b)),
         infer::broadcast(shape(condition), infer::broadcast(shape(a), shape(b)))});
}

ValueId GraphBuilder::equals(ValueId x, double number)
{
    return call1("aten::eq.Scalar", {{"self", ValueRef{x}}, {"other", number}},
                 {DType::Bool, shape(x)});
}

ValueId GraphBuilder::bitwise(std::string_view operation, ValueId x, std::int64_t number)
{
    QS_ASSERT(!isFloating(type(x).dtype));
    return call1("aten::" + std::string(operation), {{"self", ValueRef{x}}, {"other", number}},
                 type(x));
}

ValueId GraphBuilder::reduce(std::string_view operation, ValueId x,
                             std::vector<std::int64_t> dimensions)
{
    const TensorType result{type(x).dtype, infer::reduced(shape(x), dimensions)};
    const bool keep = !dimensions.empty();
    return call1(operation,
                 {{"self", ValueRef{x}}, {"dim", std::move(dimensions)}, {"keepdim", keep}},
                 result);
}

ValueId GraphBuilder::mean(ValueId x, std::vector<std::int64_t> dimensions)
{
    return reduce("aten::mean.dim", x, std::move(dimensions));
}

ValueId GraphBuilder::absoluteMaximum(ValueId x, std::vector<std::int64_t> dimensions)
{
    return reduce("aten::amax", unary("abs", x), std::move(dimensions));
}

ValueId GraphBuilder::maximum(ValueId x, std::vector<std::int64_t> dimensions)
{
    return reduce("aten::amax", x, std::move(dimensions));
}

ValueId GraphBuilder::minimum(ValueId x, std::vector<std::int64_t> dimensions)
{
    return reduce("aten::amin", x, std::move(dimensions));
}

ValueId GraphBuilder::cast(ValueId x, DType dtype)
{
    if (type(x).dtype == dtype)
        return x;
    return call1("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", dtype}}, {dtype, shape(x)});
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

}  // namespace qs::core
