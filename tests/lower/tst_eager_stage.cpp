// Kernels of a device, where a stage runs operation by operation and nowhere else.

#include "core/lower/eager_stage.h"

#include "core/graph/cost.h"
#include "core/graph/layer_operations.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

DeviceDescription processor(std::optional<bool> exact)
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "a processor";
    device.exactInt8Convolutions = exact;
    return device;
}

// Two grouped convolutions under the scheme; the weight of the second one is read twice.
StageProgram convolutionsUnder(const char* scheme, const char* mode = "none")
{
    GraphBuilder b;
    ValueId x = b.input("x", {DType::BFloat16, {2, 4, 8, 8}});
    std::vector<LayerRow> rows;
    for (const std::string name : {"a", "b", "b"}) {
        const ModuleScope scope(b, name);
        const ValueId weight = b.weight(name + ".weight", {DType::BFloat16, {4, 2, 3, 3}});
        x = conv2d(b, x, weight, -1, {.padding = 1, .groups = 2});
        LayerRow row = tests::layerRow(namedScheme(scheme), 4, 18);
        row.module = name;
        row.weight = name + ".weight";
        row.kind = LayerKind::Convolution;
        row.weightShape = {4, 2, 3, 3};
        rows.push_back(std::move(row));
    }
    b.output(x, "y");
    StageProgram stage;
    stage.name = "encoder";
    stage.graph = markLayers(b.finish().value(), 0, rows);
    stage.compile = parseCompileMode(mode).value();
    return stage;
}

std::ptrdiff_t timesIn(const Graph& graph, std::string_view operation)
{
    return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                         [&](const Node& node) { return node.operation->name == operation; });
}

bool isPortable(const Graph& graph)
{
    return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const Node& node) { return node.operation->name.starts_with("aten::"); });
}

TEST(EagerStages, ConvolveByTheKernelOfTheDevice)
{
    for (const char* scheme : {"int8-static", "int8-static:range=affine"}) {
        const StageProgram stage = convolutionsUnder(scheme);
        const EagerStage eager = eagerStage(stage, processor(true)).value();
        EXPECT_EQ(timesIn(eager.stage.graph, kInt8Convolution), 3) << "one for all groups";
        EXPECT_EQ(timesIn(eager.stage.graph, "aten::_int_mm"), 0);
        EXPECT_EQ(eager.stage.graph.value(eager.stage.graph.outputs[0]).type,
                  stage.graph.value(stage.graph.outputs[0]).type);
        // What is read and multiplied is the same work.
        const Graph composed = referenceStage(stage, processor(true)).value().graph;
        EXPECT_EQ(costOf(eager.stage.graph).matmulFlops, costOf(composed).matmulFlops);
        EXPECT_EQ(costOf(eager.stage.graph).parameters, costOf(composed).parameters);
    }
}

TEST(EagerStages, LayWeightsOutOnceAndNotInEachPass)
{
    const EagerStage eager = eagerStage(convolutionsUnder("int8-static"), processor(true)).value();
    EXPECT_EQ(timesIn(eager.stage.graph, kInt8Layout), 0);
    EXPECT_EQ(timesIn(eager.layouts, kInt8Layout), 2) << "one is read twice";
    EXPECT_THAT(eager.layouts.inputs, IsEmpty());
    ASSERT_THAT(eager.layouts.outputs, SizeIs(2));
    for (const ValueId id : eager.layouts.outputs) {
        const Value& made = eager.layouts.value(id);
        const ValueId read = eager.stage.graph.findValue(made.name);
        ASSERT_GE(read, 0) << made.name;
        EXPECT_EQ(eager.stage.graph.value(read).kind, ValueKind::Weight);
        EXPECT_EQ(eager.stage.graph.value(read).type, made.type);
    }
    EXPECT_LT(eager.stage.graph.findValue("a.weight:codes"), 0) << "read no more";
    ASSERT_EQ(eager.stage.source.size(), eager.stage.graph.nodes.size());
    for (std::size_t i = 0; i < eager.stage.source.size(); ++i)
        EXPECT_EQ(eager.stage.graph.nodes[i].module, eager.stage.source[i] == 0 ? "a" : "b");
}

