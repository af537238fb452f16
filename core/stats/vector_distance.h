#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>

namespace qs::core {

// How far one list of numbers is from a reference. All sums in double precision.
struct VectorDistance {
    bool identical = false;  // every value equal
    double meanSquaredError = 0.0;
    double maxAbsolute = 0.0;
    double meanAbsolute = 0.0;
    double cosineSimilarity = 1.0;  // -1..1; both all zero: 1, only one of them: 0
    // |a - reference| / |reference|; +infinity if only the reference is zero
    double relativeL2 = 0.0;
};

// Errors: different sizes, no values, NaN or infinite values.
[[nodiscard]] Result<VectorDistance> vectorDistance(std::span<const float> values,
                                                    std::span<const float> reference);

// Many vectors of one width, such as the embeddings of a batch: each is compared with its
// reference, because a sum over all would hide the one that went wrong.
struct EmbeddingAgreement {
    std::size_t vectors = 0;
    double meanCosine = 1.0;
    double worstCosine = 1.0;
    std::size_t worstVector = 0;  // the first with that cosine
    double meanRelativeL2 = 0.0;
    double worstRelativeL2 = 0.0;
};

// Rows of `width` values. Errors as above, and sizes that are no multiple of the width.
[[nodiscard]] Result<EmbeddingAgreement> embeddingAgreement(std::span<const float> values,
                                                            std::span<const float> reference,
                                                            std::size_t width);

}  // namespace qs::core
