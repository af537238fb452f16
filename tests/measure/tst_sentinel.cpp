#include "core/measure/sentinel.h"

#include <gtest/gtest.h>

using namespace qs::core;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kBlock = 1024 * kMiB;

const MemoryBooks kBefore{100 * kMiB, 120 * kMiB, 700 * kMiB};

MemoryBooks withBlock(std::int64_t allocated = 0, std::int64_t reserved = 0,
                      std::int64_t process = 0)
{
    return {*kBefore.allocated + kBlock + allocated, *kBefore.reserved + kBlock + reserved,
            *kBefore.process + kBlock + process};
}

}  // namespace

TEST(Sentinel, IsAGibibyteOrATenthOfWhatIsFree)
{
    EXPECT_EQ(sentinelBytes(140'000 * kMiB), kBlock);
    EXPECT_EQ(sentinelBytes(5000 * kMiB), 500 * kMiB);
    EXPECT_EQ(sentinelBytes(55 * kMiB), 4 * kMiB);
    EXPECT_EQ(sentinelBytes(10 * kMiB), 0);
    EXPECT_EQ(sentinelBytes(0), 0);
    EXPECT_EQ(sentinelBytes(5000 * kMiB, 64 * kMiB), 64 * kMiB);
}

TEST(Sentinel, BooksThatAgreePass)
{
    EXPECT_EQ(sentinelObjection(kBefore, withBlock(), kBefore, kBlock), "");
    EXPECT_EQ(sentinelObjection(kBefore, withBlock(0, 2 * kMiB, 4 * kMiB), kBefore, kBlock), "");
    EXPECT_EQ(sentinelObjection(kBefore, withBlock(0, 0, -4 * kMiB), kBefore, kBlock), "");
}

TEST(Sentinel, AllocatedIsExact)
{
    EXPECT_NE(sentinelObjection(kBefore, withBlock(1), kBefore, kBlock).find("allocated"),
              std::string::npos);
    EXPECT_NE(sentinelObjection(kBefore, withBlock(-1), kBefore, kBlock), "");
}

TEST(Sentinel, ReservedAndProcessHaveTheirTolerances)
{
    EXPECT_NE(
        sentinelObjection(kBefore, withBlock(0, 2 * kMiB + 1), kBefore, kBlock).find("reserved"),
        std::string::npos);
    EXPECT_NE(
        sentinelObjection(kBefore, withBlock(0, 0, 4 * kMiB + 1), kBefore, kBlock).find("process"),
        std::string::npos);
}

TEST(Sentinel, EverythingComesBack)
{
    MemoryBooks after = kBefore;
    after.reserved = *after.reserved + 2 * kMiB;
    EXPECT_NE(sentinelObjection(kBefore, withBlock(), after, kBlock).find("given back"),
              std::string::npos);
    after = kBefore;
    after.process = *after.process + 5 * kMiB;
    EXPECT_NE(sentinelObjection(kBefore, withBlock(), after, kBlock), "");
    after.process = *kBefore.process + 3 * kMiB;
    EXPECT_EQ(sentinelObjection(kBefore, withBlock(), after, kBlock), "");
}

TEST(Sentinel, ACpuKeepsOneBook)
{
    const MemoryBooks before{{}, {}, 50 * kMiB};
    const MemoryBooks held{{}, {}, 114 * kMiB};
    EXPECT_EQ(sentinelObjection(before, held, before, 64 * kMiB), "");
    EXPECT_NE(sentinelObjection(before, before, before, 64 * kMiB), "");
    EXPECT_NE(sentinelObjection(before, MemoryBooks(), before, 64 * kMiB), "");
}
