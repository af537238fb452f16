#pragma once

#include "core/engine/cell_observer.h"
#include "core/engine/compile/package_compiler.h"
#include "core/engine/lowered_cell.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

#include <c10/core/Device.h>

#include <memory>
#include <vector>

namespace qs::engine {

// Per stage; none for those whose mode has none. Before the weights come: the compiler has the
// device for itself. Records of the compiles go into the result.
// Of a compiled program of the user, what was unpacked of it.
[[nodiscard]] core::Result<std::vector<StagePackages>>
providePackages(const LoweredCell& cell, const core::CellRequest& request,
                PackageCompiler& compiler, CellObserver& observer, core::CellResult& result);

// What schemes with "by=compiled" go through columns with; null where none has that.
[[nodiscard]] core::Result<std::shared_ptr<const CompiledColumns>>
provideColumns(const LoweredCell& cell, c10::Device device, PackageCompiler& compiler,
               CellObserver& observer, core::CellResult& result);

}  // namespace qs::engine
