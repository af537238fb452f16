// The whole program is killed in the middle of a run, again and again.

#include "core/record/run_folder.h"
#include "tests/run/session_host.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>

extern char** environ;

namespace {

using namespace qs::core;
using namespace qs::tests;
using namespace std::chrono_literals;
using RowKey = std::tuple<std::string, int, int>;

// The program in a process of its own. Killed on destruction.
class Host
{
public:
    Host(const std::filesystem::path& folder, bool resume)
    {
        std::string program = QS_SESSION_HOST;
        std::string mode = resume ? "resume" : "new";
        std::string run = folder;
        std::array<char*, 4> arguments{program.data(), mode.data(), run.data(), nullptr};
        if (::posix_spawn(&m_pid, program.c_str(), nullptr, nullptr, arguments.data(), environ) ==
            0)
            m_process = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, m_pid, 0)));
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    ~Host() { (void)killed(); }

    // Whether it ended by itself within that time.
    [[nodiscard]] bool endsWithin(std::chrono::milliseconds time) const
    {
        pollfd ended{m_process.get(), POLLIN, 0};
        return ::poll(&ended, 1, static_cast<int>(time.count())) != 0;
    }
    // Kills it if it still runs. Nothing if it was killed, else its exit code.
    std::optional<int> killed()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(std::exchange(m_pid, -1), &m_status, 0);
        }
        if (WIFSIGNALED(m_status))
            return std::nullopt;
        return WEXITSTATUS(m_status);
    }

private:
    pid_t m_pid = -1;
    int m_status = -1;
    FileDescriptor m_process;
};

// Begins the run and kills the program as soon as there is a plan.
void beginAndKill(const std::filesystem::path& run)
{
    Host host(run, false);
    while (!std::filesystem::exists(run / "plan.json") && !host.endsWithin(1ms)) {
    }
}

std::uintmax_t journalSize(const std::filesystem::path& run)
{
    std::error_code absent;
    const std::uintmax_t size = std::filesystem::file_size(run / "journal.jsonl", absent);
    return absent ? 0 : size;
}

// Until the program has written on, however slow the machine is, or has ended.
void waitForARow(const std::filesystem::path& run, const Host& host)
{
    const std::uintmax_t before = journalSize(run);
    while (journalSize(run) <= before && !host.endsWithin(1ms)) {
    }
}

std::set<RowKey> keysOf(const RunData& data)
{
    std::set<RowKey> keys;
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(keys.insert({row.cellId, row.round, row.attempt}).second) << "a row came twice";
    return keys;
}

// Every cell in every round exactly once, as its fate is; comparisons of all stored outputs.
void checkComplete(const RunData& data)
{
    std::map<std::string, std::multiset<CellStatus>> byModel;
    for (const Measurement& row : data.measurements)
        byModel[row.config.model + "@" + std::to_string(row.config.batch)].insert(row.status());
    using Statuses = std::multiset<CellStatus>;
    const Statuses thrice{CellStatus::Ok, CellStatus::Ok, CellStatus::Ok};
    EXPECT_EQ(byModel["fake:slow:40@1"], thrice);
    EXPECT_EQ(byModel["fake:ok@1"].size(), 6U) << "two precisions in three rounds";
    EXPECT_EQ(byModel["fake:crash@1"], Statuses{CellStatus::Crashed});
    EXPECT_EQ(byModel["fake:oom-from:4@4"], Statuses{CellStatus::Oom});
    EXPECT_EQ(byModel["fake:oom-from:4@8"].size(), 1U);
    std::set<std::tuple<std::string, std::string, int>> compared;
    for (const OutputQuality& quality : data.qualities)
        EXPECT_TRUE(compared.insert({quality.cellId, quality.referenceId, quality.sample}).second);
    EXPECT_EQ(compared.size(), 3U * 2U + 2U * 2U) << "three cells and the input, two and another";
}

TEST(KilledSession, LosesAndRepeatsNothing)
{
    const TestFolder folder;
    const std::filesystem::path run = folder / "run";
    beginAndKill(run);
    ASSERT_TRUE(std::filesystem::exists(run / "plan.json"));
    std::mt19937 random(20261121);
    // Soon after a row, so that several sessions have rows left to do; and at any moment from the
    // start of the program on.
    std::uniform_int_distribution<int> early(0, 20);
    std::uniform_int_distribution<int> any(0, 250);
    std::set<RowKey> known;
    int kills = 0;
    for (int session = 0; session < 12; ++session) {
        Host host(run, true);
        const bool afterARow = session % 3 != 2;
        if (afterARow)
            waitForARow(run, host);
        (void)host.endsWithin(std::chrono::milliseconds(afterARow ? early(random) : any(random)));
        if (const auto code = host.killed()) {
            ASSERT_EQ(*code, 0) << "session " << session;
            continue;
        }
        ++kills;
        const auto data = readRunFolder(run);
        ASSERT_TRUE(data.ok()) << data.error().message;
        const std::set<RowKey> now = keysOf(data.value());
        for (const RowKey& key : known)
            EXPECT_TRUE(now.contains(key)) << "a finished row is gone";
        known = now;
    }
    EXPECT_GE(kills, 3) << "the program ended before it could be killed";
    Host last(run, true);
    ASSERT_TRUE(last.endsWithin(50s));
    ASSERT_EQ(last.killed(), 0);
    const RunData data = readRunFolder(run).value();
    for (const RowKey& key : known)
        EXPECT_TRUE(keysOf(data).contains(key));
    checkComplete(data);
    EXPECT_EQ(toJson(data.plan), toJson(sessionHostPlan())) << "the plan is that of the beginning";
}

}  // namespace
