// That quantscope-cli finishes nothing once it is told to stop, and what it leaves where it was
// killed.

#include "tests/cli/cli_fixture.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

namespace {

using namespace qs::core;
using namespace qs::tests;

// Far longer than any test may take: who waits for such a cell is ended by the limit of the test.
constexpr const char* kEndlessCell = "3600000";
constexpr int kManyRows = 100'000;

// Nothing is printed while a cell is measured or an image prepared.
constexpr std::chrono::milliseconds kIntoThePhase{300};

class Environment final
{
public:
    Environment(const char* name, const std::string& value) : m_name(name)
    {
        ::setenv(name, value.c_str(), 1);
    }
    ~Environment() { ::unsetenv(m_name); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* m_name;
};

class StopTimes : public Cli
{
protected:
    // What a run has said that is stopped a moment after it has printed `text`.
    ProgramResult stoppedAfter(int signal, const std::string& text,
                               const std::vector<std::string>& more = {})
    {
        std::filesystem::remove_all(m_run);
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        RunningProgram program(arguments);
        EXPECT_TRUE(program.waitForOutput(text));
        return stopped(program, signal);
    }
    static ProgramResult stopped(RunningProgram& program, int signal)
    {
        std::this_thread::sleep_for(kIntoThePhase);
        program.signal(signal);
        ProgramResult result = program.finish();
        EXPECT_EQ(result.exitCode, 75);
        return result;
    }
    void expectNothingMeasured() const
    {
        for (const Measurement& row : stored().measurements)
            EXPECT_EQ(row.status(), CellStatus::Cancelled);
    }
    // In a preset whose images have 32 px.
    void useImagesOf(int pixels) const
    {
        std::string text = readFile(m_preset);
        const std::string small = "\"image_size\": 32";
        text.replace(text.find(small), small.size(), "\"image_size\": " + std::to_string(pixels));
        writeFile(m_preset, text);
    }
};

TEST_F(StopTimes, ACellThatIsMeasuredDoesNotHoldTheEnd)
{
    const Environment slow("QS_FAKE_CELL_MILLISECONDS", kEndlessCell);
    for (const int signal : {SIGTERM, SIGHUP}) {
        stoppedAfter(signal, "8 cells");
        expectNothingMeasured();
    }
}

TEST_F(StopTimes, ALargeImageThatIsPreparedDoesNotHoldTheEnd)
{
    const Environment cache("QUANTSCOPE_CACHE", m_folder.path());
    useImagesOf(4096);
    stoppedAfter(SIGTERM, "preparing", {"--filter", "precision=bf16", "--filter", "batch=1"});
    EXPECT_FALSE(std::filesystem::exists(m_run + "/inputs/pictures_4096.npy"))
        << "it was not prepared yet";
}

// Of outputs of 4 megapixels, for seconds.
TEST_F(StopTimes, OutputsThatAreComparedDoNotHoldTheEnd)
{
    const Environment cache("QUANTSCOPE_CACHE", m_folder.path());
    useImagesOf(2048);
    stoppedAfter(SIGTERM, "round 1 · int8dq",
                 {"--filter", "precision=bf16,int8dq", "--filter", "batch=1"});
    EXPECT_THAT(stored().qualities, testing::IsEmpty()) << "they were not compared yet";
}

// For seconds, though its records say the same again and again.
TEST_F(StopTimes, AJournalThatIsReadDoesNotHoldTheEnd)
{
    ASSERT_EQ(run({"--filter", "precision=bf16", "--filter", "batch=1"}).exitCode, 0);
    const std::string journal = m_run + "/journal.jsonl";
    const std::string text = readFile(journal);
    const std::size_t row = text.rfind('\n', text.find("\"attempt\":")) + 1;
    ASSERT_GT(row, 0U);
    std::string rows;
    for (int i = 0; i < kManyRows; ++i)
        rows.append(text, row, text.find('\n', row) + 1 - row);
    writeFile(journal, text + rows);
    RunningProgram program({"run", "--resume", "--out", m_run});
    EXPECT_THAT(stopped(program, SIGTERM).output, testing::Not(testing::HasSubstr(" cells ")))
        << "it was not read yet";
}

TEST_F(StopTimes, ALimitOfTimeHolds)
{
    const Environment slow("QS_FAKE_CELL_MILLISECONDS", kEndlessCell);
    EXPECT_EQ(run({"--max-time", "0.5"}).exitCode, 75);
    expectNothingMeasured();
}

std::set<std::string> namesIn(const std::filesystem::path& folder)
{
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(folder))
        names.insert(each.path().filename().string());
    return names;
}

// An archive is there whole or not at all, and nothing else is.
TEST_F(StopTimes, AnInterruptedArchiveLeavesNothing)
{
    ASSERT_EQ(run({"--filter", "precision=bf16"}).exitCode, 0);
    const auto temporary = m_folder / "temporary";
    const auto target = m_folder / "target";
    std::filesystem::create_directories(temporary);
    const ProgramStart there{.prefix = "export TMPDIR='" + temporary.string() + "';"};
    int interrupted = 0;
    for (const int milliseconds : {0, 2, 5, 10, 20, 40, 80}) {
        for (const int signal : {SIGTERM, SIGKILL}) {
            std::filesystem::remove_all(target);
            std::filesystem::create_directories(target);
            RunningProgram program(
                {"report", m_run, "--out", target / "report", "--bundle", target / "run.tar"},
                there);
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            program.signal(signal);
            const bool ended = program.finish().exitCode == 0;
            interrupted += ended ? 0 : 1;
            std::set<std::string> left = namesIn(target);
            EXPECT_TRUE(!ended || left.contains("run.tar"));
            left.erase("run.tar");
            left.erase("report");
            EXPECT_THAT(left, testing::IsEmpty()) << milliseconds << " ms, signal " << signal;
            EXPECT_TRUE(signal == SIGKILL || namesIn(temporary).empty());
        }
    }
    EXPECT_GT(interrupted, 0);
    // What a program that was killed could not remove, the next one does.
    EXPECT_EQ(runCli({"report", m_run, "--out", target / "report"}, there).exitCode, 0);
    EXPECT_THAT(namesIn(temporary), testing::IsEmpty());
}

}  // namespace
