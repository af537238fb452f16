// How long quantscope-cli goes on once it is told to stop, and what it leaves where it was killed.

#include "tests/cli/cli_fixture.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

namespace {

using namespace qs::core;
using namespace qs::tests;
using std::chrono::duration;
using std::chrono::steady_clock;

constexpr double kPromisedSeconds = 1.0;
// Other work on the computer makes a program slower, never faster.
constexpr int kTries = 5;
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
    // Of a run that has printed `text` a moment ago, from the signal to its end; the best of
    // several.
    double secondsAfter(int signal, const std::string& text, int exitCode,
                        const std::vector<std::string>& more = {})
    {
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return bestSeconds([&] {
            std::filesystem::remove_all(m_run);
            RunningProgram program(arguments);
            EXPECT_TRUE(program.waitForOutput(text));
            std::this_thread::sleep_for(kIntoThePhase);
            return secondsToEnd(program, signal, exitCode);
        });
    }
    static double bestSeconds(const std::function<double()>& once)
    {
        double best = 1e9;
        for (int i = 0; i < kTries && best > kPromisedSeconds; ++i)
            best = std::min(best, once());
        return best;
    }
    static double secondsToEnd(RunningProgram& program, int signal, int exitCode)
    {
        const auto begin = steady_clock::now();
        program.signal(signal);
        EXPECT_EQ(program.finish().exitCode, exitCode);
        return duration<double>(steady_clock::now() - begin).count();
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
    const Environment slow("QS_FAKE_CELL_MILLISECONDS", "4000");
    for (const int signal : {SIGTERM, SIGHUP})
        EXPECT_LT(secondsAfter(signal, "8 cells", 75), kPromisedSeconds) << signal;
}

TEST_F(StopTimes, ALargeImageThatIsPreparedDoesNotHoldTheEnd)
{
    const Environment cache("QUANTSCOPE_CACHE", m_folder.path());
    useImagesOf(4096);
    EXPECT_LT(secondsAfter(SIGTERM, "preparing", 75,
                           {"--filter", "precision=bf16", "--filter", "batch=1"}),
              kPromisedSeconds);
}

// Of outputs of 4 megapixels, for seconds.
TEST_F(StopTimes, OutputsThatAreComparedDoNotHoldTheEnd)
{
    const Environment cache("QUANTSCOPE_CACHE", m_folder.path());
    useImagesOf(2048);
    EXPECT_LT(secondsAfter(SIGTERM, "round 1 · int8dq", 75,
                           {"--filter", "precision=bf16,int8dq", "--filter", "batch=1"}),
              kPromisedSeconds);
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
    EXPECT_LT(bestSeconds([&] {
                  RunningProgram program({"run", "--resume", "--out", m_run});
                  std::this_thread::sleep_for(kIntoThePhase);
                  return secondsToEnd(program, SIGTERM, 75);
              }),
              kPromisedSeconds);
}

TEST_F(StopTimes, ALimitOfTimeHolds)
{
    const Environment slow("QS_FAKE_CELL_MILLISECONDS", "4000");
    double best = 1e9;
    for (int i = 0; i < kTries && best > 0.5 + kPromisedSeconds; ++i) {
        std::filesystem::remove_all(m_run);
        const auto begin = steady_clock::now();
        EXPECT_EQ(run({"--max-time", "0.5"}).exitCode, 75);
        best = std::min(best, duration<double>(steady_clock::now() - begin).count());
    }
    EXPECT_LT(best, 0.5 + kPromisedSeconds);
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
