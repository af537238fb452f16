#pragma once

#include "core/lower/compile_mode_spec.h"
#include "core/quant/layer_pattern.h"

#include <string_view>
#include <vector>

namespace qs::core {

// Parameters of the modes below, and words that they take.
inline constexpr std::string_view kRegionsParameter = "regions";
inline constexpr std::string_view kModulesParameter = "at";
inline constexpr std::string_view kAutotuneParameter = "autotune";
inline constexpr std::string_view kBlocksParameter = "blocks";
inline constexpr const char* kOnce = "once";
inline constexpr const char* kCut = "cut";
inline constexpr std::string_view kShapesParameter = "shapes";
inline constexpr const char* kDynamic = "dynamic";
inline constexpr std::string_view kUnitsParameter = "units";
inline constexpr const char* kPlain = "plain";
inline constexpr std::string_view kGraphParameter = "graph";
inline constexpr const char* kPass = "pass";

// "decoder_blocks.{0-3}.ffn+decoder_blocks.7" -> its patterns.
[[nodiscard]] Result<std::vector<LayerPattern>> modulesFrom(std::string_view text);

// The rows that the registry of compile modes begins with.
[[nodiscard]] std::vector<CompileModeSpec> builtInCompileModes();

}  // namespace qs::core
