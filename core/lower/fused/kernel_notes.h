#pragma once

#include "core/base/note.h"
#include "core/device/description.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"

#include <vector>

namespace qs::core {

// Of the products in stages that run in kernels of ours those that kernels of this GPU do not take,
// known before anything runs: for each stage one note a reason, with the module of the first and
// how many more there are. Of 16 bits with many rows, which are the library's anyway, none.
// `stages`: as their compositions have them, one for each of the program.
[[nodiscard]] std::vector<Note> notesOnKernels(const Program& program,
                                               const std::vector<ReferenceStage>& stages,
                                               const DeviceDescription& device);

// These, behind the notes of the compositions, and which stages run operation by operation on a
// processor. Where kernels take all products no rows are padded for those of PyTorch.
[[nodiscard]] std::vector<Note> notesAsRun(const Program& program,
                                           const std::vector<ReferenceStage>& stages,
                                           const DeviceDescription& device);

}  // namespace qs::core
