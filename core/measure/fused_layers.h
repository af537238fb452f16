#pragma once

#include "core/base/note.h"
#include "core/measure/compile_record.h"
#include "core/measure/layer_report.h"

#include <vector>

namespace qs::core {

// Note [Layers of fused stages]
// Equal groups of a stage are one entry of its kernels, which names the module of the first alone.
// A layer is of the entry that names it; else of the one that names its like in another block;
// else of the only one that has calls left over and multiplies as layers of its scheme do. Where
// that leaves a choice, nothing is said of the layer.

// Adds to each layer what a cell that has the same ones computes its product in, by what its row
// says of its stages.
void noteFused(const std::vector<StageCompile>& compiles, const std::vector<Note>& notes,
               LayerReport& report);

}  // namespace qs::core
