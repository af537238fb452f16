#pragma once

#include "core/base/json_view.h"
#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"

#include <functional>

namespace qs::core::exported {

// Reads a graph inside of an argument; empty where none may be.
using GraphReader = std::function<Result<ProgramGraph>(const JsonView&)>;

// One of the schema's union Argument: an object with one member that says its kind.
[[nodiscard]] Result<ProgramArgument> parseArgument(const JsonView& json, const GraphReader& graph);
// {"as_int": 3} or {"as_expr": {"expr_str": "Symbol('s77', …)"}}
[[nodiscard]] Result<SizeExpression> parseSize(const JsonView& json);

}  // namespace qs::core::exported
