#pragma once

#include "core/engine/quantize/checkpoint_writer.h"

namespace qs::engine {

// Reads a written file of weights back, header and all, and compares it byte by byte with what
// writing it once more gives. Format, naming file and tensor, if they differ.
[[nodiscard]] core::Status compareCheckpoint(const QuantizedModel& quantized,
                                             core::CheckpointFormat format,
                                             const core::FilePlace& place);

}  // namespace qs::engine
