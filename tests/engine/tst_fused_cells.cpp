// Cells in compile mode "fused" on the CPU, where the compositions of the kernels run: what passes
// have made of a whole model gives what the model gives operation by operation. And what is wrong
// on purpose is found.

#include "core/engine/cell_runner.h"
#include "core/engine/compile/eager_comparison.h"
#include "core/engine/compile/fused_runner.h"
#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/fused/fused_stage.h"
#include "tests/engine/hard_rows.h"
#include "tests/engine/silent_observer.h"
#include "tests/engine/still_backend.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/argmax.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

struct WholeModel {
    const char* name;
    const char* model;
    core::Sizes sizes;
    const char* precision;
};

void PrintTo(const WholeModel& each, std::ostream* out)
{
    *out << each.name;
}

constexpr const char* kVitok = "vitok:w64_d2_h1-w48_d1_h3/1x8x16";
constexpr const char* kLlama = "llama:w32_d2_h4_k2_f64_v80";
const core::Sizes kPixels{{"image_size", 64}};
const core::Sizes kTokens{{"prompt_tokens", 6}, {"new_tokens", 3}};

const WholeModel kModels[] = {
    {"bf16", kVitok, kPixels, "bf16"},
    {"fp32", kVitok, kPixels, "fp32"},
    {"fp16", kVitok, kPixels, "fp16"},
    {"autocast", kVitok, kPixels, "bf16-autocast"},
    {"int8dq", kVitok, kPixels, "int8dq"},
    {"reduced", kVitok, kPixels, "int8dq:rule=reduced"},
    {"int8wo", kVitok, kPixels, "int8wo"},
    {"int8sq", kVitok, kPixels, "int8sq"},
    {"int8static", kVitok, kPixels, "int8-static"},
    {"float8row", kVitok, kPixels, "float8dq-row"},
    {"float8tensor", kVitok, kPixels, "float8dq-tensor"},
    {"float8wo", kVitok, kPixels, "float8wo"},
    {"float8delayed", kVitok, kPixels, "float8-delayed"},
    {"float8recent", kVitok, kPixels, "float8-delayed:history=1:amax=recent"},
    {"int4wo", kVitok, kPixels, "int4wo-32"},
    {"gptq", kVitok, kPixels, "gptq-int4-32"},
    {"window", kVitok, {{"image_size", 64}, {"attention_window", 5}}, "bf16"},
    {"llama", kLlama, kTokens, "int8dq"},
    {"olmoearth",
     "olmoearth:nano",
     {{"tile_size", 16}, {"patch_size", 4}, {"time_steps", 2}},
     "int8dq"},
    {"demo", "demo", kPixels, "int8dq"},
    {"resnet", "resnet:18/10", kPixels, "bf16"},
    {"resnetstatic", "resnet:18/10", kPixels, "int8-static"},
};

class FusedCells : public testing::TestWithParam<WholeModel>
{
protected:
    [[nodiscard]] core::CellResult measured(const char* compile)
    {
        core::CellRequest request = tests::smallCell(m_folder.path(), GetParam().model, 2, 64);
        request.config.sizes = GetParam().sizes;
        request.config.precision = {GetParam().precision};
        request.config.compile = compile;
        request.cacheFolder = (m_folder.path() / "cache").string();
        request.resourceFolder = tests::dataFile("../resources");
        tests::SilentObserver silent;
        CellRunner runner;
        auto result = runner.run(request, silent);
        EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result.value()) : core::CellResult();
    }

    tests::TestFolder m_folder;
};

TEST_P(FusedCells, GiveWhatEagerGives)
{
    const core::CellResult eager = measured("none");
    const core::CellResult fused = measured("fused");
    ASSERT_FALSE(eager.outputs.empty());
    EXPECT_EQ(tests::outputHashes(fused), tests::outputHashes(eager));
    EXPECT_TRUE(std::any_of(fused.notes.begin(), fused.notes.end(), [](const core::Note& note) {
        return note.code == core::NoteCode::ReferenceFused;
    }));
    EXPECT_EQ(fused.executed.size(), eager.executed.size());
    EXPECT_FALSE(core::anyMismatch(fused.executed));
}

INSTANTIATE_TEST_SUITE_P(Models, FusedCells, testing::ValuesIn(kModels),
                         [](const auto& each) { return each.param.name; });

