#pragma once

#include "core/base/note.h"
#include "core/graph/graph.h"
#include "core/lower/compile_mode.h"
#include "core/model/model.h"
#include "core/quant/layer_pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// The modules of a graph that any of the patterns meets, in order of their first operation.
[[nodiscard]] std::vector<std::string> modulesMet(const Graph& graph,
                                                  const std::vector<LayerPattern>& patterns);

// Why the modules that compile modes name cannot be regions of their stages, or stages cannot be
// cut between their blocks: the first reason, or nothing. One mode per stage. Makes the graphs of
// stages whose mode asks for it, so the shape must have passed checkShape.
[[nodiscard]] std::optional<Note> whyNoRegions(const ModelFamily& family,
                                               const std::vector<CompileMode>& modes,
                                               const ShapePoint& shape);

}  // namespace qs::core
