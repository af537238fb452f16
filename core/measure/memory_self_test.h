#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace qs::core {

// Note [Memory self-test]
// Memory figures come from three counters that are kept by others: PyTorch's allocator (handed out,
// held) and the driver or the kernel (the process). Before any of them is shown, a block of known
// size is taken and given back, and each counter must show it. The counter of the process that is
// tested is the one that is shown: its figure never comes from another.

enum class MemoryCounter { Allocated, Reserved, Process };
inline constexpr auto kMemoryCounters = enumNames<MemoryCounter>({
    {MemoryCounter::Allocated, "allocated"},
    {MemoryCounter::Reserved, "reserved"},
    {MemoryCounter::Process, "process"},
});

// Who counts what the process has.
enum class ProcessCounter {
    ResidentSet,  // the kernel, on a CPU
    Driver,       // the driver of the GPU, for the process alone
    WholeDevice,  // the driver, for all that is on the GPU: where it tells no more
};
inline constexpr auto kProcessCounters = enumNames<ProcessCounter>({
    {ProcessCounter::ResidentSet, "resident_set"},
    {ProcessCounter::Driver, "driver"},
    {ProcessCounter::WholeDevice, "whole_device"},
});

// The three counters at one moment, in bytes. A CPU keeps the last one alone.
struct MemoryCounters {
    std::optional<std::int64_t> allocated;
    std::optional<std::int64_t> reserved;
    std::optional<std::int64_t> process;
    ProcessCounter processCounter = ProcessCounter::ResidentSet;
};

// How large the block is, or a tenth of what is free: whole granules, as the allocator counts
// blocks of this size. On a GPU the 1e9 bytes of llm-compressor's memory sentinel, rounded up; a
// processor writes each page of it, which takes the worker's time.
inline constexpr std::int64_t kAllocatorGranule = std::int64_t{2} << 20U;
inline constexpr std::int64_t kSelfTestBytes =
    (1'000'000'000 + kAllocatorGranule - 1) / kAllocatorGranule * kAllocatorGranule;
inline constexpr std::int64_t kResidentSelfTestBytes = std::int64_t{256} << 20U;
inline constexpr std::int64_t kProcessTolerance = std::int64_t{4} << 20U;
// 0 if less than a granule would be left.
[[nodiscard]] std::int64_t selfTestBytes(std::int64_t freeBytes, ProcessCounter counter);

// What is wrong with a counter.
enum class CounterFault {
    NoBlock,  // the block could not be taken
    Unreadable,
    AnotherCounter,  // process memory was not counted in the same way all the time
    WrongRise,       // `bytes` is what it rose by
    NotGivenBack,    // `bytes` is how far it was off afterwards
};
inline constexpr auto kCounterFaults = enumNames<CounterFault>({
    {CounterFault::NoBlock, "no_block"},
    {CounterFault::Unreadable, "unreadable"},
    {CounterFault::AnotherCounter, "another_counter"},
    {CounterFault::WrongRise, "wrong_rise"},
    {CounterFault::NotGivenBack, "not_given_back"},
});
struct CounterError {
    CounterFault fault = CounterFault::Unreadable;
    MemoryCounter counter = MemoryCounter::Process;
    std::int64_t bytes = 0;

    bool operator==(const CounterError&) const = default;
};

// Of counters that were read before a block of `bytes` was taken, while it was held and after it
// was given back; nothing if all agree. Handed out must be exact, held within a granule, the
// process within 4 MiB, and all must come back to where they were. Counters of the allocator that
// cannot be read are not kept on this device.
[[nodiscard]] std::optional<CounterError> checkCounters(const MemoryCounters& before,
                                                        const MemoryCounters& held,
                                                        const MemoryCounters& after,
                                                        std::int64_t bytes);

enum class SelfTestResult { NotRun, Passed, TooLittleMemory, Failed };
inline constexpr auto kSelfTestResults = enumNames<SelfTestResult>({
    {SelfTestResult::NotRun, "not_run"},
    {SelfTestResult::Passed, "passed"},
    {SelfTestResult::TooLittleMemory, "too_little_memory"},
    {SelfTestResult::Failed, "failed"},
});

// A disagreement is looked at again, because something else may have taken memory in between: the
// last attempt counts.
struct SelfTest {
    SelfTestResult result = SelfTestResult::NotRun;
    std::int64_t bytes = 0;  // of the block
    int attempts = 0;
    bool allocatorCounters = false;  // there are any
    ProcessCounter processCounter = ProcessCounter::ResidentSet;
    // Of the last attempt, by the allocator's count if it has one, else the process's: what the
    // block added, and how far the counter was off when it was gone.
    std::optional<std::int64_t> rise = std::nullopt;
    std::optional<std::int64_t> leftOver = std::nullopt;
    // Of the last attempt if it failed; of the first if a later one passed.
    std::optional<CounterError> error = std::nullopt;

    [[nodiscard]] bool passed() const { return result == SelfTestResult::Passed; }
    // How much it speaks against the figures; one that was not run says nothing.
    [[nodiscard]] int severity() const;
    bool operator==(const SelfTest&) const = default;
};

[[nodiscard]] Json toJson(const SelfTest& test);
[[nodiscard]] SelfTest selfTestFromJson(const JsonView& json, const std::string& path,
                                        std::vector<JsonIssue>& issues);

}  // namespace qs::core
