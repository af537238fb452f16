#include "core/base/bounded_folder.h"
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>

namespace qs::core {
namespace {

namespace fs = std::filesystem;

bool goesOn()
{
    return true;
}

TEST(ChildProcess, RunsWithItsVariablesAndLog)
{
    const tests::TestFolder folder;
    const fs::path log = folder / "log";
    const auto end = runChild({.program = "/bin/sh",
                               .arguments = {"-c", "echo $QS_COLOUR; echo $HOME >&2; exit 3"},
                               .variables = {{"QS_COLOUR", "blue"}, {"HOME", "elsewhere"}},
                               .log = log},
                              goesOn);
    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(end.value().exitCode, 3);
    EXPECT_FALSE(end.value().succeeded());
    EXPECT_EQ(readTextFile(log, 1000).value(), "blue\nelsewhere\n");
}

TEST(ChildProcess, SaysHowItEnded)
{
    const tests::TestFolder folder;
    const auto killed = runChild({.program = "/bin/sh",
                                  .arguments = {"-c", "kill -9 $$"},
                                  .variables = {},
                                  .log = folder / "log"},
                                 goesOn);
    ASSERT_TRUE(killed.ok());
    EXPECT_EQ(killed.value().signal, 9);
    const auto absent = runChild(
        {.program = folder / "nothing", .arguments = {}, .variables = {}, .log = folder / "log"},
        goesOn);
    ASSERT_FALSE(absent.ok());
    EXPECT_EQ(absent.error().code, ErrorCode::NotFound);
}

TEST(ChildProcess, FindsAProgramByItsNameAlone)
{
    const tests::TestFolder folder;
    const auto end = runChild(
        {.program = "sh", .arguments = {"-c", "exit 4"}, .variables = {}, .log = folder / "log"},
        goesOn);
    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(end.value().exitCode, 4);
}

TEST(ChildProcess, IsKilledWhenItIsToldNotToGoOn)
{
    const tests::TestFolder folder;
    int asked = 0;
    const auto end = runChild({.program = "/bin/sh",
                               .arguments = {"-c", "exec sleep 1000"},
                               .variables = {},
                               .log = folder / "log"},
                              [&] { return ++asked < 2; });
    ASSERT_FALSE(end.ok());
    EXPECT_EQ(end.error().code, ErrorCode::Cancelled);
}

// Whoever waits for signals blocks them; a child that did, too, would not end when it is asked to.
TEST(ChildProcess, BlocksNoSignal)
{
    const tests::TestFolder folder;
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    const auto end = runChild({.program = "/bin/sh",
                               .arguments = {"-c", "grep SigBlk /proc/self/status"},
                               .variables = {},
                               .log = folder / "log"},
                              goesOn);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ASSERT_TRUE(end.ok());
    EXPECT_EQ(readTextFile(folder / "log", 1000).value(), "SigBlk:\t0000000000000000\n");
}

TEST(BoundedFolder, WhatWasNotUsedForLongestGoes)
{
    const tests::TestFolder folder;
    for (const char* name : {"a.x", "b.x", "c.x", "d.other"})
        std::ofstream(folder / name) << "1234567890";
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(folder / "a.x", now - std::chrono::hours(1));
    fs::last_write_time(folder / "b.x", now - std::chrono::hours(2));
    fs::last_write_time(folder / "c.x", now - std::chrono::hours(3));
    markUsed(folder / "c.x");
    keepWithin(folder.path(), {".x"}, 20);
    EXPECT_TRUE(fs::exists(folder / "a.x"));
    EXPECT_FALSE(fs::exists(folder / "b.x"));
    EXPECT_TRUE(fs::exists(folder / "c.x"));
    EXPECT_TRUE(fs::exists(folder / "d.other"));
}

}  // namespace
}  // namespace qs::core
