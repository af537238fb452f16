#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"

#include <string>
#include <vector>

// What compiling costs, as a part of summary.md and of report.html; empty without a cell that is
// compiled. `gates` are those of each cell.
namespace qs::core {

[[nodiscard]] std::string compileSection(const Analysis& analysis,
                                         const std::vector<CellGates>& gates);
[[nodiscard]] std::string htmlCompile(const Analysis& analysis,
                                      const std::vector<CellGates>& gates);

}  // namespace qs::core
