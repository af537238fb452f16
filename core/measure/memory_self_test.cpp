#include "core/measure/memory_self_test.h"

#include "core/base/json_enum.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace qs::core {

namespace {

// One of the counters with how far it may be off.
struct Tolerance {
    MemoryCounter counter;
    std::optional<std::int64_t> MemoryCounters::*figure;
    std::int64_t held;       // bytes, while the block is held
    std::int64_t remainder;  // bytes that may stay when it is gone
};

constexpr Tolerance kTolerances[] = {
    {MemoryCounter::Allocated, &MemoryCounters::allocated, 0, 0},
    {MemoryCounter::Reserved, &MemoryCounters::reserved, kAllocatorGranule, 0},
    {MemoryCounter::Process, &MemoryCounters::process, kProcessTolerance, kProcessTolerance},
};

}  // namespace

std::int64_t selfTestBytes(std::int64_t freeBytes, ProcessCounter counter)
{
    const std::int64_t most =
        counter == ProcessCounter::ResidentSet ? kResidentSelfTestBytes : kSelfTestBytes;
    const std::int64_t wanted = std::min(most, freeBytes / 10);
    return std::max<std::int64_t>(0, wanted / kAllocatorGranule * kAllocatorGranule);
}

std::optional<CounterError> checkCounters(const MemoryCounters& before, const MemoryCounters& held,
                                          const MemoryCounters& after, std::int64_t bytes)
{
    if (before.processCounter != held.processCounter ||
        before.processCounter != after.processCounter)
        return CounterError{CounterFault::AnotherCounter};
    if (!before.process)
        return CounterError{CounterFault::Unreadable};
    for (const Tolerance& each : kTolerances) {
        const auto& start = before.*each.figure;
        const auto& middle = held.*each.figure;
        const auto& end = after.*each.figure;
        if (!start)
            continue;
        if (!middle || !end)
            return CounterError{CounterFault::Unreadable, each.counter};
        if (std::abs(*middle - *start - bytes) > each.held)
            return CounterError{CounterFault::WrongRise, each.counter, *middle - *start};
        if (std::abs(*end - *start) > each.remainder)
            return CounterError{CounterFault::NotGivenBack, each.counter, *end - *start};
    }
    return std::nullopt;
}

int SelfTest::severity() const
{
    switch (result) {
    case SelfTestResult::NotRun:
        return 0;
    case SelfTestResult::Passed:
        return attempts > 1 ? 2 : 1;
    case SelfTestResult::TooLittleMemory:
    case SelfTestResult::Failed:
        return 3;
    }
    QS_ASSERT(false);
    return 3;
}

Json toJson(const SelfTest& test)
{
    Json json{{"result", kSelfTestResults.of(test.result)},
              {"bytes", test.bytes},
              {"attempts", test.attempts},
              {"allocator_counters", test.allocatorCounters},
              {"process_counter", kProcessCounters.of(test.processCounter)}};
    if (test.rise)
        json["rise"] = *test.rise;
    if (test.leftOver)
        json["left_over"] = *test.leftOver;
    if (test.error)
        json["error"] = {{"fault", kCounterFaults.of(test.error->fault)},
                         {"counter", kMemoryCounters.of(test.error->counter)},
                         {"bytes", test.error->bytes}};
    return json;
}

SelfTest selfTestFromJson(const JsonView& json, const std::string& path,
                          std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    SelfTest test;
    test.result = requireEnum(fields, "result", kSelfTestResults, SelfTestResult::NotRun);
    test.bytes = fields.integer("bytes", 0, 0, INT64_MAX);
    test.attempts = static_cast<int>(fields.integer("attempts", 0, 0, 1000));
    test.allocatorCounters = fields.flag("allocator_counters", false);
    test.processCounter =
        readEnum(fields, "process_counter", kProcessCounters, ProcessCounter::ResidentSet);
    if (fields.member("rise") != nullptr)
        test.rise = fields.integer("rise", 0, INT64_MIN, INT64_MAX);
    if (fields.member("left_over") != nullptr)
        test.leftOver = fields.integer("left_over", 0, INT64_MIN, INT64_MAX);
    if (const JsonView* found = fields.member("error")) {
        JsonFields error(*found, fields.pathOf("error"), issues);
        test.error =
            CounterError{requireEnum(error, "fault", kCounterFaults, CounterFault::Unreadable),
                         requireEnum(error, "counter", kMemoryCounters, MemoryCounter::Process),
                         error.integer("bytes", 0, INT64_MIN, INT64_MAX)};
        error.finish();
    }
    fields.finish();
    return test;
}

}  // namespace qs::core
