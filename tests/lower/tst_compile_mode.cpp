#include "core/lower/compile_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::HasSubstr;

TEST(CompileModes, NamesReadBack)
{
    for (const CompileMode& mode : offeredCompileModes())
        EXPECT_EQ(parseCompileMode(mode.text()).value(), mode);
    EXPECT_EQ(parseCompileMode("cuda-graph").value().text(), "cuda-graph");
    EXPECT_EQ(parseCompileMode("eager").value(), eagerMode());
    const auto unknown = parseCompileMode("egaer");
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.error().message, HasSubstr("none, cuda-graph"));
}

TEST(CompileModes, AreOneForAllStagesOrOneForEach)
{
    const auto one = parseCompileModes("cuda-graph", 3);
    ASSERT_TRUE(one.ok());
    EXPECT_EQ(one.value().size(), 3U);
    const auto each = parseCompileModes("eager/cuda-graph", 2);
    ASSERT_TRUE(each.ok());
    EXPECT_EQ(each.value()[0], eagerMode());
    EXPECT_EQ(each.value()[1].text(), "cuda-graph");
    EXPECT_FALSE(parseCompileModes("none/none", 3).ok());
    EXPECT_FALSE(parseCompileModes("", 1).ok());
    EXPECT_FALSE(parseCompileModes("none/", 2).ok());
}

TEST(CompileModes, HaveOneText)
{
    EXPECT_EQ(normalCompileText("eager"), "none");
    EXPECT_EQ(normalCompileText("none/eager"), "none");
    EXPECT_EQ(normalCompileText("eager/cuda-graph"), "none/cuda-graph");
    EXPECT_EQ(normalCompileText("what"), "what") << "the plan says what is wrong with it";
}

TEST(CompileModes, MayMultiplyPlainly)
{
    const CompileMode plain = parseCompileMode("fused:units=plain").value();
    EXPECT_EQ(plain.text(), "fused:units=plain") << "another cell than fused";
    EXPECT_TRUE(multipliesPlainly(plain));
    EXPECT_TRUE(plain->ownKernels);
    EXPECT_FALSE(multipliesPlainly(parseCompileMode("fused").value()));
    EXPECT_FALSE(multipliesPlainly(eagerMode()));
    EXPECT_EQ(normalCompileText("fused:units=best"), "fused");
    EXPECT_FALSE(parseCompileMode("fused:units=hopper").ok());
    EXPECT_FALSE(parseCompileMode("none:units=plain").ok());
}

TEST(CompileModes, AWholePassIsRecordedWhereEveryStageSaysSo)
{
    const CompileMode whole = parseCompileMode("fused:graph=pass").value();
    EXPECT_EQ(whole.text(), "fused:graph=pass");
    EXPECT_TRUE(recordsWholePass(whole));
    EXPECT_FALSE(recordsWholePass(parseCompileMode("fused:graph=stage").value()));
    EXPECT_FALSE(recordsWholePass(parseCompileMode("cuda-graph").value()));
    EXPECT_TRUE(parseCompileModes("fused:graph=pass", 2).ok());
    EXPECT_TRUE(parseCompileModes("fused:units=plain:graph=pass/fused:graph=pass", 2).ok());
    EXPECT_FALSE(parseCompileModes("fused:graph=pass/fused", 2).ok());
    EXPECT_FALSE(parseCompileModes("none/fused:graph=pass", 2).ok());
}

TEST(CompileModes, SayWhatComputes)
{
    const auto compilerOf = [](const char* text) {
        return qs::core::compilerOf(parseCompileMode(text).value());
    };
    EXPECT_EQ(compilerOf("cuda-graph"), compilerOf("none"));
    EXPECT_EQ(compilerOf("fused:graph=pass"), compilerOf("fused"));
    EXPECT_NE(compilerOf("fused"), compilerOf("none"));
    EXPECT_NE(compilerOf("fused:units=plain"), compilerOf("fused"));
}

