#include "core/measure/sentinel.h"

#include "core/measure/cell_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace qs::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kBlock = 1024 * kMiB;

const MemoryBooks kBefore{100 * kMiB, 120 * kMiB, 700 * kMiB, ProcessBook::Driver};

MemoryBooks withBlock(std::int64_t allocated = 0, std::int64_t reserved = 0,
                      std::int64_t process = 0)
{
    return {*kBefore.allocated + kBlock + allocated, *kBefore.reserved + kBlock + reserved,
            *kBefore.process + kBlock + process, kBefore.processBook};
}

// A self-test with one attempt for each objection.
SelfTest testWith(const std::vector<std::string>& objections, MemoryBooks books = kBefore)
{
    SelfTest test{kBlock, {}};
    for (const std::string& objection : objections)
        test.attempts.push_back({books, books, books, objection});
    return test;
}

}  // namespace

TEST(Sentinel, IsAGibibyteOrATenthOfWhatIsFree)
{
    EXPECT_EQ(sentinelBytes(140'000 * kMiB), kBlock);
    EXPECT_EQ(sentinelBytes(5000 * kMiB), 500 * kMiB);
    EXPECT_EQ(sentinelBytes(55 * kMiB), 4 * kMiB);
    EXPECT_EQ(sentinelBytes(10 * kMiB), 0);
    EXPECT_EQ(sentinelBytes(0), 0);
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

TEST(Sentinel, TheProcessIsCountedInOneWayAllTheTime)
{
    MemoryBooks held = withBlock();
    held.processBook = ProcessBook::WholeDevice;
    EXPECT_THAT(sentinelObjection(kBefore, held, kBefore, kBlock), HasSubstr("same way"));
    MemoryBooks silent = kBefore;
    silent.process.reset();
    EXPECT_EQ(sentinelObjection(silent, withBlock(), kBefore, kBlock),
              "process memory cannot be read");
}

TEST(SelfTestText, NamesTheBooksThatWereTested)
{
    EXPECT_EQ(selfTestText(testWith({""})),
              "passed: allocated, reserved, process (driver's count)");
    MemoryBooks whole = kBefore;
    whole.processBook = ProcessBook::WholeDevice;
    EXPECT_EQ(selfTestText(testWith({""}, whole)),
              "passed: allocated, reserved, process (whole device)");
    EXPECT_EQ(selfTestText(testWith({""}, {{}, {}, kMiB})), "passed: process (resident set)");
    EXPECT_EQ(selfTestText(testWith({"a", "b", "c"})), "c") << "the last attempt counts";
    EXPECT_EQ(selfTestText(testWith({"a", "b", ""}, {{}, {}, kMiB})),
              "passed at attempt 3: process (resident set); at first a");
    EXPECT_EQ(selfTestText(SelfTest()), "too little memory is free for the self-test");
}

TEST(SelfTestText, IsReadAsItWasWritten)
{
    for (const ProcessBook book :
         {ProcessBook::ResidentSet, ProcessBook::Driver, ProcessBook::WholeDevice}) {
        MemoryBooks books = kBefore;
        books.processBook = book;
        const std::string text = selfTestText(testWith({""}, books));
        EXPECT_TRUE(passedSelfTest(text)) << text;
        EXPECT_EQ(testedProcessBook(text), book) << text;
        const std::string late = selfTestText(testWith({"process memory was off", ""}, books));
        EXPECT_TRUE(passedSelfTest(late)) << late;
        EXPECT_EQ(testedProcessBook(late), book) << late;
    }
    EXPECT_TRUE(passedSelfTest("passed")) << "rows of before";
    EXPECT_EQ(testedProcessBook("passed"), std::nullopt);
    for (const char* text : {"", "pass", "passed by", "not passed: process (driver's count)",
                             "too little memory is free for the self-test"}) {
        EXPECT_FALSE(passedSelfTest(text)) << text;
        EXPECT_EQ(testedProcessBook(text), std::nullopt) << text;
    }
}

TEST(SelfTestText, SaysOnTheRowWhatIsNotAsUsual)
{
    EXPECT_THAT(selfTestNotes("passed: allocated, reserved, process (driver's count)"), IsEmpty());
    EXPECT_THAT(selfTestNotes("passed"), IsEmpty());
    EXPECT_THAT(selfTestNotes("passed: allocated, reserved, process (whole device)"),
                ElementsAre(HasSubstr("used on the whole device")));
    EXPECT_THAT(selfTestNotes("passed at attempt 2: process (resident set); at first it was off"),
                ElementsAre("memory self-test passed at attempt 2: process (resident set); at "
                            "first it was off"));
    EXPECT_THAT(selfTestNotes("passed at attempt 2: process (whole device); at first it was off"),
                ElementsAre(HasSubstr("attempt 2"), HasSubstr("used on the whole device")));
    EXPECT_THAT(selfTestNotes("process memory cannot be read"),
                ElementsAre("no memory figures: process memory cannot be read"));
}

TEST(SelfTestText, ABookThatWasWrongGivesNoPeaks)
{
    CellResult measured;
    measured.memory.allocatedPeak = 7;
    measured.memory.reservedPeak = 8;
    measured.memory.processPeak = 9;
    measured.memory.loadAllocatedPeak = 10;
    measured.memory.weightsResident = 5;
    measured.stages = {{"encoder", {}, 3}};
    CellResult passed = measured;
    applySelfTest("passed: allocated, reserved, process (driver's count)", passed);
    EXPECT_EQ(passed.memory.allocatedPeak, 7);
    EXPECT_EQ(passed.stages.front().peakBytes, 3);
    EXPECT_THAT(passed.notes, IsEmpty());
    CellResult wrong = measured;
    applySelfTest("process memory cannot be read", wrong);
    EXPECT_EQ(wrong.memory.sentinel, "process memory cannot be read");
    EXPECT_FALSE(wrong.memory.allocatedPeak || wrong.memory.reservedPeak ||
                 wrong.memory.processPeak || wrong.memory.loadAllocatedPeak ||
                 wrong.stages.front().peakBytes);
    EXPECT_EQ(wrong.memory.weightsResident, 5) << "counted, not read from a book";
    EXPECT_THAT(wrong.notes, ElementsAre(HasSubstr("no memory figures")));
}

TEST(SelfTestText, OfAllRoundsTheWorstIsKept)
{
    // From nothing said to the worst.
    const std::vector<std::string> texts{"", "passed", "passed at attempt 2: process; at first x",
                                         "process memory cannot be read"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = 0; j < texts.size(); ++j)
            EXPECT_EQ(worseSelfTest(texts[i], texts[j]), texts[std::max(i, j)]) << i << " " << j;
    }
    EXPECT_EQ(worseSelfTest("passed: process (resident set)", "passed"),
              "passed: process (resident set)");
}
