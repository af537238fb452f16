#include "core/graph/call_reader.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

bool isNone(const Argument* argument)
{
    return argument == nullptr || std::holds_alternative<std::monostate>(*argument);
}

// bool, integers, floating: the category of the result is the highest one.
int categoryOf(DType dtype)
{
    if (isFloating(dtype))
        return 2;
    return dtype == DType::Bool ? 0 : 1;
}

// Of two types of tensors that both have dimensions, or neither has. Nothing for pairs whose result
// is a type that we do not have.
std::optional<DType> promotedType(DType a, DType b)
{
    if (a == b)
        return a;
    if (categoryOf(a) != categoryOf(b))
        return categoryOf(a) > categoryOf(b) ? a : b;
    if (a == DType::Float8E4M3 || b == DType::Float8E4M3)
        return std::nullopt;
    if (isFloating(a))
        return a == DType::Float64 || b == DType::Float64 ? DType::Float64 : DType::Float32;
    // Signed and unsigned bytes would be int16.
    const bool unsignedPair = byteSize(a) == byteSize(b);
    if (unsignedPair)
        return std::nullopt;
    return byteSize(a) > byteSize(b) ? a : b;
}

}  // namespace

Status checkShape(const Shape& shape)
{
    const auto refuse = [&](const char* why) {
        return Error{ErrorCode::Format, toText(TensorType{DType::Float32, shape}) + why};
    };
    if (shape.size() > kMostDimensions)
        return Error{ErrorCode::Format, "a tensor of " + std::to_string(shape.size()) +
                                            " dimensions; 16 are the most"};
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            return refuse(" has a negative extent");
        if (__builtin_mul_overflow(elements, std::max<std::int64_t>(extent, 1), &elements) ||
            elements > kMostElements)
            return refuse(" has more than 2^48 values");
    }
    return {};
}

CallReader::CallReader(const Graph& graph, const std::vector<NamedArgument>& arguments)
    : m_graph(graph), m_arguments(arguments)
{
}

const Argument* CallReader::find(std::string_view name) const
{
    const auto found =
        std::find_if(m_arguments.begin(), m_arguments.end(),
                     [&](const NamedArgument& argument) { return argument.name == name; });
    return found == m_arguments.end() ? nullptr : &found->value;
}

const TensorType* CallReader::type(ValueRef ref) const
{
    const bool known = ref.id >= 0 && static_cast<std::size_t>(ref.id) < m_graph.values.size();
    return known ? &m_graph.values[static_cast<std::size_t>(ref.id)].type : nullptr;
}

std::string CallReader::typesText() const
{
    std::string text;
    const auto add = [&](ValueRef ref) {
        if (const TensorType* known = type(ref))
            text += (text.empty() ? "" : ", ") + toText(*known);
    };
    for (const NamedArgument& argument : m_arguments) {
        if (const auto* ref = std::get_if<ValueRef>(&argument.value))
            add(*ref);
        else if (const auto* refs = std::get_if<ValueRefs>(&argument.value))
            std::for_each(refs->begin(), refs->end(), add);
    }
    return text;
}

void CallReader::complain(std::string_view name, std::string_view words)
{
    static_cast<void>(require(false, "argument " + std::string(name) + " " + std::string(words)));
}

bool CallReader::require(bool condition, std::string_view words)
{
    if (!condition && !m_error)
        m_error = std::string(words) + " (" + typesText() + ")";
    return condition;
}

std::optional<TensorType> CallReader::tensorIfAny(std::string_view name)
{
    const Argument* argument = find(name);
    if (isNone(argument))
        return std::nullopt;
    const auto* ref = std::get_if<ValueRef>(argument);
    const TensorType* known = ref == nullptr ? nullptr : type(*ref);
    if (known != nullptr)
        return *known;
    complain(name, "is no tensor of the graph");
    return std::nullopt;
}

TensorType CallReader::tensor(std::string_view name, std::size_t leastDimensions)
{
    std::optional<TensorType> found = tensorIfAny(name);
    if (!found)
        complain(name, "is missing");
    else if (found->shape.size() < leastDimensions)
        complain(name, "has too few dimensions");
    if (!found || found->shape.size() < leastDimensions)
        return {found ? found->dtype : DType::Float32, Shape(leastDimensions, 1)};
    return std::move(*found);
}

Shape CallReader::shape(std::string_view name, std::size_t dimensions)
{
    Shape found = tensor(name).shape;
    if (found.size() == dimensions)
        return found;
    complain(name, "must have " + std::to_string(dimensions) + " dimensions");
    return Shape(dimensions, 1);
}

std::vector<std::optional<TensorType>> CallReader::tensorsOrNone(std::string_view name)
{
    const Argument* argument = find(name);
    const auto* refs = argument == nullptr ? nullptr : std::get_if<ValueRefs>(argument);
    if (refs == nullptr) {
        complain(name, "is no list of tensors");
        return {};
    }
    std::vector<std::optional<TensorType>> found;
    for (const ValueRef ref : *refs) {
        const TensorType* known = type(ref);
        if (known == nullptr && ref.id >= 0)
            complain(name, "names a tensor that the graph does not have");
        found.push_back(known == nullptr ? std::nullopt : std::optional(*known));
    }
    return found;
}

