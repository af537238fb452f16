#include "core/graph/builder.h"

#include "core/graph/call_reader.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// See Note [Sticky errors].
constexpr std::size_t kPartsAfterFailure = 16;

const TensorType& typeAfterFailure()
{
    static const TensorType type{DType::Float32, std::vector<std::int64_t>(8, 1)};
    return type;
}

}  // namespace

void GraphBuilder::fail(Error error)
{
    if (m_error)
        return;
    m_error = m_module.empty() ? std::move(error) : error.within(m_module);
}

ValueId GraphBuilder::add(const std::string& name, TensorType type, ValueKind kind)
{
    if (const Status possible = checkShape(type.shape); !possible.ok())
        fail(possible.error().within(name));
    if (failed())
        return 0;
    m_graph.values.push_back({name, std::move(type), kind});
    return static_cast<ValueId>(m_graph.values.size() - 1);
}

// The value that is there under that name, or -1.
ValueId GraphBuilder::existing(const std::string& name, const TensorType& type, ValueKind kind)
{
    const ValueId found = failed() ? -1 : m_graph.findValue(name);
    if (found < 0)
        return found;
    const Value& value = m_graph.value(found);
    if (value.kind != kind || value.type != type)
        fail({ErrorCode::Format, name + " is asked for as " + toText(type) + ", but is " +
                                     toText(value.type) + " or of another kind"});
    return found;
}

ValueId GraphBuilder::input(const std::string& name, TensorType type)
{
    if (!failed() && m_graph.findValue(name) >= 0)
        fail({ErrorCode::Format, "the name " + name + " is given twice"});
    const ValueId id = add(name, std::move(type), ValueKind::Input);
    if (!failed())
        m_graph.inputs.push_back(id);
    return id;
}

ValueId GraphBuilder::weight(const std::string& name, TensorType type)
{
    const ValueId found = existing(name, type, ValueKind::Weight);
    return found >= 0 ? found : add(name, std::move(type), ValueKind::Weight);
}

ValueId GraphBuilder::state(const std::string& name, TensorType type, double initialValue)
{
    const ValueId found = existing(name, type, ValueKind::State);
    if (found >= 0)
        return found;
    const ValueId id = add(name, std::move(type), ValueKind::State);
    if (!failed() && initialValue != 0.0)
        m_graph.initialValues.emplace(id, initialValue);
    return id;
}

ValueId GraphBuilder::constant(const std::string& name, TensorType type, std::vector<double> values)
{
    const std::int64_t expected = checkShape(type.shape).ok() ? type.elementCount() : -1;
    if (static_cast<std::int64_t>(values.size()) != expected)
        fail({ErrorCode::Format, "constant " + name + " has " + std::to_string(values.size()) +
                                     " values instead of " + std::to_string(expected)});
    const ValueId id = add(name, std::move(type), ValueKind::Constant);
    if (!failed())
        m_graph.constants.emplace(id, std::move(values));
    return id;
}

void GraphBuilder::output(ValueId value, const std::string& name)
{
    if (failed())
        return;
    if (m_graph.value(value).kind != ValueKind::Intermediate)
        return fail({ErrorCode::Format, "output " + name + " is not computed by an operation"});
    m_graph.values[static_cast<std::size_t>(value)].name = name;
    m_graph.outputs.push_back(value);
}

const TensorType& GraphBuilder::type(ValueId value) const
{
    return failed() ? typeAfterFailure() : m_graph.value(value).type;
}

const std::vector<std::int64_t>& GraphBuilder::shape(ValueId value) const
{
    return type(value).shape;
}

std::vector<ValueId> GraphBuilder::call(std::string_view operation,
                                        std::vector<NamedArgument> arguments)
{
    const std::vector<ValueId> afterFailure(kPartsAfterFailure, 0);
    if (failed())
        return afterFailure;
    const Operation* found = findOperation(operation);
    if (found == nullptr) {
        fail({ErrorCode::Unsupported,
              std::string(operation.substr(0, 80)) + " is not in the catalogue of operations"});
        return afterFailure;
    }
    auto results = inferTypes(*found, arguments, m_graph);
    if (!results.ok()) {
        fail(results.error());
        return afterFailure;
    }
    Node node{found, std::move(arguments), {}, m_module};
    for (TensorType& result : results.value())
        node.outputs.push_back(add("v" + std::to_string(m_graph.values.size()), std::move(result),
                                   ValueKind::Intermediate));
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back().outputs;
}

ValueId GraphBuilder::call1(std::string_view operation, std::vector<NamedArgument> arguments)
{
    const std::vector<ValueId> results = call(operation, std::move(arguments));
    if (failed())
        return 0;
    if (results.size() != 1) {
        fail({ErrorCode::Format, std::string(operation) + " has " + std::to_string(results.size()) +
                                     " results instead of one"});
        return 0;
    }
    return results.front();
}

