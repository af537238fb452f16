#include "core/engine/probe/memory_sentinel.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace qs::engine {

namespace {

constexpr int kAttempts = 3;
// Pages of a CPU are taken one by one when they are written, which takes a quarter of a second per
// gibibyte, in every process.
constexpr std::int64_t kMostOnCpu = std::int64_t{64} << 20U;

core::SelfTestAttempt attempt(Backend& backend, std::int64_t bytes)
{
    core::SelfTestAttempt seen;
    backend.releaseCache();
    seen.before = backend.memoryBooks();
    {
        at::Tensor block =
            at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(backend.device()));
        block.fill_(1);  // a CPU gives memory when it is written
        seen.held = backend.memoryBooks();
    }
    backend.releaseCache();
    seen.after = backend.memoryBooks();
    seen.objection = core::sentinelObjection(seen.before, seen.held, seen.after, bytes);
    return seen;
}

}  // namespace

core::SelfTest checkMemoryBooks(Backend& backend)
{
    core::SelfTest test;
    test.bytes = core::sentinelBytes(backend.freeMemory());
    if (!backend.hasDeviceClock())
        test.bytes = std::min(test.bytes, kMostOnCpu);
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
