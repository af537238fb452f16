#pragma once

#include "core/model/quantized/layout.h"

#include <filesystem>

namespace qs::core::quantized {

// Whether a config.json beside the file says that it is one of compressed-tensors.
[[nodiscard]] bool hasPackedConfig(const std::filesystem::path& file);

// Of a file in the format pack-quantized of compressed-tensors and the config.json beside it, which
// have to agree. Reads headers and weight_shape alone.
[[nodiscard]] Result<QuantizedWeights> packedWeights(const SafetensorsFile& file);

}  // namespace qs::core::quantized
