#pragma once

#include "core/base/json_view.h"
#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"

#include <cstdint>
#include <vector>

namespace qs::core::exported {

// Reads models/model.json. Errors name the place in it.
[[nodiscard]] Result<ExportedProgram> parseProgram(const JsonView& json);
// Sizes [{"as_int": 3}, …] of a description of a tensor, without symbols.
[[nodiscard]] Result<std::vector<std::int64_t>> plainSizes(const JsonView& list);

}  // namespace qs::core::exported
