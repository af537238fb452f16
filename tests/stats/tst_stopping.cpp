#include "core/stats/stopping.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace qs::core {
namespace {

struct Stopped {
    std::size_t samples = 0;
    StopReason reason = StopReason::TimeLimit;
    bool operator==(const Stopped&) const = default;
};

void PrintTo(const Stopped& ending, std::ostream* stream)
{
    *stream << ending.samples << " samples, " << kStopReasons.of(ending.reason);
}

// Feeds sample(1), sample(2) … until the criterion ends; `pause` seconds lie between two samples.
Stopped stoppedAfter(const StoppingRule& rule, const std::function<double(std::size_t)>& sample,
                     double pause = 0.0)
{
    StoppingCriterion criterion(rule);
    double elapsed = 0.0;
    for (std::size_t i = 1; i <= 100'000; ++i) {
        elapsed += sample(i) + pause;
        if (const auto reason = criterion.add(sample(i), elapsed))
            return {criterion.count(), *reason};
    }
    ADD_FAILURE() << "never ended";
    return {};
}

double steady(std::size_t)
{
    return 0.0625;  // exact in binary, so that sums are
}

double alternating(std::size_t i)
{
    return i % 2 == 0 ? 0.002 : 0.001;
}

TEST(Stopping, SteadySamplesEndAtTheMinima)
{
    // More than 0.5 s: nine samples; ten are asked for.
    EXPECT_EQ(stoppedAfter({}, steady), (Stopped{10, StopReason::QuietEnough}));
    EXPECT_EQ(stoppedAfter({.minimumSamples = 5}, steady), (Stopped{9, StopReason::QuietEnough}));
    // The noise is judged from the fifth sample on.
    EXPECT_EQ(stoppedAfter({.minimumSeconds = 0.0, .minimumSamples = 1}, steady),
              (Stopped{5, StopReason::QuietEnough}));
}

TEST(Stopping, NoiseMustFallBelowItsLimit)
{
    // One slow sample at the start; the noise after n samples is about 1 / sqrt(n) of its excess.
    const auto slowStart = [](std::size_t i) { return i == 1 ? 0.11 : 0.1; };
    const Stopped ending = stoppedAfter({.maximumRelativeNoise = 0.02}, slowStart);
    EXPECT_EQ(ending.reason, StopReason::QuietEnough);
    // 0.1 / sqrt(n) / (1 + 0.1 / n) < 0.02 for the first time at n = 25.
    EXPECT_EQ(ending.samples, 25U);
}

TEST(Stopping, SettledNoiseEndsWhatWillNotConverge)
{
    // 1.5 ms on average: 0.5 s pass with sample 334, the next look is at 336.
    EXPECT_EQ(stoppedAfter({}, alternating), (Stopped{336, StopReason::WillNotConverge}));
    // Without a minimum of time: more than 64 noise values exist from sample 69 on.
    EXPECT_EQ(stoppedAfter({.minimumSeconds = 0.0}, alternating),
              (Stopped{80, StopReason::WillNotConverge}));
}

TEST(Stopping, ChangingNoiseIsNotSettled)
{
    // A staircase that doubles every 40 samples keeps the noise moving for a long time.
    const auto staircase = [](std::size_t i) {
        return 0.01 * static_cast<double>(std::size_t{1} << (i / 40));
    };
    const Stopped ending = stoppedAfter({.maximumSeconds = 1e9, .maximumSamples = 160}, staircase);
    EXPECT_EQ(ending, (Stopped{160, StopReason::MaximumSamples}));
}

TEST(Stopping, OldNoiseLeavesTheWindow)
{
    // Ten slow samples among the first twenty, then alternating ones. Worked out apart from this
    // program: with a window of 512 the noise has settled at sample 704; without a window it has
    // not after 20 000.
    const auto roughStart = [](std::size_t i) {
        return i <= 20 && i % 2 == 0 ? 0.1 : alternating(i);
    };
    EXPECT_EQ(stoppedAfter({.maximumSamples = 20'000}, roughStart),
              (Stopped{704, StopReason::WillNotConverge}));
}

TEST(Stopping, TimeLimitCountsWhatLiesBetweenTheSamples)
{
    EXPECT_EQ(stoppedAfter({.maximumSeconds = 30.0}, alternating, 1.0),
              (Stopped{30, StopReason::TimeLimit}));
    // The minimum number of samples is kept all the same.
    EXPECT_EQ(stoppedAfter({.maximumSeconds = 3.0}, alternating, 1.0),
              (Stopped{10, StopReason::TimeLimit}));
}

TEST(Stopping, MaximumOfSamples)
{
    EXPECT_EQ(stoppedAfter({.maximumSamples = 20}, alternating),
              (Stopped{20, StopReason::MaximumSamples}));
}

TEST(Stopping, FixedCountIgnoresNoise)
{
    const StoppingRule twenty{.maximumSamples = 20, .kind = StoppingKind::Count};
    EXPECT_EQ(stoppedAfter(twenty, alternating), (Stopped{20, StopReason::FixedCount}));
    EXPECT_EQ(stoppedAfter(twenty, steady), (Stopped{20, StopReason::FixedCount}));
    EXPECT_EQ(stoppedAfter({.maximumSeconds = 4.5,
                            .minimumSamples = 1,
                            .maximumSamples = 20,
                            .kind = StoppingKind::Count},
                           alternating, 1.0),
              (Stopped{5, StopReason::TimeLimit}));
    // Passes of minutes.
    EXPECT_EQ(stoppedAfter({.maximumSeconds = 4.5,
                            .minimumSamples = 7,
                            .maximumSamples = 7,
                            .kind = StoppingKind::Count},
                           alternating, 1.0),
              (Stopped{7, StopReason::FixedCount}));
}

TEST(Stopping, FixedTimeIgnoresNoise)
{
    const StoppingRule rule{.minimumSeconds = 1.0, .kind = StoppingKind::Time};
    EXPECT_EQ(stoppedAfter(rule, steady), (Stopped{16, StopReason::FixedTime}));
    EXPECT_EQ(stoppedAfter(rule, [](std::size_t i) { return i % 2 == 0 ? 0.25 : 0.0625; }),
              (Stopped{10, StopReason::FixedTime}))
        << "the minimum number of samples is kept";
    EXPECT_EQ(
        stoppedAfter({.minimumSeconds = 1e9, .maximumSamples = 50, .kind = StoppingKind::Time},
                     steady),
        (Stopped{50, StopReason::MaximumSamples}));
}

// Worked out apart from this program: see the script in tests/golden/stats.
TEST(Stopping, EntropyEndsWhenSamplesBringNothingNew)
{
    const StoppingRule rule{.minimumSeconds = 0.0,
                            .maximumSeconds = 1e9,
                            .minimumSamples = 10,
                            .maximumSamples = 5000,
                            .kind = StoppingKind::Entropy};
    // So few values that the entropy only trembles: no line explains that, the maximum ends it.
    const auto coarse = [](std::size_t i) { return 1e-4 + 5e-7 * static_cast<double>(i * i % 7); };
    const auto many = [](std::size_t i) { return 1e-4 + 5e-7 * static_cast<double>(i * i % 211); };
    // Never the same value twice.
    const auto fine = [](std::size_t i) { return 1e-4 + 1e-9 * static_cast<double>(i); };
    EXPECT_EQ(stoppedAfter(rule, steady), (Stopped{10, StopReason::NothingNew}));
    EXPECT_EQ(stoppedAfter(rule, coarse), (Stopped{5000, StopReason::MaximumSamples}));
    EXPECT_EQ(stoppedAfter(rule, many), (Stopped{366, StopReason::NothingNew}));
    EXPECT_EQ(stoppedAfter(rule, fine), (Stopped{1874, StopReason::NothingNew}));
}

TEST(Stopping, EntropyIsThatOfShannon)
{
    EntropyWatch watch;
    EXPECT_EQ(watch.entropy(), 0.0);
    for (const double sample : {1.0, 2.0, 1.0, 2.0})
        watch.add(sample);
    EXPECT_DOUBLE_EQ(watch.entropy(), 1.0);
    for (const double sample : {3.0, 3.0, 4.0, 4.0})
        watch.add(sample);
    EXPECT_DOUBLE_EQ(watch.entropy(), 2.0);
}

TEST(Stopping, AClockThatStandsStillEnds)
{
    // Noise from sample 5 on, 64 times undefined.
    EXPECT_EQ(stoppedAfter({}, [](std::size_t) { return 0.0; }),
              (Stopped{68, StopReason::NoiseUndefined}));
}

TEST(Stopping, ReasonsHaveNames)
{
    for (const StopReason reason : kStopReasons.values())
        EXPECT_EQ(kStopReasons.find(kStopReasons.of(reason)), reason);
    EXPECT_EQ(kStopReasons.of(StopReason::QuietEnough), "noise_below_target");
    EXPECT_EQ(kStopReasons.of(StopReason::TimeLimit), "time_limit");
}

}  // namespace
}  // namespace qs::core
