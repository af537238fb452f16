#include "core/measure/memory_self_test.h"
#include "core/measure/tested_memory.h"

#include "core/measure/cell_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace qs::core;
using testing::IsEmpty;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kBlock = 1024 * kMiB;

const MemoryCounters kBefore{100 * kMiB, 120 * kMiB, 700 * kMiB, ProcessCounter::Driver};

MemoryCounters withBlock(std::int64_t allocated = 0, std::int64_t reserved = 0,
                         std::int64_t process = 0)
{
    return {*kBefore.allocated + kBlock + allocated, *kBefore.reserved + kBlock + reserved,
            *kBefore.process + kBlock + process, kBefore.processCounter};
}

std::optional<CounterError> checkWith(const MemoryCounters& held,
                                      const MemoryCounters& after = kBefore)
{
    return checkCounters(kBefore, held, after, kBlock);
}

SelfTest passedAt(int attempt)
{
    return {.result = SelfTestResult::Passed,
            .bytes = kBlock,
            .attempts = attempt,
            .allocatorCounters = true,
            .processCounter = ProcessCounter::Driver};
}

SelfTest failedTest()
{
    SelfTest test = passedAt(3);
    test.result = SelfTestResult::Failed;
    test.error = CounterError{CounterFault::NotGivenBack, MemoryCounter::Reserved, -2 * kMiB};
    return test;
}

}  // namespace

