#include "core/stats/warmup.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace qs::core {
namespace {

struct Ending {
    std::size_t samples = 0;
    WarmupState state = WarmupState::Warming;
    std::size_t windows = 0;
    bool operator==(const Ending&) const = default;
};

void PrintTo(const Ending& ending, std::ostream* stream)
{
    *stream << ending.samples << " samples, state " << static_cast<int>(ending.state) << ", "
            << ending.windows << " windows";
}

Ending run(const WarmupRule& rule, const std::function<double(std::size_t)>& sample)
{
    WarmupDetector detector(rule);
    double elapsed = 0.0;
    for (std::size_t i = 0; i < 1'000'000; ++i) {
        elapsed += sample(i);
        const WarmupState state = detector.add(sample(i), elapsed);
        if (state != WarmupState::Warming)
            return {i + 1, state, detector.windowMedians().size()};
    }
    ADD_FAILURE() << "never ended";
    return {};
}

TEST(Warmup, SteadyFromTheStartTakesThreeWindows)
{
    EXPECT_EQ(run({}, [](std::size_t) { return 0.03125; }), (Ending{48, WarmupState::Steady, 3}));
}

TEST(Warmup, ShortSamplesFillWindowsByTime)
{
    // 205 samples of 2^-10 s are the first to reach 0.2 s.
    EXPECT_EQ(run({}, [](std::size_t) { return 0x1p-10; }), (Ending{615, WarmupState::Steady, 3}));
}

TEST(Warmup, TheMinimumIsKept)
{
    const WarmupRule rule{.minimumSeconds = 2.0, .windowSamples = 4, .windowSeconds = 0.0};
    EXPECT_EQ(run(rule, [](std::size_t) { return 0.03125; }),
              (Ending{64, WarmupState::Steady, 16}));
}

TEST(Warmup, ASlowStartIsWaitedFor)
{
    // Two slow windows first: they must leave the last three.
    const Ending ending = run({}, [](std::size_t i) { return i < 32 ? 0.0625 : 0.03125; });
    EXPECT_EQ(ending, (Ending{80, WarmupState::Steady, 5}));
}

TEST(Warmup, SpikesInsideAWindowDoNotCount)
{
    const Ending ending = run({}, [](std::size_t i) { return i % 16 == 3 ? 1.0 : 0.03125; });
    EXPECT_EQ(ending, (Ending{48, WarmupState::Steady, 3}));
}

TEST(Warmup, TheToleranceIsHeldOverAllThree)
{
    // Each window 0.6 % slower than the one before: neighbours agree, three in a row do not.
    const auto creeping = [](std::size_t i) {
        return 0.03125 * (1.0 + 0.006 * static_cast<double>(i / 16));
    };
    EXPECT_EQ(run({.maximumSeconds = 10.0}, creeping).state, WarmupState::TimeLimit);
    EXPECT_EQ(run({.maximumSeconds = 10.0, .tolerance = 0.013}, creeping).samples, 48U);
}

TEST(Warmup, EndsAtTheLimitEvenInsideTheFirstWindow)
{
    EXPECT_EQ(run({.maximumSeconds = 5.0}, [](std::size_t) { return 1.0; }),
              (Ending{5, WarmupState::TimeLimit, 0}));
}

}  // namespace
}  // namespace qs::core
