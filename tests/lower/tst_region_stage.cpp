#include "core/lower/region_stage.h"

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/arrangement.h"
#include "core/model/llama/llama.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::IsSupersetOf;

StageProgram decoder(const char* compile, const char* scheme = "bf16")
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const Recipe recipe = makeRecipe(*family, {scheme}, "all").value();
    const Program program = lower(*family, {recipe, tests::imageShape(1, 64),
                                            parseCompileModes(compile, recipe.size()).value()})
                                .value();
    return program.stages[1];
}

RegionStage taken(const char* compile, const char* scheme = "bf16")
{
    return regionStage(decoder(compile, scheme), commonGpus().front()).value();
}

std::int64_t countIn(const Graph& graph, std::string_view operation)
{
    return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                         [&](const Node& node) { return node.operation->name == operation; });
}

TEST(RegionStage, EqualBlocksShareAProgram)
{
    const RegionStage stage = taken("regions:rope");
    ASSERT_EQ(stage.programs.size(), 1U);
    EXPECT_EQ(stage.programs[0].calls, 2);
    EXPECT_THAT(stage.programOf, ElementsAre(0U, 0U));
    EXPECT_EQ(countIn(stage.graph, kQsRegion), 2);
    const Graph& rope = stage.programs[0].graph;
    EXPECT_EQ(rope.inputs.size(), 4U) << "query, key, cosine, sine";
    EXPECT_EQ(rope.outputs.size(), 2U);
    EXPECT_EQ(countIn(rope, "aten::mul"), 8);
    EXPECT_TRUE(validate(rope).ok());
    EXPECT_TRUE(validate(stage.graph).ok());
    EXPECT_THAT(stage.notes, IsEmpty());
}

TEST(RegionStage, PartsMayUseTf32WhereTheStageMay)
{
    for (const char* mode : {"regions:rope", "inductor-default", "inductor-default:blocks=cut"}) {
        for (const char* scheme : {"fp32", "tf32"}) {
            const RegionStage stage = taken(mode, scheme);
            const bool allowed = std::string_view(scheme) == "tf32";
            EXPECT_EQ(stage.graph.allowTf32, allowed) << mode;
            EXPECT_THAT(stage.programs,
                        Each(Field(&RegionProgram::graph, Field(&Graph::allowTf32, allowed))))
                << mode;
        }
    }
}

TEST(RegionStage, WhatIsTakenIsNotLeft)
{
    const RegionStage stage = taken("regions:rope+norm+silu_gate");
    for (const char* gone : {"aten::rsqrt", "aten::silu", "aten::stack", "aten::pow"})
        EXPECT_EQ(countIn(stage.graph, gone), 0) << gone;
    EXPECT_EQ(countIn(stage.graph, "aten::linear"), 2 + 2 * 4) << "all of them";
    EXPECT_EQ(stage.programs.size(), 5U) << "rope, gate, the norm of tokens, of queries, of keys";
    for (const RegionProgram& program : stage.programs)
        EXPECT_EQ(program.calls, 2) << program.part;
}

// Queries are a part of what one product gives; a region that reads them begins with all of it,
// which is dense.
TEST(RegionStage, ViewsBelongToWhatReadsThem)
{
    const RegionStage stage = taken("regions:norm");
    for (const RegionProgram& program : stage.programs) {
        for (const ValueId id : program.graph.inputs)
            EXPECT_NE(program.graph.value(id).type.shape.size(), 4U) << "no view of heads comes in";
    }
}

TEST(RegionStage, LayersInRegionsKeepTheirScheme)
{
    const RegionStage stage = taken("regions:mlp", "int8dq");
    ASSERT_EQ(stage.programs.size(), 1U);
    EXPECT_EQ(countIn(stage.programs[0].graph, "aten::_int_mm"), 2);
    EXPECT_EQ(countIn(stage.graph, "aten::_int_mm"), 2 * 2);
    for (const ValueId id : stage.programs[0].graph.inputs)
        EXPECT_TRUE(stage.programs[0].graph.value(id).name.starts_with("x"));
}

