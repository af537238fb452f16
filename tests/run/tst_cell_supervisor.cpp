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
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::StartsWith;

std::string told(const CellOutcome& outcome)
{
    if (!outcome.failure)
        return "ok";
    return std::string(kFailureKinds.of(outcome.failure->kind)) + " in " +
           std::string(kPhaseNames.of(outcome.failure->phase)) + ": " + outcome.failure->detail;
}

CellStatus statusOf(const CellOutcome& outcome)
{
    return outcome.failure ? statusOf(outcome.failure->kind) : CellStatus::Ok;
}

class CellSupervisorTest : public testing::Test
{
protected:
    CellSupervisorTest()
    {
        EXPECT_TRUE(writeNpy(m_folder / "inputs.npy", {{1, 3, 4, 4}, std::vector<float>(48)}).ok());
        m_limits.startSeconds = 10.0;
        m_limits.patience = milliseconds(300);
    }

    // What hangs ends after 0.3 s; what works may be slow on a busy machine.
    [[nodiscard]] static double limitOf(const std::string& model)
    {
        const bool hangs =
            model == "fake:hang" || model == "fake:ignore-term" || model == "fake:silent";
        return hangs ? 0.3 : 60.0;
    }
    [[nodiscard]] CellRequest request(const std::string& model) const
    {
        return request(model, limitOf(model));
    }
    [[nodiscard]] CellRequest request(const std::string& model, double measureLimit) const
    {
        CellRequest request;
        request.config = fakeCell(model).config;
        request.measurement = fakePlan({fakeCell(model)}).preset.measurement;
        request.measurement.phaseLimitSeconds[Phase::Measure] = measureLimit;
        request.runFolder = m_folder.path();
        request.inputFile = "inputs.npy";
        return request;
    }

