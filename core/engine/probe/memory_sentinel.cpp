#include "core/engine/probe/memory_sentinel.h"

#include <ATen/ops/empty.h>

namespace qs::engine {

namespace {

constexpr int kAttempts = 3;
// Pages of a CPU are taken one by one when they are written, which takes a quarter of a second per
// gibibyte, in every process.
constexpr std::int64_t kMostOnCpu = std::int64_t{64} << 20U;

std::string attempt(Backend& backend, std::int64_t bytes)
{
    backend.releaseCache();
    const core::MemoryBooks before = backend.memoryBooks();
    core::MemoryBooks held;
    {
        at::Tensor block =
            at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(backend.device()));
        block.fill_(1);  // a CPU gives memory when it is written
        held = backend.memoryBooks();
    }
    backend.releaseCache();
    return core::sentinelObjection(before, held, backend.memoryBooks(), bytes);
}

}  // namespace

std::string checkMemoryBooks(Backend& backend)
{
    const std::int64_t bytes = core::sentinelBytes(
        backend.freeMemory(), backend.hasDeviceClock() ? core::kSentinelBytes : kMostOnCpu);
    if (bytes == 0)
        return "too little memory is free for the self-test";
    // The first kernel brings its module and the first block the allocator's own tables.
    std::string objection = attempt(backend, core::kAllocatorGranule);
    for (int i = 0; i < kAttempts; ++i) {
        objection = attempt(backend, bytes);
        if (objection.empty())
            return "passed";
    }
    return objection;
}

}  // namespace qs::engine