class PlainCells : public FusedCells
{
};

// A processor has neither units, and says that it runs neither kernel.
TEST_P(PlainCells, AreTheReferencePathOnAProcessor)
{
    const core::CellResult plain = measured("fused:units=plain");
    EXPECT_EQ(tests::outputHashes(plain), tests::outputHashes(measured("fused")));
    EXPECT_TRUE(std::any_of(plain.notes.begin(), plain.notes.end(), [](const core::Note& note) {
        return note.code == core::NoteCode::ReferenceFused;
    }));
}

INSTANTIATE_TEST_SUITE_P(Models, PlainCells, testing::Values(kModels[4]),
                         [](const auto& each) { return each.param.name; });

// y = x + 2 silu(x), in one kernel.
core::StageProgram residual()
{
    core::GraphBuilder b;
    const core::ValueId x = b.input("x", {core::DType::Float32, {4, 8}});
    b.output(b.binary("add", x, b.scalar("mul", b.unary("silu", x), 2.0)), "y");
    core::StageProgram program;
    program.name = "stage";
    program.graph = b.finish().value();
    program.workingType = core::DType::Float32;
    return program;
}

core::StageProgram logarithm()
{
    core::GraphBuilder b;
    const auto x = b.input("x", {core::DType::Float32, {4, 8}});
    b.output(b.unary("neg", b.unary("log", x)), "y");
    core::StageProgram program;
    program.graph = b.finish().value();
    return program;
}

core::Status verified(const core::StageProgram& program, core::RegionStage fused)
{
    const c10::InferenceMode inference;
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    const core::DeviceDescription device = core::describeCpu();
    const NamedTensors nothing;
    NamedTensors values{{"x", at::randn({4, 8})}};
    const StageSetup setup{program, nothing, nothing, values, *backend, device};
    const auto runner = makeFusedRunnerOf(setup, std::move(fused)).value();
    runner->run();
    return runner->verify();
}

TEST(FusedRunner, AgreesWithItsProgram)
{
    const core::StageProgram program = residual();
    const auto fused = core::fusedStage(program, core::describeCpu());
    ASSERT_EQ(fused.value().programs.size(), 1U);
    EXPECT_TRUE(verified(program, fused.value()).ok());
}

// More rows than are compared at once, with the largest at both ends and no number between.
TEST(FusedRunner, TheLargestOfManyRowsIsThatOfAll)
{
    const c10::InferenceMode inference;
    constexpr std::int64_t kRows = 66'000;
    core::GraphBuilder b;
    const auto x = b.input("x", {core::DType::BFloat16, {kRows, 64}});
    b.output(b.scalar("mul", b.absoluteMaximum(x, {}), 0.5), "y");
    core::StageProgram program;
    program.graph = b.finish().value();
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    const core::DeviceDescription device = core::describeCpu();
    const NamedTensors nothing;
    NamedTensors values{{"x", at::randn({kRows, 64}).to(at::kBFloat16)}};
    const StageSetup setup{program, nothing, nothing, values, *backend, device};
    const auto runner = makeFusedRunner(setup).value();
    tests::expectHalfOfLargest(values.at("x"), [&] {
        runner->run();
        return values.at("y").item<double>();
    });
    EXPECT_EQ(runner->kernels().front().operations, (std::vector<std::string>{"abs", "amax"}));
}

TEST(FusedRunner, AForgottenResidualDiffers)
{
    const core::StageProgram program = residual();
    core::RegionStage fused = core::fusedStage(program, core::describeCpu()).value();
    core::Graph& kernel = fused.programs.front().graph;
    const core::Node& sum = kernel.nodes.back();
    ASSERT_EQ(sum.operation->name, "aten::add");
    kernel.outputs.front() = sum.tensor("other");
    const core::Status status = verified(program, std::move(fused));
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, core::ErrorCode::WrongResult);
}

// What is chosen among logits, beside them or alone.
core::StageProgram choosing(bool givesLogits)
{
    core::GraphBuilder b;
    const core::ValueId logits = b.input("x", {core::DType::Float32, {4, 8}});
    if (givesLogits)
        b.output(b.scalar("mul", logits, 1.0), "logits");
    b.output(core::argmax(b, logits, -1), "token");
    core::StageProgram program;
    program.graph = b.finish().value();
    return program;
}

