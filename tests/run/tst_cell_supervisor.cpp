#include "core/run/cell_supervisor.h"

#include "core/base/npy.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <thread>

namespace {

using namespace qs::core;
using namespace qs::tests;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::StartsWith;

class CellSupervisorTest : public testing::Test
{
protected:
    CellSupervisorTest()
    {
        EXPECT_TRUE(writeNpy(m_folder / "inputs.npy", {{1, 3, 4, 4}, std::vector<float>(48)}).ok());
        m_limits.startSeconds = 10.0;
        m_limits.silenceSeconds = 0.4;
        m_limits.patience = milliseconds(300);
    }

    // By default a hanging phase ends after 0.3 s.
    [[nodiscard]] CellRequest request(const std::string& model, double measureLimit = 0.3) const
    {
        CellRequest request;
        request.config = fakeCell(model).config;
        request.measurement = fakePlan({fakeCell(model)}).preset.measurement;
        request.measurement.phaseLimitSeconds["measure"] = measureLimit;
        request.runFolder = m_folder.path();
        request.inputFile = "inputs.npy";
        return request;
    }

    CellSupervisor& supervisor()
    {
        if (!m_supervisor) {
            m_supervisor.emplace(
                fakeWorker(), m_switch,
                SupervisorHooks{[this](const std::string& phase, double) {
                                    m_phases.push_back(phase);
                                    if (m_onPhase)
                                        m_onPhase(phase);
                                },
                                [this](const std::string& line) { m_lines.push_back(line); }},
                m_limits);
        }
        return *m_supervisor;
    }

    CellOutcome run(const std::string& model, bool keepWorker = false)
    {
        return supervisor().run(request(model), keepWorker).value();
    }

    // Limits of phases are no subject: the worker would run for ever.
    CellOutcome runPatiently(const std::string& model)
    {
        m_limits.silenceSeconds = 60.0;
        return supervisor().run(request(model, 60.0), false).value();
    }

    [[nodiscard]] static std::string processOf(const CellOutcome& outcome)
    {
        return outcome.result && !outcome.result->notes.empty() ? outcome.result->notes.front()
                                                                : "";
    }