TEST(RegionStage, BlocksAreOneProgram)
{
    const RegionStage stage = taken("regions:block+norm");
    ASSERT_EQ(stage.programs.size(), 1U);
    EXPECT_EQ(stage.programs[0].calls, 2);
    EXPECT_EQ(stage.programs[0].part, "block");
    EXPECT_THAT(stage.notes, IsEmpty()) << "the norms are part of the blocks";
}

TEST(RegionStage, ChosenModulesThatAreEqualShareAProgram)
{
    const RegionStage stage = taken("regions:at=decoder_blocks.{0-1}.ffn", "int8dq");
    ASSERT_EQ(stage.programs.size(), 1U);
    EXPECT_EQ(stage.programs[0].part, "decoder_blocks.{0-1}.ffn");
    EXPECT_EQ(stage.programs[0].calls, 2);
    EXPECT_EQ(countIn(stage.programs[0].graph, "aten::_int_mm"), 2);
    EXPECT_EQ(countIn(stage.graph, "aten::silu"), 0);
    EXPECT_EQ(countIn(stage.graph, kQsRegion), 2);
    EXPECT_TRUE(validate(stage.graph).ok());
    EXPECT_THAT(stage.notes, IsEmpty());
}

TEST(RegionStage, ChosenModulesStandBesideNamedRegions)
{
    const RegionStage stage = taken("regions:rope:at=decoder_blocks.1.ffn+embed:autotune=at");
    std::vector<std::pair<std::string, std::string>> parts;
    for (const RegionProgram& program : stage.programs)
        parts.emplace_back(program.part, program.packageMode);
    EXPECT_THAT(parts, ElementsAre(std::pair("rope", "default"),
                                   std::pair("decoder_blocks.1.ffn", "max-autotune")));
    EXPECT_EQ(stage.programs[1].calls, 1);
    const RegionStage within = taken("regions:rope+norm:at=decoder_blocks.*");
    ASSERT_GE(within.programs.size(), 1U);
    EXPECT_EQ(within.programs[0].part, "decoder_blocks.{0-1}") << "all of them lie in the blocks";
}

// One region ends with a view of what it has computed; the next one begins with that view.
TEST(RegionStage, WhatARegionEndsWithIsReadFromIt)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {2, 4}});
    ValueId turned = 0;
    {
        const ModuleScope scope(builder, "first");
        turned = builder.transpose(builder.unary("sin", x), 0, 1);
    }
    {
        const ModuleScope scope(builder, "second");
        builder.output(builder.unary("exp", turned), "y");
    }
    StageProgram stage;
    stage.name = "stage";
    stage.graph = builder.finish().value();
    stage.compile = parseCompileMode("regions:at=first+second").value();
    const RegionStage regions = regionStage(stage, commonGpus().front()).value();
    ASSERT_EQ(regions.programs.size(), 2U);
    EXPECT_TRUE(validate(regions.graph).ok());
    EXPECT_EQ(countIn(regions.programs[1].graph, "aten::transpose"), 0);
}

TEST(RegionStage, SaysWhatIsNotThere)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    GraphBuilder builder;
    builder.output(builder.unary("silu", builder.input("x", {DType::Float32, {4}})), "y");
    StageProgram stage;
    stage.name = "stage";
    stage.graph = builder.finish().value();
    stage.compile = parseCompileMode("regions:rope").value();
    const RegionStage without = regionStage(stage, commonGpus().front()).value();
    EXPECT_THAT(without.programs, IsEmpty());
    EXPECT_THAT(without.notes, ElementsAre(Note{NoteCode::RegionMissing, {"stage", "rope"}}));
}

