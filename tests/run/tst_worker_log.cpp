#include "core/run/worker_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::SizeIs;

class WorkerLogTest : public ::testing::Test
{
protected:
    WorkerLog logOf(std::size_t mostBytes)
    {
        return {[this](const std::string& line) { m_lines.push_back(line); }, mostBytes};
    }

    std::vector<std::string> m_lines;
};

TEST_F(WorkerLogTest, PiecesBecomeLines)
{
    WorkerLog log = logOf(1000);
    log.begin();
    log.add("load");
    EXPECT_THAT(m_lines, IsEmpty()) << "a line is not over before its end";
    log.add("ing\n\nhalf");
    log.end();
    EXPECT_THAT(m_lines, ElementsAre("loading", "", "half"));
    EXPECT_EQ(log.tail(), "loading\n\nhalf\n");
}

TEST_F(WorkerLogTest, AFloodIsCutAndItsEndIsKept)
{
    WorkerLog log = logOf(100);
    log.begin();
    for (int i = 0; i < 10000; ++i)
        log.add("line " + std::to_string(i) + "\n");
    log.end();
    // Ten lines of seven bytes and three of eight stay below 100.
    ASSERT_THAT(m_lines, SizeIs(14));
    EXPECT_EQ(m_lines[12], "line 12");
    EXPECT_EQ(m_lines.back(), "(96.48 KiB of output were omitted)");
    EXPECT_LE(log.tail().size(), 8192U);
    EXPECT_THAT(log.tail(), EndsWith("line 9999\n"));
}

TEST_F(WorkerLogTest, ALineWithoutEndIsCut)
{
    WorkerLog log = logOf(std::size_t{1} << 20U);
    log.begin();
    for (int i = 0; i < 100; ++i)
        log.add(std::string(1000, 'x'));
    EXPECT_FALSE(m_lines.empty()) << "it must not be kept whole";
}

TEST_F(WorkerLogTest, NothingIsLeftForTheNextCell)
{
    WorkerLog log = logOf(10);
    log.begin();
    log.add("of the first cell, too long\nand unfinished");
    log.begin();
    log.add("second\n");
    log.end();
    EXPECT_THAT(m_lines, ElementsAre("second"));
    EXPECT_EQ(log.tail(), "second\n");
}

}  // namespace
}  // namespace qs::core
