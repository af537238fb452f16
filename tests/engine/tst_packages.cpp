// Stages that Inductor compiles, on the CPU. Compiling takes a quarter of a minute, so that each
// test does it seldom: one small program is compiled as users' are, cold and warm; where the second
// compile does not matter, it gives what the first one gave; and where it does not matter what is
// compiled, a program that compiles nothing stands in for the compiler.

#include "core/engine/cell_runner.h"
#include "core/engine/compile/compiler_versions.h"
#include "core/engine/compile/eager_comparison.h"
#include "core/engine/compile/package_compiler.h"
#include "core/engine/compile/package_runner.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/internal/backend.h"
#include "core/engine/probe/describe.h"

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/measure/distance_limit.h"
#include "core/measure/execution.h"
#include "core/measure/nanoseconds.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/stand_in_compiler.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/full.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace qs::engine {
namespace {

namespace fs = std::filesystem;

using core::CellRequest;
using core::ErrorCode;
using tests::StandInCompiler;

// While it lives, programs are compiled once and not a second time.
class CompilesOnce final
{
public:
    CompilesOnce()
    {
        ::setenv("QS_COMPILING_PYTHON", pythonOfTorch().value().c_str(), 1);
        const fs::path script = tests::dataFile("support/compile_once.sh");
        ::setenv("QUANTSCOPE_PYTHON", script.c_str(), 1);
    }
    ~CompilesOnce() { ::unsetenv("QUANTSCOPE_PYTHON"); }
    CompilesOnce(const CompilesOnce&) = delete;
    CompilesOnce& operator=(const CompilesOnce&) = delete;
};

// What is told as progress, and how often a compile asks whether to go on.
class ProgressRecorder final : public CellObserver
{
public:
    void phaseStarted(core::Phase) override {}
    bool progressed(double fraction) override
    {
        told.push_back(fraction);
        return goesOn();
    }
    bool goesOn() override { return ++asked < stopAfter; }

    std::vector<double> told;
    int asked = 0;
    int stopAfter = 1'000'000;
};

constexpr const char* kCompilesNothing =
    "echo package > \"$5\"; echo '{\"steps\": [{\"name\": \"compile\", \"seconds\": 1.5}]}' > "
    "\"$8\"";

// y = factor * x, for four numbers.
core::Graph scaled(double factor)
{
    core::GraphBuilder builder;
    const core::ValueId x = builder.input("x", {core::DType::Float32, {4}});
    builder.output(builder.scalar("mul", x, factor), "y");
    return builder.finish().value();
}

// total += x; y = gain * total * place; place = place + 1; tripled = 3 * rows, computed of pairs,
// for any batch. Another program of the same values adds the gain.
core::Graph running(std::int64_t batch, const char* operation = "mul")
{
    core::GraphBuilder builder;
    const core::ValueId x = builder.input("x", {core::DType::Float32, {4}});
    const core::ValueId rows = builder.input("rows", {core::DType::Float32, {batch, 4}});
    const core::ValueId total = builder.state("total", {core::DType::Float32, {4}});
    const core::ValueId place = builder.state("place", {core::DType::Int64, {1}});
    const core::ValueId gain = builder.weight("gain", {core::DType::Float32, {4}});
    const core::ValueId gained = builder.binary(operation, builder.addInPlace(total, x), gain);
    const core::ValueId factor = builder.cast(place, core::DType::Float32);
    builder.output(builder.binary("mul", gained, factor), "y");
    core::copyInPlace(builder, place, builder.scalar("add", place, 1.0));
    const core::ValueId pairs = builder.reshape(rows, {2 * batch, 2});
    builder.output(builder.reshape(builder.scalar("mul", pairs, 3.0), {batch, 4}), "tripled");
    return builder.finish().value();
}

// What it is given, and what it has kept: a total of 10 and a place of 3.
struct Running {
    explicit Running(std::int64_t batch)
        : values{{"x", at::full({4}, 1.5)}, {"rows", at::full({batch, 4}, 1.5)}}
    {
    }

