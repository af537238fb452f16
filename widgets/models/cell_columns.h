#pragma once

#include "widgets/models/cell_column.h"

#include <string_view>

namespace qs::widgets {

// All columns of the table of cells, in its order.
[[nodiscard]] const std::vector<CellColumn>& cellColumns();
// -1 if there is none of that id.
[[nodiscard]] int columnOf(std::string_view id);
// In their order.
[[nodiscard]] std::vector<int> columnsOf(ColumnGroup group);

}  // namespace qs::widgets
