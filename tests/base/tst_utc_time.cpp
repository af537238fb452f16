#include "core/base/utc_time.h"

#include <gtest/gtest.h>

#include <ctime>

namespace qs::core {
namespace {

TEST(UtcTime, OfNowReadsBack)
{
    const auto before = static_cast<std::int64_t>(std::time(nullptr));
    const auto now = secondsFromUtc(utcNow());
    ASSERT_TRUE(now);
    EXPECT_GE(*now, before);
    EXPECT_LE(*now, static_cast<std::int64_t>(std::time(nullptr)));
}

TEST(UtcTime, CountsFrom1970)
{
    EXPECT_EQ(secondsFromUtc("1970-01-01T00:00:00Z"), 0);
    EXPECT_EQ(secondsFromUtc("1970-01-02T01:02:03Z"), 86'400 + 3'723);
    EXPECT_EQ(secondsFromUtc("2000-03-01T00:00:00Z"), 951'868'800) << "after a leap day";
    EXPECT_EQ(secondsFromUtc("2026-11-21T09:30:00Z"), 1'795'253'400);
}

TEST(UtcTime, AnyOtherTextIsNoTime)
{
    for (const char* text :
         {"", "yesterday", "2026-11-21", "2026-11-21 09:30:00Z", "2026-11-21T09:30:00",
          "2026-11-21T09:30:00+01:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
          "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z", "2026-11-21T09:30:61Z",
          "-026-11-21T09:30:00Z", "2026-11-21T09:30:0 Z", "2026-11-21T09:30:00ZZ"})
        EXPECT_EQ(secondsFromUtc(text), std::nullopt) << text;
}

}  // namespace
}  // namespace qs::core
