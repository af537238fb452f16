#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace qs::engine {

// Note [GPTQ]
// Columns of a weight are rounded one after the other; each one's error is taken over by the
// columns after it, as the second moments H of the layer's inputs say, so that the outputs change
// least. Numerics follow llm-compressor (symmetric int4, scale = largest magnitude of the group
// with 0 / 7.5 of the weight before anything is moved, at least the epsilon of float32, codes by
// division, halves to even), in float64 instead of float32: so neither the size of a block nor the
// order of sums changes a code, and an oracle can be compared with code by code. Of a weight with
// at least 5 % zeros (pruned, or of inputs that never came) the zeros take over no errors and stay.

// In which order columns are rounded.
enum class ColumnOrder {
    Natural,
    Static,  // by falling second moment; groups as they lie
    Group,   // in that order, and groups are formed in it as well
};

class ColumnRounder;

// How the columns of a block are gone through where no ColumnRounder does it; all give the same
// codes.
enum class BlockSolver {
    Straight,  // as llm-compressor writes it: each column's error times a row of the factor, as a
               // product of matrices over the columns that are left, the weight rounded twice
    Improved,  // errors once, added by rank-one updates in place
};

struct GptqSettings {
    std::int64_t group = 128;
    ColumnOrder order = ColumnOrder::Static;
    double damp = 0.01;        // times the mean of the diagonal of H, added to it
    std::int64_t block = 128;  // columns
    BlockSolver solver = BlockSolver::Improved;
    const ColumnRounder* rounder = nullptr;  // goes through a few at a time, instead of `solver`
    // Rows have nothing to do with each other, and in float64 the head of a language model would
    // take more than all of its blocks: whole rows of no more numbers than these at a time.
    std::int64_t numbersAtATime = std::int64_t{1} << 25U;
};

struct GptqResult {
    at::Tensor codes;    // int8 [out, in] in -8 … 7
    at::Tensor scale;    // float64 [out, groups]
    at::Tensor groupOf;  // int64 [in]
    double loss = 0.0;   // see SolvedLayer
    std::int64_t deadColumns = 0;
    bool roundedToNearest = false;  // H is not positive definite, even damped
};

// weight [out, in]; moments float64 [in, in] on the same device. Keeps both as they are; moments
// that nobody else holds are let go early, as each further matrix of this size counts.
[[nodiscard]] GptqResult solveGptq(const at::Tensor& weight, at::Tensor moments,
                                   const GptqSettings& settings);

}  // namespace qs::engine
