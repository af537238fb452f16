#pragma once

#include "core/base/result.h"
#include "core/model/catalogue.h"

#include <filesystem>

namespace qs::core::vitok {

// Opens trained ViTok weights: a folder with encoder.safetensors and decoder.safetensors, either of
// the two files (the other must lie beside it), or a legacy single file with both sides (prefix
// "_orig_mod." and names "encoder.3.…"). The variant is inferred from names and shapes alone; what
// is ambiguous (a folder with both forms) is an error that asks.
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);

// The same from the headers of the files alone, whatever is wrong with them.
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::vitok
