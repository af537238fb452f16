#pragma once

#include "core/analysis/row_outline.h"
#include "core/report/csv_table.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Columns that several tables share.
namespace qs::core {

// One text, with semicolons between.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts);

// What the columns of a run depend on, besides its tables.
struct CsvLayout {
    std::vector<std::string> stages;      // in order of their first appearance
    std::vector<std::string> sizes = {};  // names, of any planned cell
    std::set<std::string> others = {};    // registered axes that any planned cell differs in
    bool env = false;                     // any planned cell has environment variables of its own
};
[[nodiscard]] CsvLayout layoutOf(const Plan& plan, const RowOutline& rows);

// The element, or nothing beyond the end.
[[nodiscard]] std::optional<double> at(const std::vector<double>& values, std::size_t index);
[[nodiscard]] std::optional<std::int64_t> at(const std::vector<std::optional<std::int64_t>>& values,
                                             std::size_t index);

void addConfig(CsvTable& table, const CellConfig& config, const CsvLayout& layout);
// Besides the peaks. `measured`: whether there was a result at all; without one even the counts are
// empty.
void addMemory(CsvTable& table, const MemoryFigures& memory, bool measured);

}  // namespace qs::core