// The first two logits of each row are nearly equal, and exchanged.
core::Result<double> distanceOfOtherChoices(bool givesLogits)
{
    const c10::InferenceMode inference;
    const core::StageProgram program = choosing(givesLogits);
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    const core::DeviceDescription device = core::describeCpu();
    const NamedTensors nothing;
    const at::Tensor x = at::randn({4, 8});
    x.select(1, 0).fill_(10.0);
    x.select(1, 1).fill_(10.001);
    NamedTensors values{{"x", x}};
    const StageSetup setup{program, nothing, nothing, values, *backend, device};
    return distanceToEager(setup, program.graph, {x}, [&] {
        const at::Tensor other = x.clone();
        other.select(1, 0).fill_(10.001);
        other.select(1, 1).fill_(10.0);
        values["logits"] = other;
        values["token"] = at::argmax(other, -1);
    });
}

TEST(EagerComparison, AChoiceBetweenEqualsIsNoDifference)
{
    const core::Result<double> distance = distanceOfOtherChoices(/*givesLogits=*/true);
    ASSERT_TRUE(distance.ok()) << distance.error().message;
    EXPECT_GT(distance.value(), 0.0);
    EXPECT_LT(distance.value(), 0.001);
}

TEST(EagerComparison, ChoicesAloneAreJudgedByHowManyDiffer)
{
    const core::Result<double> distance = distanceOfOtherChoices(/*givesLogits=*/false);
    ASSERT_FALSE(distance.ok());
    EXPECT_EQ(distance.error().code, core::ErrorCode::WrongResult);
}

TEST(FusedRunner, SaysWhatFellBack)
{
    if (!tests::QueueBackend::isSafe())
        GTEST_SKIP() << "a driver would take them";
    const c10::InferenceMode inference;
    const core::StageProgram program = residual();
    tests::QueueBackend backend;
    const core::DeviceDescription device = core::commonGpus().front();
    const NamedTensors nothing;
    NamedTensors values{{"x", at::randn({4, 8})}};
    const StageSetup setup{program, nothing, nothing, values, backend, device};
    const auto runner = makeFusedRunner(setup).value();
    const auto fellBack = [&] {
        const std::vector<core::Note> notes = runner->notes();
        return std::any_of(notes.begin(), notes.end(), [](const core::Note& note) {
            return note.code == core::NoteCode::FusedFellBack;
        });
    };
    EXPECT_FALSE(fellBack()) << "nothing ran yet";
    runner->run();
    EXPECT_TRUE(fellBack());
    EXPECT_TRUE(runner->verify().ok());
    const std::vector<core::KernelChoice> kernels = runner->kernels();
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels.front().kernel, "");
    EXPECT_EQ(kernels.front().why, core::Unfused::FellBack);
}

// The logarithm of half of the numbers is none.
TEST(FusedRunner, WhatIsNoNumberHidesNothing)
{
    const core::StageProgram program = logarithm();
    const core::RegionStage right = core::fusedStage(program, core::describeCpu()).value();
    EXPECT_TRUE(verified(program, right).ok());
    for (const char* other : {"aten::exp", "aten::abs"}) {
        core::RegionStage wrong = right;
        core::Node& last = wrong.programs.front().graph.nodes.back();
        ASSERT_EQ(last.operation->name, "aten::neg");
        last.operation = core::findOperation(other);
        // Of the results of the logarithm, or of what it reads.
        if (last.operation->name == "aten::abs")
            last.arguments.front().value =
                core::ValueRef{wrong.programs.front().graph.inputs.front()};
        const core::Status status = verified(program, std::move(wrong));
        ASSERT_FALSE(status.ok()) << other;
        EXPECT_EQ(status.error().code, core::ErrorCode::WrongResult);
    }
}

TEST(FusedRunner, AForgottenScaleDiffers)
{
    const core::StageProgram program = residual();
    core::RegionStage fused = core::fusedStage(program, core::describeCpu()).value();
    core::Graph& kernel = fused.programs.front().graph;
    for (core::Node& node : kernel.nodes) {
        for (core::NamedArgument& argument : node.arguments) {
            if (node.operation->name == "aten::mul" && argument.name == "other")
                argument.value = 1.0;
        }
    }
    EXPECT_FALSE(verified(program, std::move(fused)).ok());
}

}  // namespace
}  // namespace qs::engine