    CellSupervisor& supervisor()
    {
        if (!m_supervisor) {
            m_supervisor.emplace(
                fakeWorker(), m_switch,
                SupervisorHooks{[this](Phase phase, double) {
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
        return outcome.result && !outcome.result->notes.empty()
                   ? outcome.result->notes.front().text(0)
                   : "";
    }

    TestFolder m_folder;
    SupervisorLimits m_limits;
    SupervisorSwitch m_switch;
    std::function<void(Phase)> m_onPhase;
    std::vector<Phase> m_phases;
    std::vector<std::string> m_lines;
    std::optional<CellSupervisor> m_supervisor;
};

TEST_F(CellSupervisorTest, GivesTheResultOfACell)
{
    const CellOutcome outcome = run("fake:ok");
    EXPECT_TRUE(outcome.ok()) << told(outcome);
    ASSERT_TRUE(outcome.result.has_value());
    EXPECT_EQ(outcome.result->hostSeconds.size(), 3U);
    EXPECT_GT(outcome.seconds, 0.0);
    EXPECT_THAT(outcome.logTail, IsEmpty());
    EXPECT_THAT(m_phases, Contains(Phase::Load));
    EXPECT_THAT(m_phases, Contains(Phase::Measure));
}

struct Fault {
    const char* model;
    FailureKind kind;
    const char* detail = "";  // a part of it
    double amount = 0.0;
    Phase phase = Phase::Measure;
};

class Faults : public CellSupervisorTest, public testing::WithParamInterface<Fault>
{
};

TEST_P(Faults, EndTheCellAloneWithTheRightStatus)
{
    const CellOutcome outcome = run(GetParam().model);
    ASSERT_TRUE(outcome.failure.has_value());
    EXPECT_EQ(outcome.failure->kind, GetParam().kind) << told(outcome);
    EXPECT_EQ(outcome.failure->phase, GetParam().phase) << told(outcome);
    EXPECT_EQ(outcome.failure->amount, GetParam().amount) << told(outcome);
    EXPECT_THAT(outcome.failure->detail, HasSubstr(GetParam().detail));
    EXPECT_THAT(childProcesses(), IsEmpty());
    EXPECT_TRUE(run("fake:ok").ok()) << "the next cell is not harmed";
}

INSTANTIATE_TEST_SUITE_P(
    CellSupervisor, Faults,
    testing::Values(Fault{"fake:crash", FailureKind::Signal, "", SIGABRT},
                    Fault{"fake:segv", FailureKind::Signal, "", SIGSEGV},
                    Fault{"fake:exit3", FailureKind::Exit, "", 3.0},
                    Fault{"fake:half-frame", FailureKind::Exit, "", 4.0},
                    Fault{"fake:hang", FailureKind::NoProgress, "", 0.3},
                    Fault{"fake:ignore-term", FailureKind::NoProgress, "", 0.3},
                    Fault{"fake:silent", FailureKind::NoProgress, "", 0.3},
                    Fault{"fake:closes", FailureKind::Disconnected},
                    Fault{"fake:garbage", FailureKind::Nonsense},
                    Fault{"fake:oversized", FailureKind::Nonsense},
                    Fault{"fake:wrong-version", FailureKind::Nonsense, "99"},
                    Fault{"fake:bad-result", FailureKind::Nonsense, "nonsense", 0.0, Phase::Idle},
                    Fault{"fake:oom", FailureKind::OutOfMemory, "out of memory while measuring"},
                    Fault{"fake:io", FailureKind::Io, "no space left on device"},
                    Fault{"fake:device", FailureKind::Device, "illegal memory access"},
                    Fault{"fake:unsupported", FailureKind::Unsupported, "this cannot be done here"},
                    Fault{"fake:nan", FailureKind::NonFinite, "", 0.0, Phase::Idle}),
    [](const testing::TestParamInfo<Fault>& fault) {
        std::string name = fault.param.model;
        std::erase_if(name, [](char letter) { return std::isalnum(letter) == 0; });
        return name;
    });

// It worked to the end and said what went wrong: nothing has crashed.
TEST_F(CellSupervisorTest, AnErrorThatAWorkerReportsIsNoCrash)
{
    const CellOutcome outcome = run("fake:io");
    EXPECT_EQ(statusOf(outcome), CellStatus::Failed) << told(outcome);
    EXPECT_EQ(outcome.failure->detail, "cannot write outputs: no space left on device");
    EXPECT_EQ(statusOf(run("fake:device")), CellStatus::Failed);
    EXPECT_EQ(statusOf(run("fake:crash")), CellStatus::Crashed);
}

TEST_F(CellSupervisorTest, NoticesAWorkerThatDoesNotAnswer)
{
    m_limits.silenceSeconds = 0.4;
    CellRequest slow = request("fake:silent", 60.0);
    const CellOutcome outcome = supervisor().run(slow, false).value();
    EXPECT_EQ(outcome.failure, (Failure{.kind = FailureKind::Silent,
                                        .phase = Phase::Measure,
                                        .amount = m_limits.silenceSeconds}));
}

TEST_F(CellSupervisorTest, BoundsTheStartOfAWorker)
{
    m_limits.startSeconds = 0.3;
    ::setenv("QS_FAKE_START", "silent", 1);
    const CellOutcome outcome = run("fake:ok");
    ::unsetenv("QS_FAKE_START");
    EXPECT_EQ(outcome.failure, (Failure{.kind = FailureKind::NoProgress,
                                        .phase = Phase::Start,
                                        .amount = m_limits.startSeconds}));
}

TEST_F(CellSupervisorTest, LetsASlowCellWorkWhileItMakesProgress)
{
    EXPECT_TRUE(run("fake:slow:900").ok()) << "three times the limit";
}

TEST_F(CellSupervisorTest, KeepsTheLastWordsOfAFailure)
{
    EXPECT_EQ(run("fake:crash").logTail, "Fatal error: about to abort\n");
    EXPECT_THAT(m_lines, Contains("Fatal error: about to abort"));
    EXPECT_EQ(run("fake:exit3").logTail, "cannot go on\n") << "nothing of the cell before";
}

TEST_F(CellSupervisorTest, BoundsTheLogOfAFlood)
{
    // A flood is no progress, but output takes time: the limit is that of a patient user.
    for (const char* model : {"fake:flood", "fake:flood-line"}) {
        m_lines.clear();
        const CellOutcome outcome = runPatiently(model);
        EXPECT_TRUE(outcome.ok()) << told(outcome);
        supervisor().endWorker();
        std::size_t bytes = 0;
        for (const std::string& line : m_lines)
            bytes += line.size();
        EXPECT_GT(bytes, m_limits.logBytes / 2);
        EXPECT_LT(bytes, 2 * m_limits.logBytes);
        EXPECT_THAT(m_lines.back(), HasSubstr("of output were omitted"));
    }
}

TEST_F(CellSupervisorTest, BoundsTheTailOfAFailureThatTalksMuch)
{
    m_limits.logBytes = 1000;
    EXPECT_TRUE(runPatiently("fake:flood").ok());
    EXPECT_THAT(run("fake:crash").logTail.size(), Lt(10'000U));
}

TEST_F(CellSupervisorTest, DoesNotMindAWorkerWithoutOutput)
{
    EXPECT_TRUE(run("fake:mute:400").ok());
}

TEST_F(CellSupervisorTest, IgnoresAnswersToOtherRequests)
{
    EXPECT_TRUE(run("fake:wrong-id").ok());
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

TEST_F(CellSupervisorTest, AProcessIsKeptOnlyForCellsWithItsVariables)
{
    CellRequest first = request("fake:ok");
    CellRequest other = first;
    other.config.env = "PYTORCH_CUDA_ALLOC_CONF=backend:native";
    const std::string process = processOf(supervisor().run(first, true).value());
    const CellOutcome second = supervisor().run(other, true).value();
    EXPECT_NE(processOf(second), process);
    ASSERT_TRUE(second.result.has_value());
    EXPECT_THAT(second.result->notes,
                Contains(Note{NoteCode::Remark, {"PYTORCH_CUDA_ALLOC_CONF=backend:native"}}));
    EXPECT_EQ(processOf(supervisor().run(other, true).value()), processOf(second));
}

TEST_F(CellSupervisorTest, DoesNotBlameACellForTheDeathOfTheOneBefore)
{
    const std::string first = processOf(run("fake:dies-after-result"));
    EXPECT_THAT(first, StartsWith("pid "));
    const CellOutcome next = run("fake:ok", true);
    EXPECT_TRUE(next.ok()) << told(next);
    EXPECT_NE(processOf(next), first);
}

TEST_F(CellSupervisorTest, DoesNotKeepAProcessThatFailed)
{
    EXPECT_EQ(statusOf(run("fake:oom")), CellStatus::Oom);
    EXPECT_THAT(childProcesses(), IsEmpty());
    EXPECT_TRUE(run("fake:ok", true).ok());
}

TEST_F(CellSupervisorTest, StopsACellAtOnce)
{
    m_onPhase = [this](Phase phase) {
        if (phase == Phase::Measure)
            m_switch.stopNow();
    };
    const CellOutcome outcome = runPatiently("fake:hang");
    ASSERT_TRUE(outcome.failure.has_value());
    EXPECT_EQ(outcome.failure->kind, FailureKind::Stopped);
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(CellSupervisorTest, IsWokenUpByAnotherThread)
{
    m_limits.patience = milliseconds(100);
    std::thread other;
    m_onPhase = [&](Phase phase) {
        if (phase == Phase::Measure && !other.joinable())
            other = std::thread([this] { m_switch.stopNow(); });
    };
    EXPECT_EQ(statusOf(runPatiently("fake:ignore-term")), CellStatus::Cancelled);
    other.join();
}

TEST_F(CellSupervisorTest, SkipsTheRunningCellAlone)
{
    m_onPhase = [this](Phase phase) {
        if (phase == Phase::Measure)
            m_switch.skipCell();
    };
    const CellOutcome outcome = runPatiently("fake:hang");
    ASSERT_TRUE(outcome.failure.has_value());
    EXPECT_EQ(outcome.failure->kind, FailureKind::SkippedByHand);
    m_onPhase = nullptr;
    EXPECT_TRUE(run("fake:ok").ok());
}

TEST_F(CellSupervisorTest, DoesNotSkipACellForAWishThatCameTooLate)
{
    m_switch.skipCell();
    EXPECT_TRUE(run("fake:ok").ok());
}

TEST_F(CellSupervisorTest, NeedsAWorkerProgram)
{
    CellSupervisor none("/nowhere/worker", m_switch,
                        {[](Phase, double) {}, [](const std::string&) {}});
    const auto outcome = none.run(request("fake:ok"), false);
    ASSERT_FALSE(outcome.ok());
    EXPECT_THAT(outcome.error().message, HasSubstr("/nowhere/worker"));
}

TEST_F(CellSupervisorTest, LeavesNoProcessBehind)
{
    EXPECT_TRUE(run("fake:ok").ok());
    m_supervisor.reset();
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST(PhaseLimits, AreThoseOfTheSettingsOrTheDefaults)
{
    MeasurementSettings settings;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Load), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Quantize), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Compile), 1800.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Warmup), 60.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Measure), 180.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Outputs), 120.0);
    settings.maximumSampleSeconds = 1.0;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Measure), 40.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Outputs), 120.0);
    settings.energySeconds = 10.0;
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Energy), 50.0);
    settings.phaseLimitSeconds = {
        {Phase::Quantize, 5.0}, {Phase::Measure, 3.0}, {Phase::Outputs, 9.0}};
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Load), 120.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Quantize), 5.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Energy), 13.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Outputs), 9.0);
    settings.phaseLimitSeconds = {
        {Phase::Load, 7.0}, {Phase::Compile, 90.0}, {Phase::Measure, 600.0}};
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Quantize), 7.0);
    EXPECT_DOUBLE_EQ(phaseLimitSeconds(settings, Phase::Outputs), 120.0);
}

}  // namespace
