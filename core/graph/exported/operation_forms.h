#pragma once

#include "core/graph/exported/form_tables.h"

#include <string>
#include <string_view>

namespace qs::core::exported {

// Null if it stands in the catalogue as it is, or nowhere.
[[nodiscard]] OperationForm findForm(std::string_view target);

// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor"; empty for what is no operation of ATen.
[[nodiscard]] std::string catalogueName(std::string_view target);

}  // namespace qs::core::exported
