// What a pipeline does with inputs, outputs and states of programs that no family has.

#include "core/engine/execute/pipeline.h"

#include "core/engine/cell_kernels.h"
#include "core/engine/internal/backend.h"
#include "core/graph/layer_operations.h"
#include "tests/engine/still_backend.h"

#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using core::DType;
using core::GraphBuilder;
using core::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

core::StageProgram stage(const std::string& name, GraphBuilder& builder, std::int64_t runs = 1)
{
    core::StageProgram stage;
    stage.name = name;
    stage.graph = builder.finish().value();
    stage.workingType = DType::Float32;
    stage.runs = runs;
    return stage;
}

// A batch of whole numbers and a vector without a batch: rows of `table` by `index`, which are
// added to a sum that begins at 100. The second stage doubles the sum each time that it runs.
core::Program counting(std::int64_t runs)
{
    core::Program program;
    GraphBuilder first;
    const ValueId index = first.input("index", {DType::Int64, {4}});
    const ValueId table = first.input("table", {DType::Float32, {3}});
    const ValueId sum = first.state("sum", {DType::Float32, {4}}, 100.0);
    first.output(first.addInPlace(sum, core::indexSelect(first, table, 0, index)), "after");
    program.stages.push_back(stage("add", first));
    GraphBuilder second;
    const ValueId same = second.state("sum", {DType::Float32, {4}}, 100.0);
    const ValueId after = second.input("after", {DType::Float32, {4}});
    second.output(second.binary("sub", same, after), "nothing");
    second.output(second.addInPlace(same, same), "doubled");
    program.stages.push_back(stage("double", second, runs));
    program.judged = "after";
    return program;
}

const core::HostTensors kInputs{
    {"index", {{2}, std::vector<std::int64_t>{2, 0}}},
    {"table", {{3}, std::vector<float>{1.0F, 2.0F, 3.0F}}},
};

class PipelineTest : public testing::Test
{
protected:
    core::Result<std::unique_ptr<Pipeline>> make(const core::Program& program,
                                                 const core::HostTensors& inputs = kInputs)
    {
        m_weights.assign(program.stages.size(), {});
        return Pipeline::create(program, m_weights, inputs, m_device, *m_backend);
    }

    static std::vector<float> values(const Pipeline& pipeline, const std::string& name)
    {
        return std::get<std::vector<float>>(pipeline.output(name).value().values);
    }

private:
    c10::InferenceMode m_guard;
    core::DeviceDescription m_device = core::describeCpu();
    std::unique_ptr<Backend> m_backend = makeCpuBackend();
    std::vector<StageWeights> m_weights;
};

TEST_F(PipelineTest, StatesLiveAcrossStagesRunsAndPassesUntilInputsAreSet)
{
    const core::Program program = counting(2);
    const auto pipeline = make(program).value();
    pipeline->run();
    // 100 + {3, 1, 3, 1}, twice doubled; the batch of two is repeated.
    EXPECT_THAT(values(*pipeline, "doubled"), ElementsAre(412.0F, 404.0F, 412.0F, 404.0F));
    pipeline->run();
    EXPECT_THAT(values(*pipeline, "doubled"), ElementsAre(1660.0F, 1620.0F, 1660.0F, 1620.0F));
    pipeline->resetStates();
    pipeline->run();
    EXPECT_THAT(values(*pipeline, "doubled"), ElementsAre(412.0F, 404.0F, 412.0F, 404.0F));
    pipeline->setInputs({{"index", {{1}, std::vector<std::int64_t>{1}}}});
    pipeline->run();
    EXPECT_THAT(values(*pipeline, "doubled"), ElementsAre(408.0F, 408.0F, 408.0F, 408.0F));
}

// Does again what was recorded.
class RecordingBackend final : public tests::QueueBackend
{
public:
    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>& work) override
    {
        class Work final : public RecordedWork
        {
        public:
            explicit Work(std::function<void()> work) : m_work(std::move(work)) {}
            void launch() override { m_work(); }

        private:
            std::function<void()> m_work;
        };
        work();
        return std::unique_ptr<RecordedWork>(std::make_unique<Work>(work));
    }
};

TEST_F(PipelineTest, APassIsRecordedByStageOrAsOne)
{
    if (!tests::QueueBackend::isSafe())
        GTEST_SKIP() << "a driver would take them";
    const auto recordings = [&](const char* mode) {
        core::Program program = counting(2);
        for (core::StageProgram& each : program.stages)
            each.compile = core::parseCompileMode(mode).value();
        RecordingBackend backend;
        const std::vector<StageWeights> weights(program.stages.size());
        const core::DeviceDescription device = core::describeCpu();
        const auto pipeline = Pipeline::create(program, weights, kInputs, device, backend).value();
        EXPECT_TRUE(pipeline->firstPass().ok());
        EXPECT_TRUE(pipeline->prepare().ok());
        pipeline->run();
        EXPECT_THAT(values(*pipeline, "doubled"), ElementsAre(412.0F, 404.0F, 412.0F, 404.0F));
        return pipeline->launchesPerPass();
    };
    EXPECT_EQ(recordings("fused"), 3) << "the second stage runs twice";
    EXPECT_EQ(recordings("fused:graph=pass"), 1);
}

