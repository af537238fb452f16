#pragma once

#include "core/model/model.h"
#include "core/model/vitok/variant.h"

#include <memory>
#include <vector>

namespace qs::core::vitok {

// The ViTok autoencoder as a family: stages "encoder" (patches, row_idx, col_idx -> code) and
// "decoder" (code, row_idx, col_idx -> decoded). Parallel blocks, RMSNorm, SwiGLU, rotary embedding
// of rows and columns, no KL and no sampling.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant);

// The sizes of a model of that patch: of its images, see Note [Shapes of images] in
// core/model/image_inputs.h, and of the band of tokens that each token attends to.
[[nodiscard]] std::vector<SizeSpec> sizeSpecs(std::int64_t patch);

}  // namespace qs::core::vitok