TEST(MemoryCounters, BlockIsOfWholeGranulesOrATenthOfWhatIsFree)
{
    EXPECT_EQ(selfTestBytes(140'000 * kMiB, ProcessCounter::Driver), 477 * 2 * kMiB);
    EXPECT_EQ(selfTestBytes(5000 * kMiB, ProcessCounter::Driver), 500 * kMiB);
    EXPECT_EQ(selfTestBytes(55 * kMiB, ProcessCounter::Driver), 4 * kMiB);
    EXPECT_EQ(selfTestBytes(10 * kMiB, ProcessCounter::Driver), 0);
    EXPECT_EQ(selfTestBytes(0, ProcessCounter::Driver), 0);
    EXPECT_EQ(selfTestBytes(140'000 * kMiB, ProcessCounter::ResidentSet), 256 * kMiB);
}

TEST(MemoryCounters, ThoseThatAgreePass)
{
    EXPECT_EQ(checkWith(withBlock()), std::nullopt);
    EXPECT_EQ(checkWith(withBlock(0, 2 * kMiB, 4 * kMiB)), std::nullopt);
    EXPECT_EQ(checkWith(withBlock(0, 0, -4 * kMiB)), std::nullopt);
}

TEST(MemoryCounters, AllocatedIsExact)
{
    for (const std::int64_t off : {1, -1})
        EXPECT_EQ(checkWith(withBlock(off)),
                  (CounterError{CounterFault::WrongRise, MemoryCounter::Allocated, kBlock + off}));
}

TEST(MemoryCounters, ReservedAndProcessHaveTheirTolerances)
{
    EXPECT_EQ(
        checkWith(withBlock(0, 2 * kMiB + 1)),
        (CounterError{CounterFault::WrongRise, MemoryCounter::Reserved, kBlock + 2 * kMiB + 1}));
    EXPECT_EQ(
        checkWith(withBlock(0, 0, 4 * kMiB + 1)),
        (CounterError{CounterFault::WrongRise, MemoryCounter::Process, kBlock + 4 * kMiB + 1}));
}

TEST(MemoryCounters, EverythingComesBack)
{
    MemoryCounters after = kBefore;
    after.reserved = *after.reserved + 2 * kMiB;
    EXPECT_EQ(checkWith(withBlock(), after),
              (CounterError{CounterFault::NotGivenBack, MemoryCounter::Reserved, 2 * kMiB}));
    after = kBefore;
    after.process = *after.process - 5 * kMiB;
    EXPECT_EQ(checkWith(withBlock(), after),
              (CounterError{CounterFault::NotGivenBack, MemoryCounter::Process, -5 * kMiB}));
    after.process = *kBefore.process + 3 * kMiB;
    EXPECT_EQ(checkWith(withBlock(), after), std::nullopt);
}

TEST(MemoryCounters, ACpuKeepsOne)
{
    const MemoryCounters before{{}, {}, 50 * kMiB};
    const MemoryCounters held{{}, {}, 114 * kMiB};
    EXPECT_EQ(checkCounters(before, held, before, 64 * kMiB), std::nullopt);
    EXPECT_EQ(checkCounters(before, before, before, 64 * kMiB),
              (CounterError{CounterFault::WrongRise, MemoryCounter::Process, 0}));
    EXPECT_EQ(checkCounters(before, MemoryCounters(), before, 64 * kMiB),
              (CounterError{CounterFault::Unreadable, MemoryCounter::Process}));
}

TEST(MemoryCounters, TheProcessIsCountedInOneWayAllTheTime)
{
    MemoryCounters held = withBlock();
    held.processCounter = ProcessCounter::WholeDevice;
    EXPECT_EQ(checkWith(held),
              (CounterError{CounterFault::AnotherCounter, MemoryCounter::Process}));
    MemoryCounters silent = kBefore;
    silent.process.reset();
    EXPECT_EQ(checkCounters(silent, withBlock(), kBefore, kBlock),
              (CounterError{CounterFault::Unreadable, MemoryCounter::Process}));
    silent = kBefore;
    silent.allocated.reset();
    EXPECT_EQ(checkWith(withBlock(), silent),
              (CounterError{CounterFault::Unreadable, MemoryCounter::Allocated}));
}

TEST(SelfTest, ACounterThatWasWrongGivesNoPeaks)
{
    CellResult measured;
    measured.memory.allocatedPeak = 7;
    measured.memory.reservedPeak = 8;
    measured.memory.reserved = 8;
    measured.memory.firstSample = {.allocatedPeak = 7, .reservedPeak = 8, .reserved = 8};
    measured.memory.graphPool = 3;
    measured.memory.processPeak = 9;
    measured.memory.loadAllocatedPeak = 10;
    measured.memory.weightsResident = 5;
    measured.stages = {{"encoder", {}, 3}};
    CellResult passed = measured;
    applySelfTest(passedAt(1), passed);
    EXPECT_EQ(passed.memory.selfTest, passedAt(1));
    EXPECT_EQ(passed.memory.allocatedPeak, 7);
    EXPECT_EQ(passed.stages.front().peakBytes, 3);
    for (const SelfTest& test :
         {failedTest(), SelfTest{.result = SelfTestResult::TooLittleMemory}, SelfTest()}) {
        CellResult wrong = measured;
        applySelfTest(test, wrong);
        EXPECT_EQ(wrong.memory.selfTest, test);
        EXPECT_FALSE(wrong.memory.reserved || wrong.memory.firstSample);
        EXPECT_FALSE(wrong.memory.allocatedPeak || wrong.memory.reservedPeak ||
                     wrong.memory.graphPool || wrong.memory.processPeak ||
                     wrong.memory.loadAllocatedPeak || wrong.stages.front().peakBytes);
        EXPECT_EQ(wrong.memory.weightsResident, 5) << "counted tensor by tensor";
        EXPECT_THAT(wrong.notes, IsEmpty()) << "the test itself is on the row";
    }
}

TEST(SelfTest, TheWorseSpeaksMoreAgainstTheFigures)
{
    // From nothing said to the worst.
    const std::vector<SelfTest> tests{SelfTest(), passedAt(1), passedAt(2), failedTest()};
    for (std::size_t i = 1; i < tests.size(); ++i)
        EXPECT_LT(tests[i - 1].severity(), tests[i].severity()) << i;
    EXPECT_EQ(failedTest().severity(),
              SelfTest{.result = SelfTestResult::TooLittleMemory}.severity());
}

TEST(SelfTest, ItsEndIsTheEndOfItsPhase)
{
    CellResult result;
    EXPECT_DOUBLE_EQ(selfTestEnd(result), 0.0) << "another cell of the worker did it";
    result.phases = {{Phase::SelfTest, 0.25, 0.5}, {Phase::Load, 1.0, 0.75}};
    EXPECT_DOUBLE_EQ(selfTestEnd(result), 0.75);
}

TEST(SelfTest, SurvivesItsJson)
{
    SelfTest repeated = passedAt(2);
    repeated.error = CounterError{CounterFault::WrongRise, MemoryCounter::Process, kBlock + 7};
    SelfTest counted = passedAt(1);
    counted.rise = kBlock;
    counted.leftOver = -5;
    for (const SelfTest& test : {SelfTest(), passedAt(1), counted, repeated, failedTest()}) {
        std::vector<JsonIssue> issues;
        EXPECT_EQ(selfTestFromJson(parseJson(toJson(test).dump(), "t").value(), "$", issues), test);
        EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    }
}

TEST(SelfTest, DamagedOnesAreNamed)
{
    const std::pair<const char*, Json> cases[] = {
        {"result", "passed: allocated"},
        {"result", Json()},
        {"bytes", -1},
        {"attempts", 1001},
        {"allocator_counters", "yes"},
        {"process_counter", "books"},
        {"error", "process memory was off"},
        {"error", Json::object()},
        {"error", Json{{"fault", "x"}, {"counter", "process"}}},
        {"surprise", 1}};
    for (const auto& [member, value] : cases) {
        Json json = toJson(failedTest());
        json[member] = value;
        std::vector<JsonIssue> issues;
        static_cast<void>(selfTestFromJson(json, "$", issues));
        ASSERT_FALSE(issues.empty()) << member << " " << value.dump();
        EXPECT_EQ(issues.front().path.rfind(std::string("$.") + member, 0), 0U)
            << formatIssues(issues);
    }
    std::vector<JsonIssue> issues;
    Json json = toJson(failedTest());
    json.erase("result");
    static_cast<void>(selfTestFromJson(json, "$", issues));
    EXPECT_FALSE(issues.empty()) << "a test without a result";
}
