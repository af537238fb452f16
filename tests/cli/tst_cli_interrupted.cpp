// What a terminal, a scheduler of a cluster or a power cut do to quantscope-cli.

#include "core/record/run_folder.h"
#include "tests/cli/running_program.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::HasSubstr;

class InterruptedCli : public testing::Test
{
protected:
    InterruptedCli() { writeTinyPreset(m_preset); }

    // Enough rounds that it cannot end before it is interrupted.
    [[nodiscard]] std::vector<std::string> longRun() const
    {
        return {"run", m_preset, "--out", m_run, "--set", "rounds=50"};
    }
    [[nodiscard]] RunData stored() const { return readRunFolder(m_run).value(); }

    TestFolder m_folder;
    std::string m_preset = m_folder / "tiny.json";
    std::string m_run = m_folder / "run";
};

bool goneWithin(int pid, int milliseconds)
{
    const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process.valid())
        return errno == ESRCH;
    pollfd watched{process.get(), POLLIN, 0};
    return ::poll(&watched, 1, milliseconds) == 1;
}

// The worker that runs just now; between two cells there is none.
int workerOf(const RunningProgram& program)
{
    for (int i = 0; i < 100'000; ++i) {
        if (const auto children = program.children(); !children.empty())
            return children.front();
    }
    return -1;
}

TEST_F(InterruptedCli, FinishesTheCellAfterOneInterrupt)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    program.signal(SIGINT);
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 75) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("finishing the running cell"));
    const RunData data = stored();
    EXPECT_EQ(data.events.back().kind, "stopped");
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(row.ok()) << name(row.status);
}

TEST_F(InterruptedCli, StopsAtOnceWhenItIsTerminated)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    program.signal(SIGTERM);
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 75) << result.errors;
    EXPECT_EQ(stored().events.back().kind, "stopped");
}

TEST_F(InterruptedCli, LeavesNoWorkerWhenItIsKilled)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    const int worker = workerOf(program);
    ASSERT_GT(worker, 0);
    program.signal(SIGKILL);
    EXPECT_EQ(program.finish().exitCode, -1);
    EXPECT_TRUE(goneWithin(worker, 5000));

    const std::size_t before = stored().measurements.size();
    EXPECT_GE(before, 1U);
    EXPECT_EQ(runCli({"run", "--resume", "--out", m_run, "--max-time", "0.001"}).exitCode, 75);
    EXPECT_GE(stored().measurements.size(), before) << "a row is lost";
}

TEST_F(InterruptedCli, SurvivesTheDeathOfAWorker)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    const int worker = workerOf(program);
    ASSERT_GT(worker, 0);
    ASSERT_EQ(::kill(worker, SIGKILL), 0);
    // The cell that ran is a row; the others go on.
    ASSERT_TRUE(program.waitForOutput("round 2 ·"));
    program.signal(SIGINT);
    EXPECT_EQ(program.finish().exitCode, 75);
    int crashed = 0;
    for (const Measurement& row : stored().measurements)
        crashed += row.status == CellStatus::Crashed ? 1 : 0;
    EXPECT_LE(crashed, 1) << "none if it died after its result";
}

}  // namespace