    TestFolder m_folder;
    SupervisorLimits m_limits;
    SupervisorSwitch m_switch;
    std::function<void(const std::string&)> m_onPhase;
    std::vector<std::string> m_phases;
    std::vector<std::string> m_lines;
    std::optional<CellSupervisor> m_supervisor;
};

TEST_F(CellSupervisorTest, GivesTheResultOfACell)
{
    const CellOutcome outcome = run("fake:ok");
    EXPECT_EQ(outcome.status, CellStatus::Ok) << outcome.reason;
    ASSERT_TRUE(outcome.result.has_value());
    EXPECT_EQ(outcome.result->hostSeconds.size(), 3U);
    EXPECT_GT(outcome.seconds, 0.0);
    EXPECT_THAT(outcome.logTail, IsEmpty());
    EXPECT_THAT(m_phases, Contains("load"));
    EXPECT_THAT(m_phases, Contains("measure"));
}

struct Fault {
    const char* model;
    CellStatus status;
    const char* reason;
};

class Faults : public CellSupervisorTest, public testing::WithParamInterface<Fault>
{
};

TEST_P(Faults, EndTheCellAloneWithTheRightStatus)
{
    const auto begin = std::chrono::steady_clock::now();
    const CellOutcome outcome = run(GetParam().model);
    EXPECT_EQ(outcome.status, GetParam().status) << name(outcome.status);
    EXPECT_THAT(outcome.reason, HasSubstr(GetParam().reason));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    EXPECT_THAT(childProcesses(), IsEmpty());
    EXPECT_EQ(run("fake:ok").status, CellStatus::Ok) << "the next cell is not harmed";
}

INSTANTIATE_TEST_SUITE_P(
    CellSupervisor, Faults,
    testing::Values(
        Fault{"fake:crash", CellStatus::Crashed, "in phase measure: killed by signal 6"},
        Fault{"fake:segv", CellStatus::Crashed, "in phase measure: killed by signal 11"},
        Fault{"fake:exit3", CellStatus::Crashed, "in phase measure: exit code 3"},
        Fault{"fake:half-frame", CellStatus::Crashed, "in phase measure: exit code 4"},
        Fault{"fake:hang", CellStatus::Timeout, "no progress for 300 ms in phase measure"},
        Fault{"fake:ignore-term", CellStatus::Timeout, "no progress for 300 ms in phase measure"},
        Fault{"fake:silent", CellStatus::Timeout, "in phase measure"},
        Fault{"fake:closes", CellStatus::Crashed, "closed its connection in phase measure"},
        Fault{"fake:garbage", CellStatus::Crashed, "the worker sent nonsense"},
        Fault{"fake:oversized", CellStatus::Crashed, "the worker sent nonsense"},
        Fault{"fake:wrong-version", CellStatus::Crashed, "99"},
        Fault{"fake:bad-result", CellStatus::Crashed, "a result that cannot be read"},
        Fault{"fake:oom", CellStatus::Oom, "out of memory while measuring"},
        Fault{"fake:unsupported", CellStatus::Unsupported, "this cannot be done here"},
        Fault{"fake:nan", CellStatus::NonFinite, "NaN or infinite"}),
    [](const testing::TestParamInfo<Fault>& fault) {
        std::string name = fault.param.model;
        std::erase_if(name, [](char letter) { return std::isalnum(letter) == 0; });
        return name;
    });

TEST_F(CellSupervisorTest, NoticesAWorkerThatDoesNotAnswer)
{
    CellRequest slow = request("fake:silent", 60.0);
    const CellOutcome outcome = supervisor().run(slow, false).value();
    EXPECT_EQ(outcome.status, CellStatus::Timeout);
    EXPECT_EQ(outcome.reason, "the worker has not answered for 400 ms in phase measure");
}

TEST_F(CellSupervisorTest, BoundsTheStartOfAWorker)
{
    m_limits.startSeconds = 0.3;
    ::setenv("QS_FAKE_START", "silent", 1);
    const CellOutcome outcome = run("fake:ok");
    ::unsetenv("QS_FAKE_START");
    EXPECT_EQ(outcome.status, CellStatus::Timeout);
    EXPECT_EQ(outcome.reason, "no progress for 300 ms in phase start");
}

TEST_F(CellSupervisorTest, LetsASlowCellWorkWhileItMakesProgress)
{
    EXPECT_EQ(run("fake:slow:900").status, CellStatus::Ok) << "three times the limit";
}

TEST_F(CellSupervisorTest, KeepsTheLastWordsOfAFailure)
{
    EXPECT_EQ(run("fake:crash").logTail, "Fatal error: about to abort\n");
    EXPECT_THAT(m_lines, Contains("Fatal error: about to abort"));
    EXPECT_EQ(run("fake:exit3").logTail, "cannot go on\n") << "nothing of the cell before";
}

TEST_F(CellSupervisorTest, PassesMessagesOnToTheLog)
{
    EXPECT_EQ(run("fake:log").status, CellStatus::Ok);
    EXPECT_THAT(m_lines, Contains("a message for the log"));
}

TEST_F(CellSupervisorTest, BoundsTheLogOfAFlood)
{
    // A flood is no progress, but output takes time: the limit is that of a patient user.
    for (const char* model : {"fake:flood", "fake:flood-line"}) {
        m_lines.clear();
        const CellOutcome outcome = runPatiently(model);
        EXPECT_EQ(outcome.status, CellStatus::Ok) << outcome.reason;
        supervisor().endWorker();
        std::size_t bytes = 0;
        for (const std::string& line : m_lines)
            bytes += line.size();
        EXPECT_GT(bytes, m_limits.logBytes / 2);
        EXPECT_LT(bytes, 2 * m_limits.logBytes);
        EXPECT_THAT(m_lines.back(), HasSubstr("of output were left out"));
    }
}

TEST_F(CellSupervisorTest, BoundsTheTailOfAFailureThatTalksMuch)
{
    m_limits.logBytes = 1000;
    EXPECT_EQ(runPatiently("fake:flood").status, CellStatus::Ok);
    EXPECT_THAT(run("fake:crash").logTail.size(), Lt(10'000U));
}

TEST_F(CellSupervisorTest, DoesNotMindAWorkerWithoutOutput)
{
    EXPECT_EQ(run("fake:mute:400").status, CellStatus::Ok);
}

TEST_F(CellSupervisorTest, IgnoresAnswersToOtherRequests)
{
    EXPECT_EQ(run("fake:wrong-id").status, CellStatus::Ok);
}

TEST_F(CellSupervisorTest, StartsAFreshProcessForEachCell)
{
    const std::string first = processOf(run("fake:ok"));
    EXPECT_THAT(first, StartsWith("pid "));
    EXPECT_NE(processOf(run("fake:ok")), first);
}

TEST_F(CellSupervisorTest, KeepsTheProcessWhenAsked)
{
    const std::string first = processOf(run("fake:ok"));
    EXPECT_EQ(processOf(run("fake:ok", true)), first);
    EXPECT_EQ(processOf(run("fake:ok", true)), first);
    EXPECT_NE(processOf(run("fake:ok", false)), first);
}

TEST_F(CellSupervisorTest, DoesNotBlameACellForTheDeathOfTheOneBefore)
{
    const std::string first = processOf(run("fake:dies-after-result"));
    EXPECT_THAT(first, StartsWith("pid "));
    const CellOutcome next = run("fake:ok", true);
    EXPECT_EQ(next.status, CellStatus::Ok) << next.reason;
    EXPECT_NE(processOf(next), first);
}

TEST_F(CellSupervisorTest, DoesNotKeepAProcessThatFailed)
{
    EXPECT_EQ(run("fake:oom").status, CellStatus::Oom);
    EXPECT_THAT(childProcesses(), IsEmpty());
    EXPECT_EQ(run("fake:ok", true).status, CellStatus::Ok);
}

TEST_F(CellSupervisorTest, StopsACellAtOnce)
{
    m_onPhase = [this](const std::string& phase) {
        if (phase == "measure")
            m_switch.stopNow();
    };
    const CellOutcome outcome = runPatiently("fake:hang");
    EXPECT_EQ(outcome.status, CellStatus::Cancelled);
    EXPECT_EQ(outcome.reason, "stopped");
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(CellSupervisorTest, IsWokenUpByAnotherThread)
{
    m_limits.patience = milliseconds(100);
    std::thread other;
    m_onPhase = [&](const std::string& phase) {
        if (phase == "measure" && !other.joinable())
            other = std::thread([this] { m_switch.stopNow(); });
    };
    EXPECT_EQ(runPatiently("fake:ignore-term").status, CellStatus::Cancelled);
    other.join();
}

TEST_F(CellSupervisorTest, SkipsTheRunningCellAlone)
{
    m_onPhase = [this](const std::string& phase) {
        if (phase == "measure")
            m_switch.skipCell();
    };
    const CellOutcome outcome = runPatiently("fake:hang");
    EXPECT_EQ(outcome.status, CellStatus::Cancelled);
    EXPECT_EQ(outcome.reason, "skipped by hand");
    m_onPhase = nullptr;
    EXPECT_EQ(run("fake:ok").status, CellStatus::Ok);
}

TEST_F(CellSupervisorTest, DoesNotSkipACellForAWishThatCameTooLate)
{
    m_switch.skipCell();
    EXPECT_EQ(run("fake:ok").status, CellStatus::Ok);
}

TEST_F(CellSupervisorTest, NeedsAWorkerProgram)
{
    CellSupervisor none("/nowhere/worker", m_switch,
                        {[](const std::string&, double) {}, [](const std::string&) {}});
    const auto outcome = none.run(request("fake:ok"), false);
    ASSERT_FALSE(outcome.ok());
    EXPECT_THAT(outcome.error().message, HasSubstr("/nowhere/worker"));
}

TEST_F(CellSupervisorTest, LeavesNoProcessBehind)
{
    EXPECT_EQ(run("fake:ok").status, CellStatus::Ok);
    m_supervisor.reset();
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST(PhaseLimits, AreThoseOfTheSettingsOrTheDefaults)
{
    MeasurementSettings settings;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "load"), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "quantize"), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "compile"), 1800.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "warmup"), 60.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "measure"), 180.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "outputs"), 120.0);
    settings.maximumSampleSeconds = 1.0;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "measure"), 40.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "outputs"), 120.0);
    settings.energySeconds = 10.0;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "energy"), 50.0);
    settings.phaseLimitSeconds = {{"quantize", 5.0}, {"measure", 3.0}, {"outputs", 9.0}};
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "load"), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "quantize"), 5.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "energy"), 13.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "outputs"), 9.0);
}

TEST(PhaseLimits, OfPresetsFromBeforeStillFit)
{
    MeasurementSettings settings;
    settings.phaseLimitSeconds = {{"load", 7.0}, {"measure", 3.0}};
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "quantize"), 7.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "outputs"), 120.0);
    settings.phaseLimitSeconds["measure"] = 600.0;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, "outputs"), 600.0) << "passes that take minutes";
}

}  // namespace
