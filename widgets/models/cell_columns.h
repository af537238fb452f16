#pragma once

#include "widgets/models/cell_column.h"

namespace qs::widgets {

// In the order of CellTableModel::Column.
[[nodiscard]] const std::vector<CellColumn>& cellColumns();

}  // namespace qs::widgets
