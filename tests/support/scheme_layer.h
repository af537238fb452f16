#pragma once

#include "core/lower/program.h"

#include <cstdint>
#include <vector>

namespace qs::tests {

// The row of the layer "fc" [out, in] in a layer table.
[[nodiscard]] core::LayerRow layerRow(const core::Scheme& scheme, std::int64_t out,
                                      std::int64_t in);

// A stage of the layer "fc" alone: y = linear(x) under the scheme, x of that shape in the working
// type.
[[nodiscard]] core::StageProgram layerStage(const core::Scheme& scheme,
                                            const std::vector<std::int64_t>& x, std::int64_t out,
                                            bool bias);

}  // namespace qs::tests
