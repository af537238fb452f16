#pragma once

#include "core/lower/program.h"
#include "core/measure/cell_result.h"

#include <map>
#include <string>
#include <vector>

namespace qs::engine {

// Per stage: how often each product ran in one pass, "aten::_int_mm:int32" -> 16.
using OperationCounts = std::vector<std::map<std::string, int>>;

// Fills executed, operations and notes of the result from what was counted. Where the counts
// contradict the Program, the executed precision begins with "MISMATCH" and says what was expected.
void describeExecution(const core::Program& program, const core::Recipe& recipe,
                       const OperationCounts& counts, core::CellResult& result);

}  // namespace qs::engine
