#pragma once

#include "core/analysis/row_outline.h"
#include "core/report/csv_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Columns that several tables share.
namespace qs::core {

// One text, with semicolons between.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts);

void addName(std::vector<std::string>& names, const std::string& name);
// Encoder and decoder always have their columns; other stages get theirs where they occur.
[[nodiscard]] std::vector<std::string> stageColumns(const RowOutline& rows);

// The element, or nothing beyond the end.
[[nodiscard]] std::optional<double> at(const std::vector<double>& values, std::size_t index);
[[nodiscard]] std::optional<std::int64_t> at(const std::vector<std::optional<std::int64_t>>& values,
                                             std::size_t index);

void addConfig(CsvTable& table, const CellConfig& config);
// `measured`: whether there was a result at all; without one even the counts are empty.
void addMemory(CsvTable& table, const MemoryFigures& memory, bool measured);

}  // namespace qs::core
