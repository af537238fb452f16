#pragma once

#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::tests {

// A request for a bf16 eager cell on the CPU, batch 2, that is measured in a fraction of a second.
// Its pictures (smooth, `count` of them, `size` pixels wide) are written into `folder`, which also
// receives the outputs.
[[nodiscard]] core::CellRequest smallCell(const std::filesystem::path& folder,
                                          const std::string& model, int count, int size);

// SHA-256 of each output.
[[nodiscard]] std::vector<std::string> outputHashes(const core::CellResult& result);

}  // namespace qs::tests