ValueId GraphBuilder::linear(ValueId x, ValueId weight, ValueId bias)
{
    std::vector<NamedArgument> arguments{{"input", ValueRef{x}}, {"weight", ValueRef{weight}}};
    if (bias >= 0)
        arguments.push_back({"bias", ValueRef{bias}});
    return call1("aten::linear", std::move(arguments));
}

ValueId GraphBuilder::attention(ValueId query, ValueId key, ValueId value)
{
    return call1("aten::scaled_dot_product_attention",
                 {{"query", ValueRef{query}}, {"key", ValueRef{key}}, {"value", ValueRef{value}}});
}

ValueId GraphBuilder::layerNorm(ValueId x, std::vector<std::int64_t> normalizedShape,
                                double epsilon)
{
    return call1("aten::layer_norm", {{"input", ValueRef{x}},
                                      {"normalized_shape", std::move(normalizedShape)},
                                      {"eps", epsilon}});
}

ValueId GraphBuilder::unary(std::string_view operation, ValueId x)
{
    return call1("aten::" + std::string(operation), {{"self", ValueRef{x}}});
}

ValueId GraphBuilder::binary(std::string_view operation, ValueId a, ValueId b)
{
    return call1("aten::" + std::string(operation) + ".Tensor",
                 {{"self", ValueRef{a}}, {"other", ValueRef{b}}});
}

ValueId GraphBuilder::scalar(std::string_view operation, ValueId x, double number)
{
    return call1("aten::" + std::string(operation) + ".Scalar",
                 {{"self", ValueRef{x}}, {"other", number}});
}

ValueId GraphBuilder::power(ValueId x, double exponent)
{
    return call1("aten::pow.Tensor_Scalar", {{"self", ValueRef{x}}, {"exponent", exponent}});
}

ValueId GraphBuilder::clamp(ValueId x, double low, double high)
{
    return call1("aten::clamp", {{"self", ValueRef{x}}, {"min", low}, {"max", high}});
}

ValueId GraphBuilder::clampMin(ValueId x, double low)
{
    return call1("aten::clamp_min", {{"self", ValueRef{x}}, {"min", low}});
}

ValueId GraphBuilder::where(ValueId condition, ValueId a, ValueId b)
{
    return call1(
        "aten::where.self",
        {{"condition", ValueRef{condition}}, {"self", ValueRef{a}}, {"other", ValueRef{b}}});
}

ValueId GraphBuilder::equals(ValueId x, double number)
{
    return call1("aten::eq.Scalar", {{"self", ValueRef{x}}, {"other", number}});
}

ValueId GraphBuilder::bitwise(std::string_view operation, ValueId x, std::int64_t number)
{
    return call1("aten::" + std::string(operation), {{"self", ValueRef{x}}, {"other", number}});
}

ValueId GraphBuilder::reduce(std::string_view operation, ValueId x,
                             std::vector<std::int64_t> dimensions)
{
    const bool keep = !dimensions.empty();
    return call1(operation,
                 {{"self", ValueRef{x}}, {"dim", std::move(dimensions)}, {"keepdim", keep}});
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
    if (!failed() && type(x).dtype == dtype)
        return x;
    return call1("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", dtype}});
}

ValueId GraphBuilder::integerMatmul(ValueId a, ValueId b)
{
    return call1("aten::_int_mm", {{"self", ValueRef{a}}, {"mat2", ValueRef{b}}});
}

ValueId GraphBuilder::scaledMatmul(ValueId a, ValueId b, ValueId scaleA, ValueId scaleB,
                                   ValueId bias, DType output, bool fastAccumulation)
{
    std::vector<NamedArgument> arguments{{"self", ValueRef{a}},
                                         {"mat2", ValueRef{b}},
                                         {"scale_a", ValueRef{scaleA}},
                                         {"scale_b", ValueRef{scaleB}}};
    if (bias >= 0)
        arguments.push_back({"bias", ValueRef{bias}});
    arguments.push_back({"out_dtype", output});
    arguments.push_back({"use_fast_accum", fastAccumulation});
    return call1("aten::_scaled_mm", std::move(arguments));
}

ValueId GraphBuilder::addInPlace(ValueId target, ValueId x)
{
    return call1("aten::add_.Tensor", {{"self", ValueRef{target}}, {"other", ValueRef{x}}});
}

Result<Graph> GraphBuilder::finish()
{
    Graph graph = std::exchange(m_graph, {});
    if (std::optional<Error> error = std::exchange(m_error, {}))
        return std::move(*error);
    QS_RETURN_IF_ERROR(validate(graph));
    return graph;
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
