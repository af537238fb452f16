#pragma once

#include "core/model/model.h"
#include "core/sweep/preset.h"

namespace qs::core {

// Whether the preset asks for nothing but compiled programs as they are.
[[nodiscard]] bool isAsPackaged(const Preset& preset);
// The preset for a model that is a compiled program: what cannot be chosen for it is as packaged;
// devices that the program is not for, and batches of which it takes none, give way to its own.
[[nodiscard]] Preset asPackaged(Preset preset, const ModelFamily& program);
// The same for any other model: precision and compile mode that are as packaged become the usual
// ones.
[[nodiscard]] Preset notAsPackaged(Preset preset);

}  // namespace qs::core
