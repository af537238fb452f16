#pragma once

#include "core/model/catalogue.h"

#include <filesystem>

namespace qs::core::resnet {

// Weights under torchvision's names in a .safetensors file, or a folder with model.safetensors. The
// variant is inferred from names and shapes.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::resnet
