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

#include <map>
#include <random>
#include <set>
#include <tuple>

extern char** environ;

namespace {

using namespace qs::core;
using namespace qs::tests;
using Key = std::tuple<std::string, int, int>;

// Starts the program and kills it after `milliseconds`, or waits for its end if negative. Nothing
// if it was killed, else its exit code.
std::optional<int> runHost(const std::filesystem::path& folder, bool resume, int milliseconds)
{
    std::string program = QS_SESSION_HOST;
    std::string mode = resume ? "resume" : "new";
    std::string run = folder;
    std::array<char*, 4> arguments{program.data(), mode.data(), run.data(), nullptr};
    pid_t pid = -1;
    if (::posix_spawn(&pid, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
        return -1;
    const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd ended{process.get(), POLLIN, 0};
    if (::poll(&ended, 1, milliseconds < 0 ? 50'000 : milliseconds) == 0)
        ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        return std::nullopt;
    return WEXITSTATUS(status);
}

std::set<Key> keysOf(const RunData& data)
{
    std::set<Key> keys;
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(keys.insert({row.cellId, row.round, row.attempt}).second) << "a row came twice";
    return keys;
}

// Every cell in every round exactly once, as its fate is; comparisons of all stored outputs.
void checkComplete(const RunData& data)
{
    std::map<std::string, std::multiset<CellStatus>> byModel;
    for (const Measurement& row : data.measurements)
        byModel[row.config.model + "@" + std::to_string(row.config.batch)].insert(row.status);
    using Statuses = std::multiset<CellStatus>;
    const Statuses thrice{CellStatus::Ok, CellStatus::Ok, CellStatus::Ok};
    EXPECT_EQ(byModel["fake:slow:40@1"], thrice);
    EXPECT_EQ(byModel["fake:ok@1"].size(), 6U) << "two precisions in three rounds";
    EXPECT_EQ(byModel["fake:crash@1"], Statuses{CellStatus::Crashed});
    EXPECT_EQ(byModel["fake:oom-from:4@4"], Statuses{CellStatus::Oom});
    EXPECT_EQ(byModel["fake:oom-from:4@8"].size(), 1U);
    std::set<std::tuple<std::string, std::string, int>> compared;
    for (const PictureQuality& quality : data.qualities)
        EXPECT_TRUE(compared.insert({quality.cellId, quality.referenceId, quality.picture}).second);
    EXPECT_EQ(compared.size(), 3U * 2U + 2U * 2U) << "three cells and the input, two and another";
}

TEST(KilledSession, LosesAndRepeatsNothing)
{
    std::mt19937 random(20261121);
    // Early moments first: the slow cells alone sleep for 120 ms, so that even on a fast machine
    // the sweep is not complete after three of them.
    std::uniform_int_distribution<int> early(0, 35);
    std::uniform_int_distribution<int> any(0, 250);
    const TestFolder folder;
    const std::filesystem::path run = folder / "run";
    std::set<Key> known;
    int kills = 0;
    for (int session = 0; session < 12; ++session) {
        const bool exists = std::filesystem::exists(run / "plan.json");
        const int moment = session < 6 ? early(random) : any(random);
        const auto code = runHost(run, exists, moment);
        if (code) {
            ASSERT_EQ(*code, 0) << "session " << session;
            continue;
        }
        ++kills;
        if (!std::filesystem::exists(run / "plan.json"))
            continue;
        const auto data = readRunFolder(run);
        ASSERT_TRUE(data.ok()) << data.error().message;
        const std::set<Key> now = keysOf(data.value());
        for (const Key& key : known)
            EXPECT_TRUE(now.contains(key)) << "a finished row is gone";
        known = now;
    }
    EXPECT_GE(kills, 3) << "the program ended before it could be killed";
    ASSERT_EQ(runHost(run, true, -1), 0);
    const RunData data = readRunFolder(run).value();
    for (const Key& key : known)
        EXPECT_TRUE(keysOf(data).contains(key));
    checkComplete(data);
    EXPECT_EQ(toJson(data.plan), toJson(sessionHostPlan())) << "the plan is that of the beginning";
}

}  // namespace
