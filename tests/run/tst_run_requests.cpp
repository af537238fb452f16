#include "core/run/run_requests.h"

#include <gmock/gmock.h>

#include <thread>

namespace {

using namespace qs::core;
using testing::ElementsAre;
using testing::IsEmpty;

Plan named(const std::string& name)
{
    Plan plan;
    plan.preset.name = name;
    return plan;
}

TEST(RunRequests, HandsEachRequestOverOnce)
{
    RunRequests requests;
    EXPECT_FALSE(requests.takeSkipMode());
    requests.skipCompileMode();
    EXPECT_TRUE(requests.takeSkipMode());
    EXPECT_FALSE(requests.takeSkipMode());
    EXPECT_TRUE(requests.supervisorSwitch().takeSkip()) << "the running cell ends, too";
    requests.bringForward("a");
    requests.bringForward("b");
    EXPECT_THAT(requests.takeForward(), ElementsAre("a", "b"));
    EXPECT_THAT(requests.takeForward(), IsEmpty());
    EXPECT_TRUE(requests.append(named("more")));
    ASSERT_EQ(requests.takeAppended().size(), 1U);
    EXPECT_THAT(requests.takeAppended(), IsEmpty());
}

TEST(RunRequests, ClosesOnlyWhenNothingWaits)
{
    RunRequests requests;
    EXPECT_TRUE(requests.append(named("more")));
    EXPECT_FALSE(requests.close()) << "what was accepted is not dropped";
    EXPECT_TRUE(requests.append(named("even more"))) << "it is still open";
    EXPECT_EQ(requests.takeAppended().size(), 2U);
    EXPECT_TRUE(requests.close());
    EXPECT_FALSE(requests.append(named("too late")));
    EXPECT_THAT(requests.takeAppended(), IsEmpty());
}

TEST(RunRequests, EveryStopIsAStop)
{
    RunRequests gentle;
    EXPECT_FALSE(gentle.stopping());
    gentle.stopAfterCell();
    EXPECT_TRUE(gentle.stopping());
    EXPECT_FALSE(gentle.supervisorSwitch().stopping()) << "the running cell goes on";
    EXPECT_TRUE(gentle.ending().stop_requested());
    EXPECT_FALSE(gentle.now().stop_requested());
    RunRequests hard;
    hard.stopNow();
    EXPECT_TRUE(hard.stopping());
    EXPECT_TRUE(hard.supervisorSwitch().stopping());
    EXPECT_TRUE(hard.ending().stop_requested());
    EXPECT_TRUE(hard.now().stop_requested());
}

// Each of these would hang for ever if the request did not wake the one that waits.
TEST(RunRequests, WakesAPausedSession)
{
    using Ask = void (*)(RunRequests&);
    const Ask asks[] = {
        [](RunRequests& requests) { requests.pause(false); },
        [](RunRequests& requests) { requests.stopAfterCell(); },
        [](RunRequests& requests) { requests.stopNow(); },
        [](RunRequests& requests) { static_cast<void>(requests.append(named("more"))); }};
    for (const Ask ask : asks) {
        RunRequests requests;
        requests.pause(true);
        std::thread session([&] { requests.waitWhilePaused(); });
        ask(requests);
        session.join();
    }
    SUCCEED();
}

TEST(RunRequests, WaitsNoLongerThanItMay)
{
    RunRequests requests;
    requests.waitForStop(std::chrono::milliseconds(1));
    EXPECT_FALSE(requests.stopping());
    requests.stopNow();
    requests.waitForStop(std::chrono::hours(1));
}

}  // namespace
