#pragma once

#include "core/lower/fused/shape_search.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/streamed_codes.h"

#include <vector>

namespace qs::core {

// Those that are worth trying on a GPU with so many processors: blocks with one item, and what is
// expected to be the fastest of others. `columns`: of k, that a thread widens at once. Without
// clusters k is not split.
[[nodiscard]] std::vector<SkinnyShape> skinnyShapes(const SkinnyProduct& skinny, int columns,
                                                    int processors, bool hasClusters);
// The same for streamed codes: none where the first operand does not fit beside them.
[[nodiscard]] std::vector<SkinnyShape> streamedShapes(const SkinnyProduct& skinny,
                                                      const StreamedCodes& codes, int processors,
                                                      bool hasClusters);

}  // namespace qs::core
