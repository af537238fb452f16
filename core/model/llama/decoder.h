#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/model/llama/config.h"
#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace qs::core::llama {

struct StageShape {
    std::int64_t batch;
    std::int64_t promptTokens;
    std::int64_t newTokens;
    DType compute;  // type of weights and activations

    [[nodiscard]] std::int64_t positions() const { return promptTokens + newTokens; }
    // Nothing is generated.
    [[nodiscard]] bool reads() const { return newTokens == 0; }
};

// Under the names of Hugging Face's checkpoints.
[[nodiscard]] std::vector<WeightSpec> weightsOf(const Config& config);

// Note [Generation]
// Two graphs share their weights and their states: a cache of keys and values for each layer, the
// token that comes next, its position, and the tokens that were generated. The prefill reads the
// prompt, fills the caches and chooses the first token; each run of the decode reads the next token
// and its position from the states, adds one entry to the caches and chooses the next token. So a
// generation needs no tensor from the host between its steps, and each stage can be recorded. The
// prefill writes all that the decode reads: nothing is left of the generation before. A decode that
// runs more often than there is room for (while it is warmed up) writes the last place again.

// tokens [B, S] (int64) -> prompt_logits [B, V], of the last position; without new tokens [B, S, V]
// of all, and there are no states.
[[nodiscard]] Result<Graph> buildPrefill(const Config& config, const StageShape& shape);
// At least one new token. No inputs -> logits [B, V]; generated [B, N] (int64), filled as far as
// the generation came.
[[nodiscard]] Result<Graph> buildDecode(const Config& config, const StageShape& shape);

}  // namespace qs::core::llama
