#pragma once

#include "core/model/catalogue.h"

#include <filesystem>

namespace qs::core::olmoearth {

// The encoder of a state_dict as it is published (with the prefix "encoder." or without) in a
// .safetensors, or a folder with model.safetensors or weights.safetensors. Width and depth are
// inferred from shapes; heads are those of the published size.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::olmoearth
