#pragma once

#include "core/engine/cell_observer.h"
#include "core/engine/compile/package_compiler.h"
#include "core/engine/internal/backend.h"
#include "core/engine/lowered_cell.h"
#include "core/engine/quantize/column_rounder.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

#include <vector>

namespace qs::engine {

// Per stage; none for those whose mode has none. Before the weights come: the compiler has the
// device for itself. Records of the compiles go into the result.
// Of a compiled program of the user, what was unpacked of it.
[[nodiscard]] core::Result<std::vector<StagePackages>>
providePackages(const LoweredCell& cell, const core::CellRequest& request,
                PackageCompiler& compiler, CellObserver& observer, core::CellResult& result);

// What schemes that say "by=compiled" or "by=kernel" go through columns with; `backend` outlives
// it.
[[nodiscard]] core::Result<ColumnRounders>
provideRounders(const LoweredCell& cell, const Backend& backend, PackageCompiler& compiler,
                CellObserver& observer, core::CellResult& result);

}  // namespace qs::engine