    // So few elements that Inductor would write them into the code, as the archive has them: zeros.
    // What becomes of zeros it would compute by itself: the place.
    NamedTensors weights{{"gain", at::full({4}, 2.0)}};
    NamedTensors states{{"total", at::full({4}, 10.0)}, {"place", at::full({1}, 3, at::kLong)}};
    NamedTensors values;
};

class PackagesTest : public ::testing::Test
{
protected:
    CellRequest request(const std::string& precision)
    {
        CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w48_d1_h3/1x8x16", 3, 32);
        request.config.precision = {precision};
        request.config.compile = "inductor-default";
        request.cacheFolder = (m_folder.path() / "cache").string();
        return request;
    }
    core::CellResult measure(const CellRequest& wish)
    {
        CellRunner runner;
        tests::SilentObserver observer;
        auto result = runner.run(wish, observer);
        EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }
    core::Result<StagePackage> provide(const core::Graph& graph)
    {
        PackageCompiler compiler(cache());
        tests::SilentObserver observer;
        return only(compiler.provide({{graph, m_mode->packageMode, m_device}}, observer));
    }
    static core::Result<StagePackage> only(core::Result<std::vector<StagePackage>> made)
    {
        if (!made.ok())
            return made.error();
        return std::move(made.value().front());
    }
    fs::path cache() const { return m_folder.path() / "cache" / "packages"; }
    [[nodiscard]] std::size_t calls() const
    {
        return StandInCompiler::calls(m_folder.path()).size();
    }

    // Of running(), compiled cold and warm by the first test that asks for it.
    const StagePackage& package()
    {
        static const tests::TestFolder folder;
        static const StagePackage made = [&] {
            PackageCompiler compiler(folder.path());
            std::vector<core::BatchGraph> batches;
            for (const std::int64_t batch : {16, 3, 5, 1})
                batches.push_back({batch, running(batch)});
            const core::Graph program = running(7);
            tests::SilentObserver observer;
            return only(compiler.provide({{program, m_mode->packageMode, m_device, batches}},
                                         observer))
                .value();
        }();
        return made;
    }
    [[nodiscard]] core::StageProgram programOf(core::Graph graph) const
    {
        core::StageProgram program;
        program.name = "stage";
        program.graph = std::move(graph);
        program.compile = m_mode;
        return program;
    }

