#pragma once

#include "core/lower/reference.h"

#include <vector>

namespace qs::core {

// Note [Kernels of a device]
// Compositions define what a scheme computes, and all that compilers and files receive. Where a
// stage runs operation by operation, PyTorch's library may have a kernel for a device that gives
// the same numbers sooner: a composition writes it in place of its own operations if the device
// says so (DeviceDescription::exactInt8Convolutions). Such kernels read weights in a layout of
// their own, which is made once and not in each pass.

// A stage as it runs operation by operation.
struct EagerStage {
    ReferenceStage stage;
    // Runs once, before the first pass: reads weights of the program; its outputs are weights that
    // `stage` reads under their names. Empty where no kernel has such a layout.
    Graph layouts;
};

[[nodiscard]] Result<EagerStage> eagerStage(const StageProgram& stage,
                                            const DeviceDescription& device);

// Whether the compile mode of a stage runs it so.
[[nodiscard]] bool runsByOperation(const StageProgram& stage);

// All stages of a program, each as its compile mode runs or receives it.
[[nodiscard]] Result<std::vector<ReferenceStage>> stagesAsRun(const Program& program,
                                                              const DeviceDescription& device);

}  // namespace qs::core
