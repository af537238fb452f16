#pragma once

#include "core/model/model.h"
#include "core/model/vitok/variant.h"

#include <memory>

namespace qs::core::vitok {

// The ViTok autoencoder as a family: stages "encoder" (patches, row_idx, col_idx -> code) and
// "decoder" (code, row_idx, col_idx -> decoded). Parallel blocks, RMSNorm, SwiGLU, rotary embedding
// of rows and columns, no KL and no sampling.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant);

// The size of its images, for a model of that patch.
[[nodiscard]] SizeSpec imageSizeSpec(std::int64_t patch);

}  // namespace qs::core::vitok
