#pragma once

#include "core/device/description.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"
#include "core/lower/region_program.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Note [Regions]
// A regional compile mode compiles parts of a stage and leaves the rest as it is. Regions are found
// among the operations of the stage, before schemes are composed; each is then taken out of the
// stage's ATen operations as a program of its own, with all that it reads as inputs, weights
// included. So the same block in another place gives the same program, and is compiled once. Views
// in front of a region belong to it, because a compiled program reads dense tensors. A region that
// changes memory, or that something outside has to interrupt, stays as it is. Modules that are
// chosen by their paths are regions as well; which ones can be is said before a run, see
// core/lower/chosen_modules.h.

// Of a stage in a regional mode.
[[nodiscard]] Result<RegionStage> regionStage(const StageProgram& stage,
                                              const DeviceDescription& device);

// What lies between the blocks of a stage that is compiled as a whole.
inline constexpr const char* kRestPart = "rest";
// The packages of a stage that is compiled in parts: its regions, or, in a mode that compiles equal
// blocks once or cuts between them, blocks and what lies between them. Nothing if the stage is one
// package, as it is where no two blocks are equal or one of them cannot be taken out; in a mode
// that cuts, Unsupported.
[[nodiscard]] Result<std::optional<RegionStage>> compiledParts(const StageProgram& stage,
                                                               const DeviceDescription& device);

// What a compiler makes packages of for a stage: the whole of it, its parts, or nothing.
struct PackageProgram {
    std::string part;  // empty: the whole stage
    std::string packageMode;
    Graph graph;
    int calls = 1;
};
[[nodiscard]] Result<std::vector<PackageProgram>> packagePrograms(const StageProgram& stage,
                                                                  const DeviceDescription& device);

}  // namespace qs::core
