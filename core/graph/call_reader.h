#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

using Shape = std::vector<std::int64_t>;

// No device holds such a tensor, and below it byte counts stay far from the end of 64 bits.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 48U;
inline constexpr std::size_t kMostDimensions = 16;

// Why no tensor has this shape: a negative extent, too many dimensions or elements.
[[nodiscard]] Status checkShape(const Shape& shape);

// The arguments of one call as a type rule reads them (core/graph/type_rules.h). The first thing
// that is wrong is kept and reading goes on with harmless values, so that rules read like formulas;
// nothing that a graph says can stop the program.
class CallReader final
{
public:
    CallReader(const Graph& graph, const std::vector<NamedArgument>& arguments);

    // A tensor of at least or of exactly so many dimensions.
    [[nodiscard]] TensorType tensor(std::string_view name, std::size_t leastDimensions = 0);
    [[nodiscard]] Shape shape(std::string_view name, std::size_t dimensions);
    // Nothing if it is left out or None.
    [[nodiscard]] std::optional<TensorType> tensorIfAny(std::string_view name);
    // A list; without those that are None, unless they are asked for.
    [[nodiscard]] std::vector<TensorType> tensors(std::string_view name);
    [[nodiscard]] std::vector<std::optional<TensorType>> tensorsOrNone(std::string_view name);
    // Without a fallback the argument is required.
    [[nodiscard]] std::int64_t whole(std::string_view name,
                                     std::optional<std::int64_t> fallback = std::nullopt);
    [[nodiscard]] bool flag(std::string_view name, bool fallback);
    [[nodiscard]] std::optional<std::int64_t> wholeIfAny(std::string_view name);
    // A list of whole numbers.
    [[nodiscard]] Shape list(std::string_view name, std::optional<Shape> fallback = std::nullopt);
    // A list of numbers; empty if it is left out or None.
    [[nodiscard]] std::vector<double> reals(std::string_view name);
    // Of one entry for each of `count` dimensions; one number stands for all of them.
    [[nodiscard]] Shape perDimension(std::string_view name, std::size_t count,
                                     std::optional<Shape> fallback);
    [[nodiscard]] DType dtype(std::string_view name, DType fallback);
    // Whether a number was written with a point, so that it widens integers.
    [[nodiscard]] bool isReal(std::string_view name) const;
    [[nodiscard]] bool isList(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;

    // The place of a dimension that may be counted from the end; `dimensions` of them.
    [[nodiscard]] std::size_t axis(std::int64_t dimension, std::size_t dimensions);
    // PyTorch's rules. A scalar tensor (no dimensions) does not widen a tensor of its own category.
    [[nodiscard]] Shape broadcast(const Shape& a, const Shape& b);
    [[nodiscard]] DType promoted(const TensorType& a, const TensorType& b);

    // False, and an error with the words and the types of all tensors, if the condition is.
    bool require(bool condition, std::string_view words);
    void give(TensorType result);
    void give(DType dtype, Shape shape) { give(TensorType{dtype, std::move(shape)}); }

    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] Result<std::vector<TensorType>> results() const;

private:
    [[nodiscard]] const Argument* find(std::string_view name) const;
    [[nodiscard]] const TensorType* type(ValueRef ref) const;
    [[nodiscard]] std::string typesText() const;
    void complain(std::string_view name, std::string_view words);

    const Graph& m_graph;
    const std::vector<NamedArgument>& m_arguments;
    std::vector<TensorType> m_results;
    std::optional<std::string> m_error;
};

// The types of the results of an operation, or why it cannot take these arguments.
[[nodiscard]] Result<std::vector<TensorType>>
inferTypes(const Operation& operation, const std::vector<NamedArgument>& arguments,
           const Graph& graph);

}  // namespace qs::core