// y = 2 |x|, in one kernel.
core::Program magnitudes()
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    b.output(b.scalar("mul", b.unary("abs", x), 2.0), "y");
    core::Program program;
    program.stages.push_back(stage("magnitudes", b));
    program.stages[0].compile = core::parseCompileMode("fused").value();
    program.judged = "y";
    return program;
}

// What was made before the pass that is timed: a kernel of it, and one of another stage.
core::CellResult withKernelsMade()
{
    core::CellResult result;
    result.compiles.resize(2);
    result.compiles[0].stage = "magnitudes";
    result.compiles[0].kernels = {{.kernel = "qs_abs", .seconds = 0.5}};
    result.compiles[1].stage = "other";
    result.compiles[1].kernels = {{.kernel = "qs_other", .seconds = 0.25}};
    return result;
}

TEST_F(PipelineTest, ACellNamesTheKernelsOfThePassThatIsTimed)
{
    if (!tests::QueueBackend::isSafe())
        GTEST_SKIP() << "a driver would take them";
    const core::Program program = magnitudes();
    RecordingBackend backend;
    const core::DeviceDescription device = core::commonGpus().front();
    const core::HostTensors inputs{{"x", {{4, 8}, std::vector<float>(32, -1.0F)}}};
    const std::vector<StageWeights> weights(1);
    const auto pipeline = Pipeline::create(program, weights, inputs, device, backend).value();
    ASSERT_TRUE(pipeline->firstPass().ok());
    core::CellResult result = withKernelsMade();
    noteKernels(program, *pipeline, result);
    ASSERT_EQ(result.compiles[0].kernels.size(), 1U);
    EXPECT_EQ(result.compiles[0].kernels[0].kernel, "");
    EXPECT_EQ(result.compiles[0].kernels[0].why, core::Unfused::FellBack);
    EXPECT_EQ(result.compiles[1], withKernelsMade().compiles[1]);
}

TEST_F(PipelineTest, AStageMayNotRunAtAll)
{
    const core::Program program = counting(0);
    const auto pipeline = make(program).value();
    pipeline->run();
    EXPECT_FALSE(pipeline->output("doubled").has_value());
    EXPECT_TRUE(pipeline->output("after").has_value());
    pipeline->observe(1);
    EXPECT_TRUE(pipeline->output("doubled").has_value());
}

TEST_F(PipelineTest, TimedPassesTakeTurnsWithTheBatches)
{
    core::Program program;
    GraphBuilder builder;
    const ValueId index = builder.input("index", {DType::Int64, {4}});
    const ValueId table = builder.input("table", {DType::Float32, {3}});
    builder.output(core::indexSelect(builder, table, 0, index), "picked");
    program.stages.push_back(stage("pick", builder));
    program.judged = "picked";
    const auto pipeline = make(program).value();
    const std::vector<core::HostTensors> batches{
        kInputs,
        {{"index", {{4}, std::vector<std::int64_t>{0, 1, 2, 1}}}},
        {{"index", {{1}, std::vector<std::int64_t>{1}}}}};
    const auto batch = [&](int number) -> core::Result<core::HostTensors> {
        return batches.at(static_cast<std::size_t>(number));
    };
    ASSERT_TRUE(pipeline->feedFrom(core::InputResidency::Device, 3, batch).ok());
    pipeline->run();
    EXPECT_THAT(values(*pipeline, "picked"), ElementsAre(3.0F, 1.0F, 3.0F, 1.0F));
    pipeline->setConditions(1, false);
    for (int round = 0; round < 2; ++round) {
        static_cast<void>(pipeline->sample());
        EXPECT_THAT(values(*pipeline, "picked"), ElementsAre(3.0F, 1.0F, 3.0F, 1.0F));
        static_cast<void>(pipeline->sample());
        EXPECT_THAT(values(*pipeline, "picked"), ElementsAre(1.0F, 2.0F, 3.0F, 2.0F));
        static_cast<void>(pipeline->sample());
        EXPECT_THAT(values(*pipeline, "picked"), ElementsAre(2.0F, 2.0F, 2.0F, 2.0F));
    }
    // What is judged is what was put in.
    pipeline->setInputs(batches[1]);
    pipeline->run();
    EXPECT_THAT(values(*pipeline, "picked"), ElementsAre(1.0F, 2.0F, 3.0F, 2.0F));
}

TEST_F(PipelineTest, AMissingInputIsAnErrorThatNamesIt)
{
    const auto pipeline = make(counting(1), {{"index", kInputs.at("index")}});
    ASSERT_FALSE(pipeline.ok());
    EXPECT_THAT(pipeline.error().message, HasSubstr("table"));
}

TEST_F(PipelineTest, StatesOfOneNameAreOfOneType)
{
    core::Program program = counting(1);
    GraphBuilder other;
    const ValueId sum = other.state("sum", {DType::Float32, {5}});
    other.output(other.unary("abs", sum), "other");
    program.stages.push_back(stage("other", other));
    const auto pipeline = make(program);
    ASSERT_FALSE(pipeline.ok());
    EXPECT_THAT(pipeline.error().message, HasSubstr("sum"));
}

}  // namespace
}  // namespace qs::engine
