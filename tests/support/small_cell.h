#pragma once

#include "core/measure/cell_request.h"

#include <filesystem>
#include <string>

namespace qs::tests {

// A request for a bf16 eager cell on the CPU, batch 2, that is measured in a fraction of a second.
// Its pictures (smooth, `count` of them, `size` pixels wide) are written into `folder`, which also
// receives the outputs.
[[nodiscard]] core::CellRequest smallCell(const std::filesystem::path& folder,
                                          const std::string& model, int count, int size);

}  // namespace qs::tests
