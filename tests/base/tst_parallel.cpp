#include "core/base/parallel.h"

#include "core/base/thread_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace qs::core {
namespace {

TEST(InParallel, CallsEachNumberOnce)
{
    std::vector<std::atomic<int>> calls(1000);
    inParallel(calls.size(), [&](std::size_t i) { ++calls[i]; });
    for (const auto& each : calls)
        EXPECT_EQ(each, 1);
}

TEST(InParallel, ThrowsAgainAndStaysUsable)
{
    EXPECT_THROW(inParallel(50,
                            [](std::size_t i) {
                                if (i == 7)
                                    throw std::runtime_error("seven");
                            }),
                 std::runtime_error);
    std::atomic<int> calls{0};
    inParallel(50, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 50);
}

// Else 16 pictures with 16 bands each would be 256 threads.
TEST(InParallel, HasNoMoreThreadsThanProcessorsAlsoWithinACall)
{
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::atomic<int> calls{0};
    inParallel(32, [&](std::size_t) {
        inParallel(8, [&](std::size_t) {
            const int now = ++running;
            for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            ++calls;
            --running;
        });
    });
    EXPECT_EQ(calls, 32 * 8);
    EXPECT_LE(most, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

// Ends the process: 0 if one thread did all of it.
[[noreturn]] void workWithoutRoom()
{
    rlimit none{};
    none.rlim_cur = 1U << 20U;
    none.rlim_max = none.rlim_cur;
    ::setrlimit(RLIMIT_AS, &none);
    const std::thread::id here = std::this_thread::get_id();
    std::size_t done = 0;
    inParallel(100, [&](std::size_t) {
        if (std::this_thread::get_id() == here)
            ++done;
    });
    ::_exit(!hasRoomForThread() && done == 100 ? 0 : 1);
}

TEST(InParallel, DoesAllOfItWhereNoThreadHasRoom)
{
    EXPECT_TRUE(hasRoomForThread());
    EXPECT_EXIT(workWithoutRoom(), testing::ExitedWithCode(0), "");
}

TEST(EachInParallel, DoesAllOfIt)
{
    std::vector<std::string> made(100);
    EXPECT_TRUE(eachInParallel(made.size(), [&](std::size_t i) -> Status {
                    made[i] = std::to_string(i);
                    return {};
                }).ok());
    for (std::size_t i = 0; i < made.size(); ++i)
        EXPECT_EQ(made[i], std::to_string(i));
    EXPECT_TRUE(eachInParallel(0, [](std::size_t) -> Status {
                    return Error{ErrorCode::Io, "none"};
                }).ok());
}

TEST(EachInParallel, TellsTheFirstErrorOfAll)
{
    const Status done = eachInParallel(100, [](std::size_t i) -> Status {
        if (i % 30 == 29)
            return Error{ErrorCode::Io, std::to_string(i)};
        return {};
    });
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message, "29");
}

TEST(EachInParallel, IsCancelledOnceAStopWasAskedFor)
{
    std::stop_source stop;
    const Status done = eachInParallel(
        1000,
        [&](std::size_t i) -> Status {
            if (i == 3)
                stop.request_stop();
            return {};
        },
        stop.get_token());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace qs::core
