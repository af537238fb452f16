// Whatever a session does, a stop ends it. Each phase here would last for an hour by itself, so
// that only the answer to the stop can end the test; how fast the machine is does not matter. That
// the answer comes within a second follows from the periods of those who look, which are added up.

#include "core/run/cell_supervisor.h"
#include "core/run/cpu_watch.h"
#include "core/run/device_watch.h"
#include "core/run/worker_process.h"
#include "tests/run/run_session_fixture.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <utility>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Each;
using testing::IsEmpty;
using testing::Property;
using testing::SizeIs;

constexpr double kHour = 3600.0;

enum class How { Gently, Now, TimeIsUp };

void ask(RunSession& session, How how)
{
    switch (how) {
    case How::Gently:
        session.stopAfterCell();
        break;
    case How::Now:
        session.stopNow();
        break;
    case How::TimeIsUp:
        break;  // the session has a clock of its own
    }
}

class StopPhases : public RunSessionTest
{
protected:
    static Plan planOf(const std::string& model)
    {
        Plan plan = fakePlan({fakeCell(model)}, 1);
        for (const Phase phase : {Phase::Load, Phase::Compile, Phase::Warmup, Phase::Measure})
            plan.preset.measurement.phaseLimitSeconds[phase] = kHour;
        return plan;
    }

    // A folder of its own for each way, and a clock if it is that of the time limit.
    [[nodiscard]] RunOptions optionsOf(How how) const
    {
        RunOptions chosen = options();
        chosen.folder = m_folder / ("run-" + std::to_string(static_cast<int>(how)));
        chosen.maximumSeconds = how == How::TimeIsUp ? 0.3 : 0.0;
        return chosen;
    }

    // Stops once `phase` was told.
    static void stopIn(Phase phase, const Plan& plan, const RunOptions& chosen, How how,
                       RecordingObserver& observer, bool paused = false)
    {
        RunSession session(plan, chosen, observer);
        session.pause(paused);
        if (how != How::TimeIsUp) {
            ASSERT_TRUE(observer.waitFor([&](const RecordingObserver& seen) {
                return seen.plannedCalls > 0 && !seen.progress.empty() &&
                       seen.progress.back().phase == phase;
            }));
            ask(session, how);
        }
        finish(session, observer);
        // On a slow machine the time may be up before there is a run.
        if (how == How::TimeIsUp && !observer.status.ok()) {
            EXPECT_EQ(observer.status.error().code, ErrorCode::Cancelled);
            return;
        }
        ASSERT_TRUE(observer.status.ok()) << observer.status.error().message;
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    }
};

// A worker that goes on and on, one that says nothing, and one that does not want to end.
TEST_F(StopPhases, WhileACellIsMeasured)
{
    for (const char* model : {"fake:hang", "fake:silent", "fake:ignore-term"}) {
        for (const How how : {How::Now, How::TimeIsUp}) {
            RecordingObserver observer;
            RunOptions chosen = optionsOf(how);
            chosen.folder += std::string(model).substr(5);
            stopIn(Phase::Measure, planOf(model), chosen, how, observer);
            EXPECT_THAT(observer.rows, Each(Property(&Measurement::status, CellStatus::Cancelled)))
                << model;
        }
    }
}

// Of two workers the first one says what there is, and the second one never says hello.
TEST_F(StopPhases, WhileAWorkerStarts)
{
    for (const How how : {How::Now, How::TimeIsUp}) {
        RecordingObserver observer;
        observer.onProgress = [&](const RunProgress&) {
            if (observer.plannedCalls > 0)
                ::setenv("QS_FAKE_START", "silent", 1);
        };
        stopIn(Phase::Start, planOf("fake:ok"), optionsOf(how), how, observer);
        ::unsetenv("QS_FAKE_START");
        EXPECT_THAT(observer.rows, Each(Property(&Measurement::status, CellStatus::Cancelled)));
    }
}

