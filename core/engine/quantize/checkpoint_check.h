#pragma once

#include "core/engine/quantize/checkpoint_writer.h"

namespace qs::engine {

// Reads what was written back and compares it byte by byte: a file of weights, header and all, with
// what writing it once more gives, an archive with the tensors of its stage. Format, naming file
// and tensor, if they differ. Files without tensors are not compared.
[[nodiscard]] core::Status compareCheckpoint(const QuantizedModel& quantized,
                                             core::CheckpointFormat format,
                                             const CheckpointPlaces& places);

}  // namespace qs::engine
