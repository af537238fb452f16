#include "core/engine/probe/memory_sentinel.h"

namespace qs::engine {

namespace {

constexpr int kAttempts = 3;

core::SelfTestAttempt attempt(Backend& backend, std::int64_t bytes)
{
    core::SelfTestAttempt seen;
    backend.releaseCache();
    seen.before = backend.memoryBooks();
    const bool taken = [&] {
        const std::shared_ptr<void> block = backend.takeBlock(bytes);
        seen.held = backend.memoryBooks();
        return block != nullptr;
    }();
    backend.releaseCache();
    seen.after = backend.memoryBooks();
    seen.objection = taken ? core::sentinelObjection(seen.before, seen.held, seen.after, bytes)
                           : "the block for the self-test could not be taken";
    return seen;
}

}  // namespace

core::SelfTest checkMemoryBooks(Backend& backend)
{
    core::SelfTest test;
    test.bytes = core::sentinelBytes(backend.freeMemory());
    if (test.bytes == 0)
        return test;
    // The first kernel brings its module and the first block the allocator's own tables.
    static_cast<void>(attempt(backend, core::kAllocatorGranule));
    do {
        test.attempts.push_back(attempt(backend, test.bytes));
    } while (!test.attempts.back().objection.empty() && test.attempts.size() < kAttempts);
    return test;
}

}  // namespace qs::engine
