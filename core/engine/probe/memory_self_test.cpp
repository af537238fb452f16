#include "core/engine/probe/memory_self_test.h"

namespace qs::engine {

namespace {

constexpr int kAttempts = 3;

// Takes a block and gives it back; what the counters got wrong.
std::optional<core::CounterError> attempt(Backend& backend, std::int64_t bytes,
                                          core::SelfTest& test)
{
    backend.releaseCache();
    const core::MemoryCounters before = backend.memoryCounters();
    core::MemoryCounters held;
    const bool taken = [&] {
        const std::shared_ptr<void> block = backend.takeBlock(bytes);
        held = backend.memoryCounters();
        return block != nullptr;
    }();
    backend.releaseCache();
    const core::MemoryCounters after = backend.memoryCounters();
    test.allocatorCounters = before.allocated.has_value();
    test.processCounter = before.processCounter;
    const auto figure =
        test.allocatorCounters ? &core::MemoryCounters::allocated : &core::MemoryCounters::process;
    const auto risen = [&](const core::MemoryCounters& now) -> std::optional<std::int64_t> {
        if (!taken || !(before.*figure) || !(now.*figure))
            return std::nullopt;
        return *(now.*figure) - *(before.*figure);
    };
    test.rise = risen(held);
    test.leftOver = risen(after);
    if (!taken)
        return core::CounterError{core::CounterFault::NoBlock};
    return core::checkCounters(before, held, after, bytes);
}

}  // namespace

core::SelfTest testMemoryCounters(Backend& backend)
{
    core::SelfTest test;
    test.bytes = core::selfTestBytes(backend.freeMemory(), backend.memoryCounters().processCounter);
    test.result = core::SelfTestResult::TooLittleMemory;
    if (test.bytes == 0)
        return test;
    // The first kernel brings its module and the first block the allocator's own tables.
    static_cast<void>(attempt(backend, core::kAllocatorGranule, test));
    while (test.attempts < kAttempts) {
        ++test.attempts;
        const auto error = attempt(backend, test.bytes, test);
        test.result = error ? core::SelfTestResult::Failed : core::SelfTestResult::Passed;
        if (!error)
            break;
        // The last attempt tells of a failure, the first of what had passed by then.
        if (test.attempts == 1 || test.attempts == kAttempts)
            test.error = error;
    }
    return test;
}

}  // namespace qs::engine