// Every operation is in a package, and equal blocks are in one.
TEST(RegionStage, WholeStagesAreBlocksAndWhatLiesBetween)
{
    const RegionStage stage =
        compiledParts(decoder("inductor-default", "int8dq"), commonGpus().front()).value().value();
    for (const Node& node : stage.graph.nodes) {
        EXPECT_TRUE(node.operation->name == kQsRegion ||
                    node.operation->operationClass == OperationClass::View)
            << node.operation->name;
    }
    std::vector<std::pair<std::string, int>> parts;
    for (const RegionProgram& program : stage.programs)
        parts.emplace_back(program.part, program.calls);
    EXPECT_THAT(parts, ElementsAre(std::pair(kRestPart, 1), std::pair("block", 2),
                                   std::pair(kRestPart, 1)));
    EXPECT_EQ(countIn(stage.programs[1].graph, "aten::cos"), 1) << "tables of positions";
    EXPECT_EQ(countIn(stage.programs[0].graph, "aten::cos"), 0);
    EXPECT_TRUE(validate(stage.graph).ok());
    EXPECT_THAT(stage.notes, IsEmpty());
    const auto one = compiledParts(decoder("inductor-default:blocks=inline"), commonGpus().front());
    EXPECT_FALSE(one.value().has_value());
}

// Also where no two blocks are equal, which a mode that compiles them once leaves in one program.
TEST(RegionStage, ABrokenGraphIsCutBetweenItsBlocksAndSaysSo)
{
    GraphBuilder builder;
    ValueId x = builder.input("x", {DType::Float32, {2, 4}});
    for (const char* module : {"blocks.0", "blocks.1"}) {
        const ModuleScope scope(builder, module);
        const bool first = std::string_view(module).ends_with("0");
        x = builder.linear(x, builder.weight("weight", {DType::Float32, {4, 4}}));
        x = builder.unary(first ? "silu" : "exp", x);
    }
    builder.output(builder.unary("rsqrt", x), "y");
    StageProgram stage;
    stage.name = "stage";
    stage.graph = builder.finish().value();
    const auto& gpu = commonGpus().front();
    stage.compile = parseCompileMode("inductor-default").value();
    EXPECT_FALSE(compiledParts(stage, gpu).value().has_value());
    stage.compile = parseCompileMode("inductor-default:blocks=cut").value();
    const auto cut = compiledParts(stage, gpu);
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    const RegionStage& parts = cut.value().value();
    std::vector<std::string> names;
    for (const RegionProgram& program : parts.programs)
        names.push_back(program.part);
    EXPECT_THAT(names, ElementsAre("block", "block", kRestPart));
    EXPECT_THAT(parts.notes, ElementsAre(Note{NoteCode::CutBetweenBlocks, {"stage", 3.0, 3.0}}));
    EXPECT_TRUE(validate(parts.graph).ok());
}

// A cache that a block writes into cannot be taken out with it.
TEST(RegionStage, WhatChangesMemoryStays)
{
    const auto family = llama::makeFamily(llama::parseConfig("w64_d2_h4_k2_f96_v128").value());
    const Recipe recipe = makeRecipe(*family, {"bf16"}, "all").value();
    Program program = lower(*family, {recipe,
                                      {1, {{"prompt_tokens", 4}, {"new_tokens", 2}}},
                                      parseCompileModes("regions:block", recipe.size()).value()})
                          .value();
    const RegionStage stage = regionStage(program.stages[0], commonGpus().front()).value();
    EXPECT_THAT(stage.programs, IsEmpty());
    EXPECT_THAT(stage.notes, ElementsAre(Note{NoteCode::RegionsLeftEager,
                                              {program.stages[0].name, "block", 2.0, 2.0}}));
    program.stages[0].compile = parseCompileMode("inductor-default").value();
    const auto parts = compiledParts(program.stages[0], commonGpus().front()).value();
    EXPECT_FALSE(parts.has_value()) << "the stage is one package";
    program.stages[0].compile = parseCompileMode("inductor-default:blocks=cut").value();
    const auto cut = compiledParts(program.stages[0], commonGpus().front());
    ASSERT_FALSE(cut.ok()) << "it is not one package under that name";
    EXPECT_EQ(cut.error().code, ErrorCode::Unsupported);
}

