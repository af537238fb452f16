#pragma once

#include "core/model/model.h"
#include "core/model/olmoearth/variant.h"

#include <memory>
#include <vector>

namespace qs::core::olmoearth {

// One stage "encoder": images of satellites and their dates -> tokens. What its fast path runs: all
// of the input is there, nothing is masked.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant);

// Side of a tile, patch and time steps.
[[nodiscard]] std::vector<SizeSpec> sizeSpecs();

}  // namespace qs::core::olmoearth
