#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace qs::core::quantized {

inline constexpr const char* kConfigFile = "config.json";
inline constexpr const char* kConfigKey = "quantization_config";

enum class ColumnOrder { AsTheyLie, Solved, Grouped };  // actorder: null, weight or static, group

// How compressed-tensors packed a weight.
struct Packing {
    std::int64_t bits = 4;
    std::int64_t group = 0;  // columns that share a scale; 0: all of a row
    ColumnOrder order = ColumnOrder::AsTheyLie;
};

// The quantization_config of compressed-tensors in its format pack-quantized.
struct PackedConfig {
    std::map<std::string, Packing> modules;  // by the names of its targets; "Linear" is a target
    std::set<std::string> ignored;
};

// Format, with the path in the document, for what is contradictory or cannot be read here.
[[nodiscard]] Result<PackedConfig> readPackedConfig(const std::filesystem::path& path);

}  // namespace qs::core::quantized