TEST(CompileModes, KnowWhatBelongsToTheNoiseFloor)
{
    EXPECT_TRUE(computesAsEager("cuda-graph"));
    EXPECT_FALSE(computesAsEager("none"));
    EXPECT_FALSE(computesAsEager("none/cuda-graph"));
    EXPECT_FALSE(computesAsEager("what"));
}

TEST(CompileModes, OfInductorHaveTheNamesOfTorchCompile)
{
    EXPECT_EQ(parseCompileMode("max-autotune").value().text(), "inductor-max-autotune");
    const auto launched = parseCompileMode("inductor-default").value();
    const auto recorded = parseCompileMode("inductor-reduce-overhead").value();
    EXPECT_EQ(launched->packageMode, recorded->packageMode) << "one package for both";
    EXPECT_FALSE(launched->recorded);
    EXPECT_TRUE(recorded->recorded);
    EXPECT_TRUE(computesAsEager("inductor-default"));
    EXPECT_FALSE(computesAsEager("inductor-max-autotune"));
    EXPECT_TRUE(eagerMode()->packageMode.empty());
    EXPECT_TRUE(compilesBlocksOnce(launched));
    const auto whole = parseCompileMode("inductor-default:blocks=inline").value();
    EXPECT_FALSE(compilesBlocksOnce(whole));
    EXPECT_NE(compilerOf(launched), compilerOf(whole));
    EXPECT_EQ(compilerOf(launched), compilerOf(recorded));
    EXPECT_EQ(parseCompileMode("inductor-default:blocks=once").value().text(), "inductor-default");
    EXPECT_FALSE(compilesBlocksOnce(eagerMode()));
    const auto cut = parseCompileMode("inductor-default:blocks=cut").value();
    EXPECT_TRUE(cutsBetweenBlocks(cut));
    EXPECT_FALSE(cutsBetweenBlocks(launched) || cutsBetweenBlocks(whole) ||
                 cutsBetweenBlocks(eagerMode()));
    EXPECT_NE(compilerOf(cut), compilerOf(launched));
    EXPECT_EQ(cut.text(), "inductor-default:blocks=cut");
}

TEST(CompileModes, OfInductorMayServeEveryBatch)
{
    const auto fixed = parseCompileMode("inductor-default").value();
    const auto free = parseCompileMode("inductor-default:shapes=dynamic").value();
    EXPECT_FALSE(hasFreeBatch(fixed));
    EXPECT_TRUE(hasFreeBatch(free));
    EXPECT_FALSE(compilesBlocksOnce(free)) << "a block alone does not know the batch";
    EXPECT_NE(compilerOf(fixed), compilerOf(free));
    EXPECT_EQ(parseCompileMode("inductor-default:shapes=static").value().text(),
              "inductor-default");
    EXPECT_FALSE(hasFreeBatch(eagerMode()));
    EXPECT_FALSE(hasFreeBatch(parseCompileMode("regions:rope").value()));
}

TEST(CompileModes, NameTheRegionsThatAreCompiled)
{
    const auto mode = parseCompileMode("regions:norm+rope:autotune=rope").value();
    EXPECT_EQ(mode.text(), "regions:rope+norm:autotune=rope") << "one order";
    EXPECT_THAT(regionsOf(mode), testing::ElementsAre(RegionKind::Rope, RegionKind::Norm));
    EXPECT_EQ(packageModeOf(mode, RegionKind::Rope), "max-autotune");
    EXPECT_EQ(packageModeOf(mode, RegionKind::Norm), "default");
    for (const char* wrong : {"regions:", "regions:nrom", "regions:rope+rope", "regions:rope+",
                              "regions:rope:norm", "regions:mode=rope"})
        EXPECT_FALSE(parseCompileMode(wrong).ok()) << wrong;
    EXPECT_EQ(compilerOf(mode),
              compilerOf(parseCompileMode("regions-graph:rope+norm:autotune=rope").value()));
    EXPECT_NE(compilerOf(mode), compilerOf(parseCompileMode("regions:rope").value()));
    EXPECT_TRUE(compilerOf(eagerMode()).empty());
}

