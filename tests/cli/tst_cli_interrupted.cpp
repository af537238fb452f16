// What a terminal, a scheduler of a cluster or a power cut do to quantscope-cli.

#include "core/record/run_folder.h"
#include "tests/cli/running_program.h"
#include "tests/support/ended_process.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <map>

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
        return {"run",      m_preset,           "--out",    m_run,    "--set", "rounds=1000",
                "--filter", "precision=int8dq", "--filter", "batch=1"};
    }
    [[nodiscard]] RunData stored() const { return readRunFolder(m_run).value(); }

    TestFolder m_folder;
    std::string m_preset = m_folder / "tiny.json";
    std::string m_run = m_folder / "run";
};

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
    EXPECT_EQ(data.events.back().kind, EventKind::Stopped);
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(row.ok()) << name(row.status());
}

TEST_F(InterruptedCli, StopsAtOnceWhenItIsTerminated)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    program.signal(SIGTERM);
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 75) << result.errors;
    EXPECT_EQ(stored().events.back().kind, EventKind::Stopped);
}

// A terminal that went is no reason to lose anything.
TEST_F(InterruptedCli, StopsAtOnceWhenItsTerminalGoes)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    program.signal(SIGHUP);
    EXPECT_EQ(program.finish().exitCode, 75);
    EXPECT_EQ(stored().events.back().kind, EventKind::Stopped);
}

TEST_F(InterruptedCli, StopsWithoutAWordWhenNobodyReads)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    program.closeOutput();
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 75);
    EXPECT_EQ(result.errors, "");
    EXPECT_EQ(stored().events.back().kind, EventKind::Stopped);
}

TEST_F(InterruptedCli, StopsWhilePicturesArePrepared)
{
    std::string text = readFile(m_preset);
    for (const auto& [old, wish] : std::map<std::string, std::string>{
             {"\"image_size\": 32", "\"image_size\": 1024"}, {"\"count\": 2", "\"count\": 16"}})
        text.replace(text.find(old), old.size(), wish);
    writeFile(m_preset, text);
    ::setenv("QUANTSCOPE_CACHE", m_folder.path().c_str(), 1);
    std::vector<std::string> arguments{"run",      m_preset,         "--out",    m_run,
                                       "--filter", "precision=bf16", "--filter", "batch=1"};
    for (const int signal : {SIGINT, SIGTERM}) {
        std::filesystem::remove_all(m_run);
        RunningProgram program(arguments);
        ASSERT_TRUE(program.waitForOutput("preparing 16 images"));
        program.signal(signal);
        EXPECT_EQ(program.finish().exitCode, 75);
        EXPECT_TRUE(stored().measurements.empty()) << "it did not wait for the images";
        EXPECT_EQ(stored().events.back().kind, EventKind::Stopped);
    }
    std::filesystem::remove_all(m_run);
    arguments.insert(arguments.end(), {"--max-time", "1"});
    const ProgramResult timed = runCli(arguments);
    EXPECT_EQ(timed.exitCode, 75) << timed.errors;
    ::unsetenv("QUANTSCOPE_CACHE");
}

// A worker that hangs is waited for at the very beginning.
TEST_F(InterruptedCli, StopsWhileTheEngineIsAsked)
{
    const std::string silent = m_folder / "silent-worker";
    writeFile(silent, "#!/bin/sh\nexec cat <&3 >/dev/null\n");
    std::filesystem::permissions(silent, std::filesystem::perms::owner_all);
    ::setenv("QUANTSCOPE_WORKER", silent.c_str(), 1);
    RunningProgram program(longRun());
    const ProgramResult timed = runCli({"run", m_preset, "--out", m_run, "--max-time", "0.5"});
    program.signal(SIGTERM);
    const ProgramResult result = program.finish();
    useFakeWorker();
    EXPECT_EQ(timed.exitCode, 75) << timed.errors;
    EXPECT_EQ(result.exitCode, 75) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("stopped before the run started"));
    EXPECT_FALSE(std::filesystem::exists(m_run));
}

TEST_F(InterruptedCli, SaysThatTheJournalHasGone)
{
    RunningProgram program(longRun());
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    ASSERT_TRUE(std::filesystem::remove(m_folder / "run" / "journal.jsonl"));
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("journal.jsonl was removed"));
}

TEST_F(InterruptedCli, EndsWithWordsAtALimitOfFileSizes)
{
    // In blocks of 512 bytes: enough for the inputs, not for the rows of a thousand rounds.
    const ProgramResult result = runCli(longRun(), {.prefix = "ulimit -f 60;"});
    EXPECT_EQ(result.exitCode, 1) << result.output;
    EXPECT_THAT(result.errors, HasSubstr("journal.jsonl"));
    EXPECT_FALSE(stored().measurements.empty()) << "what was there is whole";
}

