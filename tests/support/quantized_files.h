#pragma once

#include "tests/support/edited_safetensors.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace qs::tests {

// A small ViTok as a checkpoint of zeros with one quantized weight, to be damaged.
inline constexpr const char* kQuantizedArchitecture = "vitok:w32_d1_h2-w32_d1_h2/1x2x4";
inline constexpr const char* kQuantizedModule = "decoder.decoder_blocks.0.attn.qkv_proj";
inline const std::string kQuantizedWeight = std::string(kQuantizedModule) + ".weight";

struct QuantizedFiles {
    EditedSafetensors weights;
    nlohmann::json config;  // null: none

    // model.safetensors and config.json
    void write(const std::filesystem::path& folder) const;
};

// All weights as they are, in bfloat16.
[[nodiscard]] QuantizedFiles plainFiles();
// The weight in int8wo, in our own layout.
[[nodiscard]] QuantizedFiles ownLayoutFiles();
// What that layout says the weight is stored as.
void setScheme(QuantizedFiles& files, const std::string& scheme);
// GPTQ in ordered groups of 32, as compressed-tensors writes it.
[[nodiscard]] QuantizedFiles packedFiles();

}  // namespace qs::tests
