#pragma once

#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"

#include <cstdint>
#include <vector>

namespace qs::core::exported {

// What a network did with a batch of one size: a program without symbols.
struct BatchRecording {
    std::int64_t batch = 0;
    ExportedProgram program;
};

// Note [Free batch]
// A program that was recorded while it ran says numbers where the network computed them from the
// sizes of its inputs. Recorded with several batches, it tells which numbers those are: whatever
// differs must be a multiple of the batch plus a constant, the same in each recording, and becomes
// arithmetic on a symbol. A network that takes another path for another batch, or depends on it in
// any other way, is an error that names the operation: it can be used with one batch only.

// Sizes of inputs that differ are the batch. At least three recordings with batches above 1; one
// with batch 1 beside them decides whether the range of the symbol begins there or at 2.
[[nodiscard]] Result<ExportedProgram> withFreeBatch(const std::vector<BatchRecording>& recordings);

}  // namespace qs::core::exported