    tests::TestFolder m_folder;
    core::CompileMode m_mode = core::parseCompileMode("inductor-default").value();
    core::DeviceDescription m_device = describeDevice("cpu").value();
};

void expectParts(const core::StageCompile& stage)
{
    EXPECT_FALSE(stage.fromCache);
    EXPECT_GT(stage.coldSeconds, 0.0);
    EXPECT_GT(stage.warmSeconds, 0.0);
    std::set<std::string> parts;
    for (const core::CompilePart& part : stage.coldParts) {
        parts.insert(part.name);
        EXPECT_GT(part.seconds, 0.0) << part.name;
    }
    EXPECT_EQ(parts, (std::set<std::string>{"import", "read", "graph", "wrapper"}));
}

TEST_F(PackagesTest, ACompiledCellComputesWhatTheEagerOneDoesAndIsFoundAgain)
{
    core::CellResult made;
    {
        const CompilesOnce once;
        made = measure(request("int8dq"));
    }
    ASSERT_EQ(made.compiles.size(), 2U);
    for (const core::StageCompile& stage : made.compiles) {
        expectParts(stage);
        EXPECT_LT(stage.distanceToEager, 0.02);
        EXPECT_EQ(stage.distanceLimit, core::kUnknownLimitOfCodes) << "activations are quantized";
    }
    const auto& together = made.compiles[0].together;
    ASSERT_TRUE(together.has_value());
    EXPECT_EQ(made.compiles[1].together, together);
    EXPECT_GE(together->coldSeconds,
              std::max(made.compiles[0].coldSeconds, made.compiles[1].coldSeconds));
    EXPECT_GT(made.phase(core::Phase::Package)->seconds,
              together->coldSeconds + together->warmSeconds);
    for (const core::ExecutedProduct& product : core::productsOf(made.executed))
        EXPECT_FALSE(product.mismatch()) << product.operation << " " << product.ran;
    EXPECT_TRUE(made.outputsFinite);

    // No compiler is started for what is there.
    const StandInCompiler none(m_folder.path(), "exit 1");
    const core::CellResult found = measure(request("int8dq"));
    EXPECT_EQ(calls(), 0U);
    ASSERT_EQ(found.compiles.size(), 2U);
    EXPECT_TRUE(found.compiles[0].fromCache);
    EXPECT_EQ(found.compiles[0].coldSeconds, core::wholeNanoseconds(made.compiles[0].coldSeconds));
    ASSERT_EQ(found.outputs.size(), made.outputs.size());
    for (std::size_t i = 0; i < found.outputs.size(); ++i)
        EXPECT_EQ(found.outputs[i].sha256, made.outputs[i].sha256);
}

TEST_F(PackagesTest, StatesAndSmallWeightsAreThoseOfTheWorker)
{
    expectParts(package().compile);
    // Both were compiled, each in its own time.
    EXPECT_NE(package().compile.coldSeconds, package().compile.warmSeconds);
    const core::StageProgram program = programOf(running(2));
    const c10::InferenceMode guard;
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    Running of(2);
    const auto runner = makePackageRunner(
        {program, of.weights, of.states, of.values, *backend, m_device, {package()}});
    ASSERT_TRUE(runner.ok()) << runner.error().message;
    runner.value()->run();
    runner.value()->run();
    EXPECT_FLOAT_EQ(of.values.at("y").sum().item<float>(), 4 * 4 * 26.0F);
    EXPECT_EQ(of.states.at("place").item<std::int64_t>(), 5);
    EXPECT_FLOAT_EQ(of.states.at("total").sum().item<float>(), 4 * 13.0F);
    const core::Status verified = runner.value()->verify();
    EXPECT_TRUE(verified.ok()) << (verified.ok() ? "" : verified.error().message);
    EXPECT_FLOAT_EQ(of.states.at("total").sum().item<float>(), 4 * 14.5F);
}

TEST_F(PackagesTest, OneServesEveryBatch)
{
    const c10::InferenceMode guard;
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    for (const std::int64_t batch : {1, 2, 40}) {
        const core::StageProgram program = programOf(running(batch));
        Running of(batch);
        const auto runner = makePackageRunner(
            {program, of.weights, of.states, of.values, *backend, m_device, {package()}});
        ASSERT_TRUE(runner.ok()) << runner.error().message;
        runner.value()->run();
        EXPECT_TRUE(of.values.at("tripled").equal(at::full({batch, 4}, 4.5)));
        const core::Status verified = runner.value()->verify();
        EXPECT_TRUE(verified.ok()) << (verified.ok() ? "" : verified.error().message);
    }
}

TEST_F(PackagesTest, APackageOfAnotherProgramDiffers)
{
    const c10::InferenceMode guard;
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    const core::StageProgram program = programOf(running(2, "add"));
    Running of(2);
    const auto runner = makePackageRunner(
        {program, of.weights, of.states, of.values, *backend, m_device, {package()}});
    ASSERT_TRUE(runner.ok()) << runner.error().message;
    runner.value()->run();
    EXPECT_FLOAT_EQ(of.values.at("y").sum().item<float>(), 4 * 69.0F);
    const core::Status verified = runner.value()->verify();
    ASSERT_FALSE(verified.ok());
    EXPECT_EQ(verified.error().code, ErrorCode::WrongResult);
}

TEST_F(PackagesTest, PackagesAreKeptByWhatDecidesThem)
{
    const StandInCompiler compiler(m_folder.path(), kCompilesNothing);
    const auto first = provide(scaled(2.0));
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(calls(), 2U) << "cold and warm";
    EXPECT_EQ(first.value().compile.coldParts, (std::vector<core::CompilePart>{{"compile", 1.5}}));
    EXPECT_TRUE(provide(scaled(2.0)).value().compile.fromCache);
    EXPECT_EQ(calls(), 2U);
    EXPECT_NE(provide(scaled(3.0)).value().compile.content, first.value().compile.content);
    EXPECT_EQ(calls(), 4U);
    m_mode = core::parseCompileMode("inductor-max-autotune-no-cudagraphs").value();
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    m_mode = core::parseCompileMode("inductor-default").value();
    m_device.name = "another processor";
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    compiler.setVersions(R"({"python": "3.11.2", "torch": "2.11.0", "g++": "13.3.0"})");
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    EXPECT_TRUE(provide(scaled(2.0)).value().compile.fromCache);
}

TEST_F(PackagesTest, VersionsThatAreKnownAreNotAskedFor)
{
    const StandInCompiler compiler(m_folder.path(), "exit 1");
    const core::Graph graph = scaled(2.0);
    tests::SilentObserver observer;
    PackageCompiler told(cache(), {{"python", "3.11.2"}, {"torch", "2.11.0"}});
    EXPECT_FALSE(told.provide({{graph, m_mode->packageMode, m_device}}, observer).ok());
    EXPECT_EQ(StandInCompiler::questions(m_folder.path()).size(), 0U);
    PackageCompiler untold(cache());
    for (int time = 0; time < 2; ++time)
        EXPECT_FALSE(untold.provide({{graph, m_mode->packageMode, m_device}}, observer).ok());
    EXPECT_EQ(StandInCompiler::questions(m_folder.path()).size(), 1U);
}

TEST(CompilerVersions, AreThoseOfTheInterpreterOfTorch)
{
    const CompilerVersions found = compilerVersions();
    ASSERT_TRUE(found.contains("torch"));
    EXPECT_EQ(found.at("torch").substr(0, engineVersions().torch.size()), engineVersions().torch);
    EXPECT_TRUE(found.contains("python"));
    EXPECT_TRUE(found.contains("g++"));
    EXPECT_EQ(inductorLacks(core::DeviceKind::Cpu, found), "");
}

TEST(CompilerVersions, WhatIsMissingIsNamed)
{
    using core::DeviceKind;
    const tests::TestFolder folder;
    const StandInCompiler compiler(folder.path(), "exit 1");
    const auto lacks = [&](const char* versions, DeviceKind kind) {
        compiler.setVersions(versions);
        return inductorLacks(kind, compilerVersions());
    };
    EXPECT_EQ(lacks("no such module", DeviceKind::Cpu), "Python");
    EXPECT_EQ(lacks(R"({"python": "3.11.2"})", DeviceKind::Cpu),
              "PyTorch in " + (folder / "compiler").string());
    EXPECT_EQ(lacks(R"({"python": "3.11.2", "torch": "2.11.0"})", DeviceKind::Cpu), "g++");
    const char* const withoutTriton = R"({"torch": "2.11.0", "g++": "12.2.0"})";
    EXPECT_EQ(lacks(withoutTriton, DeviceKind::Cpu), "");
    EXPECT_EQ(lacks(withoutTriton, DeviceKind::Cuda), "triton");
}

TEST_F(PackagesTest, WhatWasDamagedIsCompiledAnew)
{
    const StandInCompiler compiler(m_folder.path(), kCompilesNothing);
    const auto first = provide(scaled(2.0));
    ASSERT_TRUE(first.ok()) << first.error().message;
    std::ofstream(first.value().file, std::ios::app) << "x";
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    fs::path record = first.value().file;
    record.replace_extension(".json");
    std::ofstream(record) << "{\"package_sha256\": 5}";
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    fs::remove(record);
    EXPECT_FALSE(provide(scaled(2.0)).value().compile.fromCache);
    EXPECT_TRUE(provide(scaled(2.0)).value().compile.fromCache);
}

TEST_F(PackagesTest, ACompilerThatFailsLeavesNothing)
{
    for (const char* lines : {"kill -9 $$", "echo no such header; exit 3"}) {
        const StandInCompiler compiler(m_folder.path(), lines);
        const auto result = provide(scaled(2.0));
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::Internal);
        EXPECT_TRUE(fs::is_empty(cache()));
    }
}

