#pragma once

#include "core/model/catalogue.h"

#include <filesystem>

namespace qs::core::llama {

// A folder as Hugging Face has it, or a file in it: config.json, and model.safetensors or the
// shards that model.safetensors.index.json names.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::llama
