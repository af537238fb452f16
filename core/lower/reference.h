#pragma once

#include "core/base/note.h"
#include "core/device/description.h"
#include "core/lower/program.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// A stage in ATen operations alone: every layer that carries a scheme is replaced by the
// composition of its scheme. What a runner executes that has no kernels of its own, and what such
// kernels are tested against.
struct ReferenceStage {
    Graph graph;
    // For each of its operations the one of the stage that it stands for, by index.
    std::vector<std::size_t> source;
    // What deserves a word on the row: padded products, reference paths. Sorted, without repeats.
    std::vector<Note> notes;
};

[[nodiscard]] Result<ReferenceStage> referenceStage(const StageProgram& stage,
                                                    const DeviceDescription& device);
// The same with kernels of the device in place of compositions, where PyTorch's library has some
// that compilers and files know nothing of: see core/lower/eager_stage.h.
[[nodiscard]] Result<ReferenceStage> stageWithKernels(const StageProgram& stage,
                                                      const DeviceDescription& device);
// The device as if it had no such kernels.
[[nodiscard]] DeviceDescription withoutKernels(DeviceDescription device);

// Of all stages of a program.
[[nodiscard]] Result<std::vector<ReferenceStage>> referenceStages(const Program& program,
                                                                  const DeviceDescription& device);
// The notes of all stages. Sorted, without repeats.
[[nodiscard]] std::vector<Note> notesOf(const std::vector<ReferenceStage>& stages);

}  // namespace qs::core
