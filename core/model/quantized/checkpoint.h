#pragma once

#include "core/model/opened_model.h"

#include <cstddef>
#include <filesystem>
#include <string>

// Checkpoints whose weights are stored as a scheme has them; see Note [Quantized checkpoints] in
// core/quant/checkpoint_format.h.
namespace qs::core::quantized {

inline constexpr const char* kLayout = "quantscope-quantized";
inline constexpr const char* kLayoutVersion = "1";
inline constexpr const char* kFile = "model.safetensors";  // in a folder

// What the names of the weights of a stage begin with: "decoder.", or nothing.
[[nodiscard]] std::string weightPrefix(const ModelFamily& family, std::size_t stage);
// "vitok:w64_d2_h2/1x8x16": what makes the architecture of a model; empty if no name does.
[[nodiscard]] std::string architectureOf(const Model& model);

// By the metadata of the file, and a config.json beside it.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);
[[nodiscard]] Result<OpenedModel> openCheckpoint(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectCheckpoint(const std::filesystem::path& path);

}  // namespace qs::core::quantized
