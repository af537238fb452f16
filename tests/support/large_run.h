#pragma once

#include "core/record/run_data.h"

#include <filesystem>

namespace qs::tests {

// At least so many rows of the sample run: of as many rounds as that takes.
[[nodiscard]] core::RunData runOfRows(std::size_t rows);

// At least so many cells: the sample run of two rounds again and again, each time with another
// seed.
[[nodiscard]] core::RunData runOfCells(std::size_t cells);

// A plan is stored as it is; the journal is written as one piece instead of row by row with a sync
// after each. False if it could not be written.
[[nodiscard]] bool storeQuickly(const std::filesystem::path& folder, const core::RunData& data);

}  // namespace qs::tests
