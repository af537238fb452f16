#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <optional>

namespace qs::core {

// A tensor as rows of equal length.
struct Rows {
    std::int64_t count = 0;
    std::int64_t length = 0;
    bool operator==(const Rows&) const = default;
};

// What an operation along the last axis computes of each row.
enum class RowOperation { Sum, Mean, Maximum, Minimum, LayerNorm, RmsNorm };

struct RowCall {
    RowOperation operation = RowOperation::Sum;
    ValueId source = -1;
    Rows rows;
};
// Nothing for other operations, other axes and other types than floats.
[[nodiscard]] std::optional<RowCall> rowCallOf(const Graph& graph, const Node& node);
// Whether kernels have text for what it computes, of elements or of rows; others move elements.
[[nodiscard]] bool computesRows(const Graph& graph, const Node& node);

}  // namespace qs::core
