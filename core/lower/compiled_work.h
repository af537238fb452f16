#pragma once

#include "core/base/note.h"
#include "core/device/description.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"

#include <optional>
#include <vector>

namespace qs::core {

// Why packages of the program cannot be compiled for the device, where that is known before: the
// first reason, or nothing. `recipe` is the one that it was made from.
[[nodiscard]] std::optional<Note> whyNotCompiled(const Program& program, const Recipe& recipe,
                                                 const DeviceDescription& device);

// How much of a pass lies in what a compiler makes packages of. FLOPs as the published tables count
// them, products and attention alone; bytes as operations that run one by one read and write them,
// reshapes that copy included.
struct CompiledShare {
    double flops = 0.0;  // of all, 0 … 1
    double bytes = 0.0;

    bool operator==(const CompiledShare&) const = default;
};

// Of a program in whose compile modes a compiler takes part; `stages` are those of the program on
// that device. Nothing where no stage has packages.
[[nodiscard]] Result<std::optional<CompiledShare>>
compiledShare(const Program& program, const std::vector<ReferenceStage>& stages,
              const DeviceDescription& device);

}  // namespace qs::core
