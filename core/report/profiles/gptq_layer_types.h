#pragma once

#include "core/report/plain_table.h"
#include "core/report/profiles/gptq_runs.h"

#include <functional>
#include <string>

namespace qs::core {

// Time and loss of a layer by its type, a line for each type of each cell. `first`: the head of the
// first column, and what it calls a cell.
[[nodiscard]] PlainTable
layerTypesTable(const GptqScenario& scenario, const std::string& first,
                const std::function<std::string(const GptqCell& cell)>& nameOf);

// The same of every cell of a run that quantizes as its workload; no lines where none solves.
[[nodiscard]] TableSection layerTypesSection(const RunData& data, const Analysis& analysis);

}  // namespace qs::core
