#include "core/measure/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace qs::core {
namespace {

using testing::Contains;
using testing::Each;
using testing::Not;

// A workload with a clock of its own: pass number i takes seconds(i) on the device, and a tenth of
// a millisecond more on the host.
class Workload
{
public:
    explicit Workload(std::function<double(int)> seconds) : m_seconds(std::move(seconds)) {}

    SamplingHooks hooks()
    {
        return {.runPass = [this]() -> Result<PassSample> {
                    if (m_passes == m_failAt)
                        return Error{ErrorCode::OutOfMemory, "no memory"};
                    const double device = m_seconds(m_passes++);
                    m_now += device + 1e-4;
                    return PassSample{
                        .hostSeconds = device + 1e-4, .deviceSeconds = device, .stageSeconds = {}};
                },
                .now = [this] { return m_now; },
                .progress =
                    [this](Phase phase, double fraction) {
                        m_phases.push_back(phase);
                        m_fractions.push_back(fraction);
                        return m_passes != m_stopAt;
                    },
                .warm = [this] { m_warmAt = m_passes; }};
    }

    int m_passes = 0;
    int m_failAt = -1;
    int m_stopAt = -1;
    int m_warmAt = -1;
    std::vector<Phase> m_phases;
    std::vector<double> m_fractions;

private:
    std::function<double(int)> m_seconds;
    double m_now = 100.0;
};

double steady(int)
{
    return 0.01;
}

TEST(Sampler, WarmsUpAndThenMeasures)
{
    Workload work([](int pass) { return pass < 30 ? 0.05 : 0.01; });
    const SamplingOutcome outcome = samplePasses({}, work.hooks()).value();
    EXPECT_EQ(outcome.warmupEnd, WarmupEnd::Steady);
    EXPECT_GT(outcome.warmupPasses, 30);
    EXPECT_EQ(work.m_warmAt, outcome.warmupPasses) << "between warm-up and the first sample";
    EXPECT_EQ(outcome.stopReason, StopReason::QuietEnough);
    EXPECT_EQ(static_cast<int>(outcome.samples.size()), work.m_passes - outcome.warmupPasses);
    for (const PassSample& sample : outcome.samples)
        EXPECT_EQ(sample.seconds(), 0.01) << "slow passes of the warm-up are no samples";
    EXPECT_THAT(work.m_phases, Contains(Phase::Warmup));
    EXPECT_EQ(work.m_phases.back(), Phase::Measure);
    EXPECT_THAT(work.m_fractions, Each(testing::AllOf(testing::Ge(0.0), testing::Le(1.0))));
}

TEST(Sampler, WarmsUpByCount)
{
    // Neither seconds nor steadiness matter then: no pass is like the one before.
    Workload work([](int pass) { return 0.01 * (1 + pass % 7); });
    MeasurementSettings settings{.compileWarmupSamples = 4, .warmupSamples = 3};
    settings.stopping = StoppingKind::Count;
    settings.minimumSamples = settings.maximumSamples = 5;
    const SamplingOutcome outcome = samplePasses(settings, work.hooks()).value();
    EXPECT_EQ(outcome.warmupEnd, WarmupEnd::Count);
    EXPECT_EQ(outcome.warmupPasses, 7);
    EXPECT_EQ(outcome.warmupSamples.size(), 7U);
    EXPECT_EQ(work.m_warmAt, 7);
    EXPECT_EQ(outcome.samples.size(), 5U);
}

TEST(Sampler, NothingNeedsToWarmUp)
{
    Workload work(steady);
    MeasurementSettings settings{.warmupSamples = 0};
    const SamplingOutcome outcome = samplePasses(settings, work.hooks()).value();
    EXPECT_EQ(outcome.warmupPasses, 0);
    EXPECT_EQ(outcome.warmupEnd, WarmupEnd::Count);
    EXPECT_EQ(work.m_warmAt, 0);
    EXPECT_THAT(outcome.samples, Not(testing::IsEmpty()));
}

TEST(Sampler, PassesForTheCompilerComeBeforeTheSteadyWarmUp)
{
    Workload work(steady);
    const SamplingOutcome outcome =
        samplePasses({.compileWarmupSamples = 50}, work.hooks()).value();
    EXPECT_EQ(outcome.warmupEnd, WarmupEnd::Steady);
    EXPECT_GT(outcome.warmupPasses, 50);
}

TEST(Sampler, SamplesHaveStartsAndTheWarmUpIsKept)
{
    Workload work([](int pass) { return pass < 30 ? 0.05 : 0.01; });
    const SamplingOutcome outcome = samplePasses({}, work.hooks()).value();
    EXPECT_EQ(static_cast<int>(outcome.warmupSamples.size()), outcome.warmupPasses);
    EXPECT_EQ(outcome.warmupSamples.front(), 0.05);
    EXPECT_EQ(outcome.warmupSamples.back(), 0.01);
    double last = 0.0;
    for (const PassSample& sample : outcome.samples) {
        EXPECT_GT(sample.start, last);
        last = sample.start;
    }
    EXPECT_NEAR(outcome.samples.front().start, 100.0 + outcome.warmupSeconds, 1e-9);
}

TEST(Sampler, BlocksCountWithAllTheirPasses)
{
    // A hundred passes of 10 us a sample: 0.5 s are reached by 500 samples, not by 50000.
    Workload work([](int) { return 1e-5; });
    SamplingHooks hooks = work.hooks();
    hooks.passesPerSample = 100;
    MeasurementSettings settings;
    settings.stopping = StoppingKind::Time;
    const SamplingOutcome outcome = samplePasses(settings, hooks).value();
    EXPECT_NEAR(static_cast<double>(outcome.samples.size()), 500.0, 1.0);
    EXPECT_EQ(outcome.warmupPasses % 100, 0);
    EXPECT_EQ(outcome.warmupSamples.size(), kMostWarmupSamples) << "the last of more";
    EXPECT_EQ(outcome.firstSample, 1e-5);
}

TEST(Sampler, ShortPassesAreTimedInBlocks)
{
    EXPECT_EQ(passesPerBlock(0.02), 1);
    EXPECT_EQ(passesPerBlock(1e-3), 1);
    EXPECT_EQ(passesPerBlock(0.9e-3), 2);
    EXPECT_EQ(passesPerBlock(10e-6), 100);
    EXPECT_EQ(passesPerBlock(1e-9), kMostPassesPerBlock);
    EXPECT_EQ(passesPerBlock(0.0), 1);
    EXPECT_EQ(passesPerBlock(-1.0), 1);
}

TEST(Sampler, EndsAsItIsAskedTo)
{
    const auto outcomeOf = [](MeasurementSettings settings) {
        Workload work([](int pass) { return pass % 2 == 0 ? 0.01 : 0.02; });
        settings.maximumWarmupSeconds = 1.0;
        return samplePasses(settings, work.hooks()).value();
    };
    const SamplingOutcome count =
        outcomeOf({.maximumSamples = 25, .stopping = StoppingKind::Count});
    EXPECT_EQ(count.samples.size(), 25U);
    EXPECT_EQ(count.stopReason, StopReason::FixedCount);
    const SamplingOutcome time =
        outcomeOf({.minimumSampleSeconds = 0.6, .stopping = StoppingKind::Time});
    EXPECT_EQ(time.stopReason, StopReason::FixedTime);
    EXPECT_EQ(time.samples.size(), 40U) << "0.03 s for two passes";
    const SamplingOutcome most = outcomeOf({.minimumSampleSeconds = 9.0, .maximumSamples = 30});
    EXPECT_EQ(most.stopReason, StopReason::MaximumSamples);
    const SamplingOutcome limit = outcomeOf({.maximumSampleSeconds = 1.0, .minimumSamples = 3});
    EXPECT_EQ(limit.stopReason, StopReason::TimeLimit);
    EXPECT_NEAR(limit.sampleSeconds, 1.0, 0.03);
}

TEST(Sampler, WarmUpHasALimitAndSaysSo)
{
    Workload never([](int pass) { return 0.01 * (1.0 + pass % 7); });
    MeasurementSettings settings;
    settings.minimumWarmupSeconds = 0.1;
    settings.maximumWarmupSeconds = 0.2;
    const SamplingOutcome outcome = samplePasses(settings, never.hooks()).value();
    EXPECT_EQ(outcome.warmupEnd, WarmupEnd::TimeLimit);
    EXPECT_GE(outcome.warmupSeconds, 0.2);
}

TEST(Sampler, PassesOnWhatGoesWrong)
{
    Workload inWarmup(steady);
    inWarmup.m_failAt = 3;
    EXPECT_EQ(samplePasses({}, inWarmup.hooks()).error().code, ErrorCode::OutOfMemory);
    Workload later(steady);
    later.m_failAt = 70;
    EXPECT_EQ(samplePasses({}, later.hooks()).error().code, ErrorCode::OutOfMemory);
    EXPECT_GE(later.m_warmAt, 0) << "the warm-up had ended";
}

TEST(Sampler, StopsWhenItIsAsked)
{
    for (const int pass : {1, 5, 75}) {
        Workload work(steady);
        work.m_stopAt = pass;
        EXPECT_EQ(samplePasses({}, work.hooks()).error().code, ErrorCode::Cancelled) << pass;
        EXPECT_EQ(work.m_passes, pass);
    }
}

TEST(Sampler, RepeatsPassesForSoLong)
{
    Workload work(steady);
    const PassStretch stretch = repeatPasses(2.0, work.hooks()).value();
    EXPECT_EQ(stretch.passes, work.m_passes);
    EXPECT_NEAR(static_cast<double>(stretch.passes), 2.0 / 0.0101, 1.0);
    EXPECT_DOUBLE_EQ(stretch.start, 100.0);
    EXPECT_GE(stretch.seconds, 2.0);
    EXPECT_LT(stretch.seconds, 2.02);
    EXPECT_EQ(work.m_warmAt, -1) << "nothing begins anew";
    EXPECT_THAT(work.m_phases, Each(Phase::Energy));
    EXPECT_THAT(work.m_fractions, Each(testing::AllOf(testing::Ge(0.0), testing::Le(1.0))));
    EXPECT_EQ(work.m_fractions.back(), 1.0);
    // A pass that takes longer than the time runs once.
    Workload slow([](int) { return 5.0; });
    EXPECT_EQ(repeatPasses(2.0, slow.hooks()).value().passes, 1);
}

TEST(Sampler, RepeatedBlocksCountThePassThatTimesTheStages)
{
    Workload work(steady);
    SamplingHooks hooks = work.hooks();
    hooks.passesPerSample = 4;
    const std::int64_t counted = repeatPasses(2.0, hooks).value().passes;
    EXPECT_EQ(counted, 5 * work.m_passes);
    EXPECT_EQ(passesRunForSample(1), 1);
}

TEST(Sampler, RepeatingStopsWhenItIsAskedAndPassesOnWhatGoesWrong)
{
    Workload stopped(steady);
    stopped.m_stopAt = 7;
    EXPECT_EQ(repeatPasses(2.0, stopped.hooks()).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(stopped.m_passes, 7);
    Workload failing(steady);
    failing.m_failAt = 3;
    EXPECT_EQ(repeatPasses(2.0, failing.hooks()).error().code, ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace qs::core