TEST_F(StopPhases, WhileTheEngineIsAsked)
{
    for (const How how : {How::Gently, How::Now, How::TimeIsUp}) {
        ::setenv("QS_FAKE_START", "silent", 1);
        RecordingObserver observer;
        const RunOptions chosen = optionsOf(how);
        RunSession session(planOf("fake:ok"), chosen, observer);
        ask(session, how);
        finish(session, observer);
        ::unsetenv("QS_FAKE_START");
        ASSERT_FALSE(observer.status.ok());
        EXPECT_EQ(observer.status.error().code, ErrorCode::Cancelled);
        EXPECT_FALSE(std::filesystem::exists(chosen.folder));
    }
}

TEST_F(StopPhases, WhileTheDiskIsFull)
{
    for (const How how : {How::Gently, How::Now, How::TimeIsUp}) {
        RecordingObserver observer;
        RunOptions chosen = optionsOf(how);
        chosen.freeSpace = [](const std::filesystem::path& folder) {
            return std::uintmax_t{std::filesystem::exists(folder / "plan.json") ? 1000U
                                                                                : 1U << 30U};
        };
        stopIn(Phase::DiskFull, planOf("fake:ok"), chosen, how, observer);
        EXPECT_THAT(observer.rows, IsEmpty());
    }
}

TEST_F(StopPhases, WhilePaused)
{
    for (const How how : {How::Gently, How::Now, How::TimeIsUp}) {
        RecordingObserver observer;
        Plan plan = planOf("fake:ok");
        plan.preset.rounds = 1000;
        stopIn(Phase::Paused, plan, optionsOf(how), how, observer, true);
    }
}

// What is asked from the session's own thread comes exactly there.
class StopFromWithin
{
public:
    void made(RunSession& session) { m_session.set_value(&session); }
    void stop(How how)
    {
        if (!std::exchange(m_stopped, true))
            ask(*m_session.get_future().get(), how);
    }

private:
    std::promise<RunSession*> m_session;
    bool m_stopped = false;
};

TEST_F(StopPhases, BeforeOutputsAreCompared)
{
    const Plan plan = comparedPlan();
    RecordingObserver observer;
    StopFromWithin within;
    // The first row has nothing but its input to be compared with.
    observer.onRow = [&] { within.stop(How::Now); };
    {
        RunSession session(plan, options(), observer);
        within.made(session);
        finish(session, observer);
    }
    EXPECT_THAT(observer.rows, SizeIs(1));
    EXPECT_THAT(observer.qualities, IsEmpty());
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    RecordingObserver rest;
    resume(rest);
    EXPECT_EQ(rest.eventKinds().back(), EventKind::Complete);
    EXPECT_FALSE(rest.qualities.empty()) << "the next session makes up for it";
}

TEST_F(StopPhases, BeforeWhatIsStoredIsCompared)
{
    RecordingObserver whole;
    run(comparedPlan(), whole);
    ASSERT_FALSE(whole.qualities.empty());
    for (const How how : {How::Gently, How::Now}) {
        forgetComparisons(m_folder / "run", 0);
        RecordingObserver observer;
        StopFromWithin within;
        observer.onProgress = [&](const RunProgress&) {
            if (observer.plannedCalls > 0)
                within.stop(how);
        };
        RunSession session(Plan(), options(true), observer);
        within.made(session);
        finish(session, observer);
        EXPECT_THAT(observer.qualities, IsEmpty());
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    }
}

// Whoever waits is woken, or looks again after one of these; one after the other they are the
// longest way from a stop to the end. A worker that takes no request is given kSendTimeout more.
TEST(StopDelays, AreLessThanASecondTogether)
{
    const std::chrono::duration<double> watches(DeviceWatch::kPeriodSeconds * 3.0);
    EXPECT_LT(CpuWatch::kLook + watches + CellSupervisor::kPatienceWhenStopped +
                  WorkerProcess::kLookPeriod * 2,
              std::chrono::seconds(1));
}

}  // namespace