std::vector<TensorType> CallReader::tensors(std::string_view name)
{
    std::vector<TensorType> found;
    for (std::optional<TensorType>& each : tensorsOrNone(name)) {
        if (each)
            found.push_back(std::move(*each));
        else
            complain(name, "holds None");
    }
    return found;
}

std::optional<std::int64_t> CallReader::wholeIfAny(std::string_view name)
{
    const Argument* argument = find(name);
    if (isNone(argument))
        return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(argument))
        return *number;
    complain(name, "is no whole number");
    return std::nullopt;
}

std::int64_t CallReader::whole(std::string_view name, std::optional<std::int64_t> fallback)
{
    if (const auto number = wholeIfAny(name))
        return *number;
    if (!fallback)
        complain(name, "is missing");
    return fallback.value_or(1);
}

bool CallReader::flag(std::string_view name, bool fallback)
{
    const Argument* argument = find(name);
    if (isNone(argument))
        return fallback;
    if (const auto* found = std::get_if<bool>(argument))
        return *found;
    complain(name, "is neither true nor false");
    return fallback;
}

Shape CallReader::list(std::string_view name, std::optional<Shape> fallback)
{
    const Argument* argument = find(name);
    if (isNone(argument) && fallback)
        return std::move(*fallback);
    if (argument != nullptr) {
        if (const auto* found = std::get_if<Shape>(argument))
            return *found;
    }
    complain(name, "is no list of whole numbers");
    return {};
}

std::vector<double> CallReader::reals(std::string_view name)
{
    const Argument* argument = find(name);
    if (isNone(argument))
        return {};
    if (const auto* found = std::get_if<std::vector<double>>(argument))
        return *found;
    if (const auto* whole = std::get_if<Shape>(argument))
        return {whole->begin(), whole->end()};
    complain(name, "is no list of numbers");
    return {};
}

Shape CallReader::perDimension(std::string_view name, std::size_t count,
                               std::optional<Shape> fallback)
{
    Shape found = list(name, std::move(fallback));
    if (found.size() == 1)
        found.resize(count, found.front());
    if (found.size() == count)
        return found;
    complain(name, "must have " + std::to_string(count) + " entries");
    return Shape(count, 1);
}

DType CallReader::dtype(std::string_view name, DType fallback)
{
    const Argument* argument = find(name);
    if (isNone(argument))
        return fallback;
    if (const auto* found = std::get_if<DType>(argument))
        return *found;
    complain(name, "is no type");
    return fallback;
}

bool CallReader::isReal(std::string_view name) const
{
    const Argument* argument = find(name);
    return argument != nullptr && std::holds_alternative<double>(*argument);
}

bool CallReader::isList(std::string_view name) const
{
    const Argument* argument = find(name);
    return argument != nullptr && std::holds_alternative<Shape>(*argument);
}

bool CallReader::has(std::string_view name) const
{
    return !isNone(find(name));
}

std::size_t CallReader::axis(std::int64_t dimension, std::size_t dimensions)
{
    const auto count = static_cast<std::int64_t>(dimensions);
    if (require(dimension >= -count && dimension < count,
                "there is no dimension " + std::to_string(dimension)))
        return static_cast<std::size_t>(dimension < 0 ? dimension + count : dimension);
    return 0;
}

Shape CallReader::broadcast(const Shape& a, const Shape& b)
{
    Shape result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
        static_cast<void>(
            require(left == right || left == 1 || right == 1, "shapes do not broadcast"));
        result[result.size() - 1 - i] = left == 1 ? right : left;
    }
    return result;
}

DType CallReader::promoted(const TensorType& a, const TensorType& b)
{
    if (categoryOf(a.dtype) == categoryOf(b.dtype) && a.shape.empty() != b.shape.empty())
        return a.shape.empty() ? b.dtype : a.dtype;
    const auto result = promotedType(a.dtype, b.dtype);
    static_cast<void>(require(result.has_value(), "these types have no common type here"));
    return result.value_or(a.dtype);
}

void CallReader::give(TensorType result)
{
    if (const Status possible = checkShape(result.shape); !possible.ok())
        static_cast<void>(require(false, possible.error().message));
    m_results.push_back(std::move(result));
}

Result<std::vector<TensorType>> CallReader::results() const
{
    if (m_error)
        return Error{ErrorCode::Format, *m_error};
    return m_results;
}

Result<std::vector<TensorType>> inferTypes(const Operation& operation,
                                           const std::vector<NamedArgument>& arguments,
                                           const Graph& graph)
{
    CallReader reader(graph, arguments);
    operation.types(reader);
    auto results = reader.results();
    if (!results.ok())
        return results.error().within(operation.fullName());
    return results;
}

}  // namespace qs::core