// Compilers and files know nothing of such kernels.
TEST(EagerStages, AreTheOnlyOnesWithKernels)
{
    const StageProgram stage = convolutionsUnder("int8-static");
    EXPECT_TRUE(isPortable(referenceStage(stage, processor(true)).value().graph));
    for (const auto exact : {std::optional<bool>(), std::optional(false)}) {
        const EagerStage eager = eagerStage(stage, processor(exact)).value();
        EXPECT_TRUE(isPortable(eager.stage.graph));
        EXPECT_THAT(eager.layouts.nodes, IsEmpty());
    }
    DeviceDescription gpu = commonGpus().front();
    gpu.exactInt8Convolutions = true;  // whatever a file says
    EXPECT_TRUE(isPortable(eagerStage(stage, gpu).value().stage.graph));
    for (const char* mode : {"inductor-default", "regions:norm"}) {
        Program program;
        program.stages.push_back(convolutionsUnder("int8-static", mode));
        EXPECT_TRUE(isPortable(stagesAsRun(program, processor(true)).value().front().graph))
            << mode;
        program.stages.front().compile = eagerMode();
        EXPECT_FALSE(isPortable(stagesAsRun(program, processor(true)).value().front().graph));
    }
}

TEST(EagerStages, NameTheKernelThatIsMissing)
{
    const StageProgram stage = convolutionsUnder("int8-static");
    const auto notesOn = [&](std::optional<bool> exact) {
        return eagerStage(stage, processor(exact)).value().stage.notes;
    };
    EXPECT_THAT(notesOn(true), ElementsAre(Note{NoteCode::UnfusedInt8}));
    EXPECT_THAT(notesOn(false), Contains(Note{NoteCode::ReferenceStatic}));
    EXPECT_THAT(notesOn(false), Contains(Note{NoteCode::NoInt8Convolution, {"a processor"}}));
    EXPECT_THAT(notesOn(std::nullopt), Contains(Note{NoteCode::ReferenceStatic}));
    EXPECT_THAT(notesOn(std::nullopt),
                Not(Contains(Note{NoteCode::NoInt8Convolution, {"a processor"}})))
        << "nobody asked";
    EXPECT_EQ(productOf(namedScheme("int8-static"), LayerKind::Convolution, processor(true)),
              (Product{std::string(kInt8Convolution), DType::Int32}));
    EXPECT_EQ(productOf(namedScheme("int8-static"), LayerKind::Convolution,
                        withoutKernels(processor(true))),
              (Product{"aten::_int_mm", DType::Int32}));
}

// 48 rows of 32 weights, two bytes each.
TEST(EagerStages, TellOfWeightsThatAreWidenedInEveryPass)
{
    const auto notesOf = [](const char* scheme, const char* mode) {
        Program program;
        program.stages.push_back(tests::layerStage(namedScheme(scheme), {2, 12, 32}, 48, true));
        program.stages.front().name = "encoder";
        program.stages.front().compile = parseCompileMode(mode).value();
        return stagesAsRun(program, commonGpus().front()).value().front().notes;
    };
    const Note widened{NoteCode::WeightsWidened, {"encoder", 1.0, 48 * 32 * 2.0}};
    for (const char* scheme : {"int8wo", "float8wo"}) {
        for (const char* mode : {"none", "cuda-graph"})
            EXPECT_THAT(notesOf(scheme, mode), ElementsAre(widened)) << scheme << mode;
        EXPECT_THAT(notesOf(scheme, "inductor-default"), IsEmpty()) << "widens on the way";
    }
    for (const char* scheme : {"bf16", "int8dq", "float8dq-row"})
        EXPECT_THAT(notesOf(scheme, "none"), IsEmpty()) << scheme;
    EXPECT_THAT(notesOf("int4wo-32", "none"), ElementsAre(Note{NoteCode::ReferenceInt4}))
        << "says it already";
    Program convolutions;
    convolutions.stages.push_back(convolutionsUnder("int8wo"));
    EXPECT_THAT(stagesAsRun(convolutions, processor({})).value().front().notes,
                ElementsAre(Note{NoteCode::WeightsWidened, {"encoder", 3.0, 3 * 4 * 18 * 2.0}}));
}

}  // namespace
}  // namespace qs::core
