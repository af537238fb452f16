#pragma once

#include "core/model/catalogue.h"

#include <filesystem>
#include <string_view>

namespace qs::core::te_llama {

// The `model_type` of its config.json, whose `variant` is that of fused_variant.h.
inline constexpr std::string_view kModelType = "quantscope-te-llama";

// A folder that fused_import.h wrote, or a file in it: config.json and model.safetensors.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::te_llama
