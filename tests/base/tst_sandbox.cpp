#include "core/base/sandbox.h"

#include "tests/support/test_folder.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>

namespace {

using namespace qs::core;
using qs::tests::TestFolder;

// What a child sees of the world once it is shut off: a bit for each thing that worked.
enum Reach {
    kInside = 1,
    kOutside = 2,
    kRemoved = 4,
    kInternet = 8,
    kLocal = 16,
    kProgram = 32,
    kSignal = 64,
    kDevice = 128
};

bool canWrite(const std::filesystem::path& file)
{
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    return descriptor >= 0 && ::write(descriptor, "x", 1) == 1;
}

bool hasSocket(int family)
{
    return ::socket(family, SOCK_STREAM, 0) >= 0;
}

int reachOf(const std::filesystem::path& inside, const std::filesystem::path& outside)
{
    std::array<char*, 1> nothing{nullptr};
    int reach = 0;
    reach |= canWrite(inside / "new") ? kInside : 0;
    reach |= canWrite(outside / "new") ? kOutside : 0;
    reach |= ::unlink((outside / "there").c_str()) == 0 ? kRemoved : 0;
    reach |= hasSocket(AF_INET) || hasSocket(AF_INET6) ? kInternet : 0;
    reach |= hasSocket(AF_UNIX) ? kLocal : 0;
    reach |= ::kill(::getppid(), 0) == 0 ? kSignal : 0;
    reach |= canWrite("/dev/null") ? kDevice : 0;
    // Ends this process in a way that says so if it works.
    if (::fork() == 0) {
        ::execve("/bin/true", nothing.data(), nothing.data());
        ::_exit(77);
    }
    int status = 0;
    ::wait(&status);
    reach |= WIFEXITED(status) && WEXITSTATUS(status) == 77 ? 0 : kProgram;
    return reach;
}

// What `act` returns in a process of its own; -1 if that did not end by itself.
int inChild(const std::function<int()>& act)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(act());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class SandboxTest : public testing::Test
{
protected:
    SandboxTest()
    {
        std::filesystem::create_directory(m_folder / "inside");
        std::filesystem::create_directory(m_folder / "outside");
        qs::tests::writeFile(m_folder / "outside/there", "kept");
    }

    TestFolder m_folder;
};

TEST_F(SandboxTest, WithoutItEverythingIsInReach)
{
    EXPECT_EQ(inChild([&] { return reachOf(m_folder / "inside", m_folder / "outside"); }) |
                  kInternet,
              kInside | kOutside | kRemoved | kInternet | kLocal | kProgram | kSignal | kDevice);
}

TEST_F(SandboxTest, WhatItSaysHolds)
{
    const SandboxLimits limits = sandboxLimits();
    const int reach = inChild([&] {
        const auto entered = enterSandbox(m_folder / "inside");
        return entered.ok() && entered.value() == limits
                   ? reachOf(m_folder / "inside", m_folder / "outside")
                   : 0;
    });
    int expected = kInside | kLocal | kDevice;
    if (!limits.files)
        expected |= kOutside | kRemoved;
    if (!limits.network)
        expected |= kProgram | kSignal | (reach & kInternet);
    EXPECT_EQ(reach, expected);
    EXPECT_EQ(std::filesystem::exists(m_folder / "outside/there"), limits.files);
}

// The CUDA driver names its threads so, and does not start where it cannot.
TEST_F(SandboxTest, ThreadsCanBeNamedInProc)
{
    const int opened = inChild([&] {
        const auto entered = enterSandbox(m_folder / "inside");
        const std::string comm = "/proc/self/task/" + std::to_string(::gettid()) + "/comm";
        return entered.ok() ? ::open(comm.c_str(), O_WRONLY | O_TRUNC) : -1;
    });
    EXPECT_GE(opened, 0);
    EXPECT_LT(opened, 255);
}

TEST_F(SandboxTest, AbortStillEndsTheProcess)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const auto entered = enterSandbox(m_folder / "inside");
        if (entered.ok())
            ::abort();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

TEST_F(SandboxTest, AFolderThatIsNotThereIsAnError)
{
    if (!sandboxLimits().files)
        return;  // nothing to allow
    EXPECT_EQ(inChild([&] { return enterSandbox(m_folder / "nowhere").ok() ? 1 : 0; }), 0);
}

}  // namespace