TEST(RegionStage, OnePackageForAllOrOneForEach)
{
    const auto& gpu = commonGpus().front();
    EXPECT_THAT(packagePrograms(decoder("cuda-graph"), gpu).value(), IsEmpty());
    const auto whole = packagePrograms(decoder("inductor-default:blocks=inline"), gpu).value();
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(whole[0].part, "");
    const auto parts = packagePrograms(decoder("regions:rope+mlp:autotune=rope"), gpu).value();
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].part, "rope");
    EXPECT_EQ(parts[0].packageMode, "max-autotune");
    EXPECT_EQ(parts[0].calls, 2);
    EXPECT_EQ(parts[1].part, "mlp");
    EXPECT_EQ(parts[1].packageMode, "default");
}

// a = x + 1; b = a * 2; c = b + x; d = a + c
Graph diamond()
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {4}});
    const ValueId a = builder.scalar("add", x, 1.0);
    const ValueId b = builder.scalar("mul", a, 2.0);
    const ValueId c = builder.binary("add", b, x);
    builder.output(builder.binary("add", a, c), "d");
    return builder.finish().value();
}

TEST(Arrangement, NodesOfAGroupAreNeighbours)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {4}});
    const ValueId a = builder.unary("sin", x);
    const ValueId b = builder.unary("cos", x);
    const ValueId c = builder.unary("exp", a);
    builder.output(builder.binary("add", b, c), "y");
    const Graph graph = builder.finish().value();
    const Arrangement arrangement = arrange(graph, NodeOrder(graph), {{0, 2}});
    EXPECT_THAT(arrangement.separated, IsEmpty());
    EXPECT_THAT(arrangement.order, ElementsAre(NodeGroup{0, 2}, NodeGroup{1}, NodeGroup{3}));
}

TEST(Arrangement, ReadsOfMemoryHaveNoOrderAmongThem)
{
    GraphBuilder builder;
    const ValueId memory = builder.state("memory", {DType::Float32, {4}});
    const ValueId a = builder.unary("sin", memory);
    const ValueId b = builder.unary("cos", memory);
    const ValueId c = builder.binary("mul", a, memory);
    copyInPlace(builder, memory, b);
    builder.output(builder.binary("add", c, memory), "y");
    const Graph graph = builder.finish().value();
    const NodeOrder order(graph);
    EXPECT_THAT(arrange(graph, order, {{0, 2}}).separated, IsEmpty());
    EXPECT_THAT(order.before(3), IsSupersetOf({0, 1, 2})) << "read before it is written";
    EXPECT_THAT(order.before(4), Contains(3)) << "and after it";
    EXPECT_THAT(arrange(graph, order, {{2, 4}}).separated, ElementsAre(0));
}

TEST(Arrangement, GivesUpWhatHasToBeInterrupted)
{
    const Graph graph = diamond();
    const Arrangement arrangement = arrange(graph, NodeOrder(graph), {{0, 2}, {1, 3}});
    EXPECT_FALSE(arrangement.separated.empty());
    std::set<std::size_t> all;
    for (const NodeGroup& group : arrangement.order)
        all.insert(group.begin(), group.end());
    EXPECT_EQ(all.size(), graph.nodes.size());
}

TEST(Arrangement, WritesStayBehindTheReadsBeforeThem)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {4}});
    const ValueId total = builder.state("total", {DType::Float32, {4}});
    const ValueId before = builder.scalar("mul", total, 2.0);
    const ValueId after = builder.addInPlace(total, x);
    builder.output(builder.binary("add", before, after), "y");
    const Graph graph = builder.finish().value();
    const NodeOrder order(graph);
    EXPECT_TRUE(order.isMutated(total));
    EXPECT_TRUE(order.isMutated(after)) << "the same memory";
    EXPECT_FALSE(order.isMutated(before));
    EXPECT_THAT(order.before(1), testing::Contains(0U));
}

}  // namespace
}  // namespace qs::core
