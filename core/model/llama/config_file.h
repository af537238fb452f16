#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/llama/config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core::llama {

// Hugging Face's config.json of a model in the shape of Llama (model types llama, mistral, qwen2).
// What the file says beyond the architecture is left alone; what changes the mathematics in a way
// that is not known here is refused.
[[nodiscard]] Result<Config> configFromJson(const Json& json, const std::string& source);

// Whether it is the config.json of such a model.
[[nodiscard]] bool isConfigOfFamily(const Json& json);

// The files of model.safetensors.index.json, in alphabetical order. Names that lead out of the
// folder are refused.
[[nodiscard]] Result<std::vector<std::filesystem::path>>
shardsFromIndex(const Json& json, const std::filesystem::path& folder);

}  // namespace qs::core::llama
