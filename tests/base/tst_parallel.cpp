#include "core/base/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

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

TEST(MadeInParallel, IsInOrder)
{
    const auto made = madeInParallel<std::string>(
        100, [](std::size_t i) -> Result<std::string> { return std::to_string(i); });
    ASSERT_TRUE(made.ok());
    ASSERT_EQ(made.value().size(), 100U);
    EXPECT_EQ(made.value()[42], "42");
    EXPECT_TRUE(
        madeInParallel<int>(0, [](std::size_t) -> Result<int> { return 1; }).value().empty());
}

TEST(MadeInParallel, TellsTheFirstErrorOfAll)
{
    const auto made = madeInParallel<int>(100, [](std::size_t i) -> Result<int> {
        if (i % 30 == 29)
            return Error{ErrorCode::Io, std::to_string(i)};
        return 0;
    });
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message, "29");
}

TEST(MadeInParallel, IsCancelledOnceAStopWasAskedFor)
{
    std::stop_source stop;
    const auto made = madeInParallel<int>(
        1000,
        [&](std::size_t i) -> Result<int> {
            if (i == 3)
                stop.request_stop();
            return 0;
        },
        stop.get_token());
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace qs::core