TEST_F(PackagesTest, WhatWasToBeLoggedIsPassedOnOfCompilesThatSucceed)
{
    const StandInCompiler compiler(m_folder.path(), std::string(kCompilesNothing) +
                                                        "; echo \"log: $TORCH_LOGS\" > \"$9/log\"");
    const auto logged = [&](double factor) {
        ::testing::internal::CaptureStderr();
        EXPECT_TRUE(provide(scaled(factor)).ok());
        return ::testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(logged(2.0), "") << "nothing was asked for";
    ::setenv("QUANTSCOPE_TORCH_LOGS", "+inductor", 1);
    EXPECT_EQ(logged(3.0), "log: +inductor\nlog: +inductor\n") << "cold and warm";
    ::unsetenv("QUANTSCOPE_TORCH_LOGS");
}

TEST_F(PackagesTest, ACompilerThatIsStoppedEndsAtOnce)
{
    const StandInCompiler compiler(m_folder.path(), "exec sleep 1000");
    PackageCompiler packages(cache());
    ProgressRecorder observer;
    observer.stopAfter = 3;
    const auto result = packages.provide({{scaled(2.0), m_mode->packageMode, m_device}}, observer);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(observer.told.empty()) << "asking is no progress";
    EXPECT_TRUE(fs::is_empty(cache()));
}

// What is told is what is finished, however long it takes: half of it each time.
TEST_F(PackagesTest, EachFinishedProgramIsProgress)
{
    const StandInCompiler compiler(
        m_folder.path(), std::string("sleep 0.3; ") + kCompilesNothing +
                             "; sleep 0.3; echo package > \"${12}\"; echo '{}' > \"${15}\"; "
                             "sleep 0.3");
    PackageCompiler packages(cache());
    ProgressRecorder observer;
    const core::Graph doubled = scaled(2.0);
    const core::Graph tripled = scaled(3.0);
    const auto result = packages.provide(
        {{doubled, m_mode->packageMode, m_device}, {tripled, m_mode->packageMode, m_device}},
        observer);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(observer.told, (std::vector<double>{0.25, 0.5, 0.75, 1.0}));
    EXPECT_GT(observer.asked, 4);
    // Each says how long both took.
    const auto& together = result.value()[0].compile.together;
    ASSERT_TRUE(together.has_value());
    EXPECT_EQ(result.value()[1].compile.together, together);
    EXPECT_EQ(together->programs, 2);
    EXPECT_GT(together->coldSeconds, 0.9);
    EXPECT_GT(together->warmSeconds, 0.9);
    core::CompiledTogether kept = *together;
    kept.coldSeconds = core::wholeNanoseconds(kept.coldSeconds);
    kept.warmSeconds = core::wholeNanoseconds(kept.warmSeconds);
    EXPECT_EQ(packages.provide({{tripled, m_mode->packageMode, m_device}}, observer)
                  .value()[0]
                  .compile.together,
              kept)
        << "found in the cache";
    const auto alone = provide(scaled(4.0));
    ASSERT_TRUE(alone.ok()) << alone.error().message;
    EXPECT_NE(alone.value().compile.together->id, together->id);
}

TEST_F(PackagesTest, TheFolderStaysWithinItsLimit)
{
    const StandInCompiler compiler(m_folder.path(),
                                   "head -c 100000 /dev/zero > \"$5\"; echo '{}' > \"$8\"");
    PackageCompiler packages(cache(), {}, 250'000);
    tests::SilentObserver observer;
    for (const double factor : {2.0, 3.0, 4.0}) {
        ASSERT_TRUE(
            packages.provide({{scaled(factor), m_mode->packageMode, m_device}}, observer).ok());
    }
    std::size_t kept = 0;
    for (const auto& each : fs::directory_iterator(cache()))
        kept += each.path().extension() == ".pt2" ? 1 : 0;
    EXPECT_EQ(kept, 2U);
}

// Cells of one model: a region that the one has compiled the other finds.
class RegionPackagesTest : public PackagesTest
{
protected:
    static void SetUpTestSuite() { s_shared = std::make_unique<tests::TestFolder>(); }
    static void TearDownTestSuite() { s_shared.reset(); }

    [[nodiscard]] CellRequest regionRequest() const
    {
        CellRequest wish = tests::smallCell(m_folder.path(), "vitok:w64_d2_h2/1x8x16", 2, 32);
        wish.cacheFolder = (s_shared->path() / "cache").string();
        return wish;
    }

private:
    static inline std::unique_ptr<tests::TestFolder> s_shared;
};

// All choices of two kinds of regions, of which each is compiled once: encoder and decoder have
// the same blocks.
TEST_F(RegionPackagesTest, EveryChoiceComputesWhatEagerDoes)
{
    CellRequest wish = regionRequest();
    wish.profile = true;
    std::set<std::string> contents;
    const CompilesOnce once;
    auto modes = core::expandCompileText("regions:subsets=rope+silu_gate").value();
    ASSERT_EQ(modes.size(), 3U);
    // The choice of both comes first: one process compiles them, and the others find theirs.
    std::reverse(modes.begin(), modes.end());
    for (const std::string& mode : modes) {
        wish.config.compile = mode;
        const core::CellResult result = measure(wish);
        const std::size_t kinds =
            1 + static_cast<std::size_t>(std::count(mode.begin(), mode.end(), '+'));
        ASSERT_EQ(result.compiles.size(), 2 * kinds) << mode;
        for (const core::StageCompile& stage : result.compiles) {
            contents.insert(stage.content);
            EXPECT_EQ(stage.calls, 2) << "blocks";
            EXPECT_LT(stage.distanceToEager, 0.02) << mode;
            ASSERT_TRUE(stage.time) << mode;
            EXPECT_GT(stage.time->bytes, 0);
            EXPECT_GT(stage.time->eagerSeconds, 0.0);
            EXPECT_GT(stage.time->compiledSeconds, 0.0);
            EXPECT_FALSE(stage.time->launchSeconds) << "a processor is asked for nothing";
        }
        for (const core::ExecutedProduct& product : core::productsOf(result.executed))
            EXPECT_FALSE(product.mismatch()) << product.operation << " " << product.ran;
        EXPECT_TRUE(result.notes.empty() || result.notes[0].code != core::NoteCode::RegionMissing);
    }
    EXPECT_EQ(contents.size(), 2U) << "one for each kind, whatever else is compiled";
}

// Two equal modules of the decoder, beside the queries and keys of both stages.
TEST_F(RegionPackagesTest, ModulesThatAreChosenComputeWhatEagerDoes)
{
    CellRequest wish = regionRequest();
    wish.config.compile = "regions:rope:at=decoder_blocks.{0-1}.ffn";
    const CompilesOnce once;
    const core::CellResult result = measure(wish);
    std::map<std::string, int> calls;
    for (const core::StageCompile& stage : result.compiles) {
        calls[stage.stage + " " + stage.part] += stage.calls;
        EXPECT_LT(stage.distanceToEager, 0.02) << stage.part;
    }
    EXPECT_EQ(calls, (std::map<std::string, int>{{"encoder rope", 2},
                                                 {"decoder rope", 2},
                                                 {"decoder decoder_blocks.{0-1}.ffn", 2}}));
    for (const core::ExecutedProduct& product : core::productsOf(result.executed))
        EXPECT_FALSE(product.mismatch()) << product.operation << " " << product.ran;
}

}  // namespace
}  // namespace qs::engine
