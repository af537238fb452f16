#pragma once

#include "core/model/quantized/layout.h"

namespace qs::core::quantized {

// Whether the metadata are those of torchao.prototype.safetensors.
[[nodiscard]] bool hasTorchAoTexts(const SafetensorsFile& file);

// Of such a file: its tensors of Int8Tensor and Float8Tensor, whose description has to agree with
// what is stored. Reads headers alone.
[[nodiscard]] Result<QuantizedWeights> torchAoWeights(const SafetensorsFile& file);

}  // namespace qs::core::quantized
