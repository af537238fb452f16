#include "core/lower/compiled_work.h"

#include "core/graph/cost.h"
#include "core/lower/eager_stage.h"
#include "core/model/te_llama/fused_family.h"
#include "core/model/te_llama/fused_variant.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

struct Shares {
    CompiledShare compiled;
    double bytesOfAll = 0.0;  // as operations read and write them, without what views copy
};

Shares sharesOf(const char* compile, std::int64_t sequence)
{
    const auto family =
        te_llama::makeFamily(te_llama::parseVariant("w64_d2_h4_f96_v128_blocks").value());
    const Recipe recipe = makeRecipe(*family, {"bf16"}, "all").value();
    const Program program = lower(*family, {recipe,
                                            {2, {{"sequence", sequence}}},
                                            parseCompileModes(compile, recipe.size()).value()})
                                .value();
    const auto& gpu = commonGpus().front();
    const auto stages = stagesAsRun(program, gpu).value();
    const Cost cost = costOf(stages.front().graph);
    return {compiledShare(program, stages, gpu).value().value(),
            cost.weightBytes + cost.activationBytes};
}

// Heads [2, 4, 6, 16] become [2, 6, 64] in each of two blocks, and are copied: bf16, read and
// written.
TEST(CompiledShare, OfHeadsThatAreMerged)
{
    const double copied = 2 * 2 * 2.0 * (2 * 6 * 64);
    const auto [merges, bytes] = sharesOf("regions:attention_merge", 6);
    EXPECT_EQ(merges.flops, 0.0);
    EXPECT_NEAR(merges.bytes, copied / (bytes + copied), 1e-12);
    const double ropes = sharesOf("regions:rope", 6).compiled.bytes;
    EXPECT_NEAR(sharesOf("regions:rope+attention_merge", 6).compiled.bytes, ropes + merges.bytes,
                1e-12);
}

TEST(CompiledShare, OneTokenIsMergedWhereItLies)
{
    EXPECT_EQ(sharesOf("regions:attention_merge", 1).compiled.bytes, 0.0);
}

}  // namespace
}  // namespace qs::core
