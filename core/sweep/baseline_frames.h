#pragma once

#include "core/sweep/cell.h"

#include <string>

// What a cell has in common with its speed baseline, as a text: equal frames, comparable cells.
namespace qs::core {

[[nodiscard]] bool isEager(const CellConfig& config);

// All of a cell but what an eager baseline decides, and the layers, which it may not have.
[[nodiscard]] std::string eagerFrameOf(CellConfig config);
// The same with its compile mode.
[[nodiscard]] std::string precisionFrameOf(CellConfig config);

// All of a cell but how it is compiled, or, if it quantizes, how that is done.
[[nodiscard]] std::string uncompiledFrameOf(CellConfig config);
// Whether others may stand against it as what they were before.
[[nodiscard]] bool isUncompiled(const CellConfig& config);

// Where inputs wait and which variables the worker has: cells that differ here are compared in a
// table of their own, see Note [Across settings].
[[nodiscard]] bool startsAlike(const CellConfig& config, const CellConfig& other);

}  // namespace qs::core