// Without a terminal, too: whoever reads the log of a scheduler must learn why nothing goes on.
TEST_F(InterruptedCli, SaysThatTheDiskIsFullAndGoesOnWhenItIsNot)
{
    const std::string full = m_folder / "full";
    ::setenv("QS_FAKE_CELL_MILLISECONDS", "300", 1);
    RunningProgram program({"run", m_preset, "--out", m_run, "--filter", "batch=1"},
                           {.prefix = diskThatIsFullWith(full)});
    ::unsetenv("QS_FAKE_CELL_MILLISECONDS");
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    writeFile(full, "");
    ASSERT_TRUE(program.waitForOutput("waiting for disk space"));
    std::filesystem::remove(full);
    EXPECT_EQ(program.finish().exitCode, 0);
    const RunData data = stored();
    EXPECT_EQ(data.measurements.size(), static_cast<std::size_t>(data.plan.plannedRows()));
    EXPECT_EQ(data.events.back().kind, EventKind::Complete);
}

TEST(CliStreams, RunsWithoutAny)
{
    const TestFolder folder;
    const std::string preset = folder / "tiny.json";
    writeTinyPreset(preset);
    const std::string run = folder / "run";
    const ProgramResult result =
        runCli({"run", preset, "--out", run, "--filter", "precision=fp32", "--filter", "batch=1"},
               {.closedStreams = true});
    EXPECT_EQ(result.exitCode, 0);
    const RunData data = readRunFolder(run).value();
    EXPECT_EQ(data.events.back().kind, EventKind::Complete);
    EXPECT_THAT(readFile(run + "/plan.json"), testing::StartsWith("{"))
        << "nothing printed into it";
}

TEST(CliStreams, SaysThatItsOutputCannotBeWritten)
{
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"inspect", "vitok:350M-f16x64", "--table"},
                                               {"--help"},
                                               {"inspect", "demo"},
                                               {"devices"}}) {
        const ProgramResult result = runCli(arguments, {.output = "/dev/full"});
        EXPECT_EQ(result.exitCode, 1) << arguments.front();
        EXPECT_THAT(result.errors, HasSubstr("standard output cannot be written"));
    }
}

TEST(CliStreams, EndQuietlyWhenNobodyReads)
{
    RunningProgram program({"inspect", "vitok:5B-f32x64", "--table"});
    program.closeOutput();
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exitCode, 75);
    EXPECT_EQ(result.errors, "");
}

TEST_F(InterruptedCli, LeavesNoTemporaryFolders)
{
    ::setenv("TMPDIR", m_folder.path().c_str(), 1);
    RunningProgram program({"selftest"});
    ::unsetenv("TMPDIR");
    const auto isThere = [&] {
        for (const auto& each : std::filesystem::directory_iterator(m_folder.path())) {
            if (each.path().filename().string().starts_with("quantscope-selftest-"))
                return true;
        }
        return false;
    };
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    EXPECT_TRUE(isThere());
    program.signal(SIGTERM);
    EXPECT_EQ(program.finish().exitCode, -1) << "ended by the signal";
    EXPECT_FALSE(isThere());
}

TEST_F(InterruptedCli, LeavesNoWorkerWhenItIsKilled)
{
    ::setenv("QS_FAKE_CELL_MILLISECONDS", "500", 1);
    RunningProgram program(longRun());
    ::unsetenv("QS_FAKE_CELL_MILLISECONDS");
    ASSERT_TRUE(program.waitForOutput("round 1 ·"));
    const int worker = workerOf(program);
    ASSERT_GT(worker, 0);
    program.signal(SIGKILL);
    EXPECT_EQ(program.finish().exitCode, -1);
    EXPECT_TRUE(goneWithin(worker, std::chrono::seconds(5)));

    const std::size_t before = stored().measurements.size();
    EXPECT_GE(before, 1U);
    const ProgramResult resumed =
        runCli({"run", "--resume", "--out", m_run, "--max-time", "0.001"});
    EXPECT_EQ(resumed.exitCode, 75);
    EXPECT_THAT(resumed.errors, HasSubstr("stopped before"));
    EXPECT_GE(stored().measurements.size(), before) << "a row is lost";
}

TEST_F(InterruptedCli, SurvivesTheDeathOfAWorker)
{
    ::setenv("QS_FAKE_CELL_MILLISECONDS", "500", 1);
    RunningProgram program(longRun());
    ::unsetenv("QS_FAKE_CELL_MILLISECONDS");
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
        crashed += row.status() == CellStatus::Crashed ? 1 : 0;
    EXPECT_LE(crashed, 1) << "none if it died after its result";
}

}  // namespace