TEST(CompileModes, NameTheModulesThatAreCompiled)
{
    const auto mode = parseCompileMode("regions:at=decoder_blocks.{0,2-3}.ffn+norm").value();
    EXPECT_EQ(mode.text(), "regions:at=decoder_blocks.{0,2-3}.ffn+norm");
    EXPECT_THAT(regionsOf(mode), testing::IsEmpty()) << "instead of those it has by default";
    const auto modules = regionModulesOf(mode);
    ASSERT_EQ(modules.size(), 2U);
    EXPECT_EQ(modules[0].moduleMet("decoder_blocks.3.ffn.fc1"), "decoder_blocks.3.ffn");
    EXPECT_EQ(modules[1].text(), "norm");
    const auto both = parseCompileMode("regions:at=a.b:rope:autotune=at").value();
    EXPECT_EQ(both.text(), "regions:rope:at=a.b:autotune=at");
    EXPECT_EQ(packageModeOf(both, std::nullopt), "max-autotune");
    EXPECT_EQ(packageModeOf(both, RegionKind::Rope), "default");
    EXPECT_NE(compilerOf(both), compilerOf(parseCompileMode("regions:rope").value()));
    EXPECT_EQ(regionsAt({"a.{0,1}", "b"}), "regions:at=a.{0,1}+b");
    for (const char* wrong : {"regions:at=", "regions:at=a..b", "regions:at=a+a", "regions:at=a,b",
                              "regions:at=a+", "regions:at=a:at=b", "none:at=a"})
        EXPECT_FALSE(parseCompileMode(wrong).ok()) << wrong;
}

TEST(CompileModes, ExpandToSubsets)
{
    EXPECT_THAT(expandCompileText("none").value(), testing::ElementsAre("none"));
    EXPECT_THAT(expandCompileText("regions:subsets=norm+rope:autotune=rope").value(),
                testing::ElementsAre("regions:rope:autotune=rope", "regions:norm:autotune=rope",
                                     "regions:rope+norm:autotune=rope"));
    EXPECT_EQ(expandCompileText("regions-graph:subsets=rope+norm+silu_gate+mlp").value().size(),
              15U);
    EXPECT_FALSE(expandCompileText("regions:subsets=nrom").ok());
    EXPECT_FALSE(expandCompileText("none:subsets=rope").ok());
}

TEST(CompileModes, KeepAllButTheirRegions)
{
    const CompileMode tuned = parseCompileMode("regions:rope:autotune=rope").value();
    EXPECT_EQ(besideRegions(tuned), ":autotune=rope");
    EXPECT_EQ(besideRegions(eagerMode()), "");
    EXPECT_EQ(withRegions(tuned, {RegionKind::Norm}), "regions:norm:autotune=rope");
    EXPECT_EQ(withRegions(tuned, {}), "none");
    EXPECT_EQ(withRegions(parseCompileMode("regions-graph:rope").value(), {}), "cuda-graph");
    const CompileMode chosen = parseCompileMode("regions:rope:at=a").value();
    EXPECT_EQ(withRegions(chosen, {}), "regions:at=a");
    EXPECT_EQ(withRegions(chosen, {RegionKind::Norm}), "regions:norm:at=a");
}

TEST(CompileModes, SayWhatTheyNeed)
{
    const auto graph = parseCompileMode("cuda-graph").value();
    EXPECT_EQ(whyNot(graph->needs, commonGpus().front()), std::nullopt);
    EXPECT_EQ(whyNot(graph->needs, describeCpu()),
              (Note{NoteCode::NeedsCuda, {"CUDA graphs", "cpu"}}));
}

}  // namespace
}  // namespace qs::core
