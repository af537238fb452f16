#pragma once

#include "core/engine/internal/backend.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace qs::tests {

// A device whose counters stand still and that may have less memory than it says.
class StillBackend : public engine::Backend
{
public:
    c10::Device device() const override { return c10::Device(c10::kCPU); }
    void synchronize() override {}
    bool isLost() noexcept override { return false; }
    core::PassSample timeSample(const engine::SamplePlan&) override { return {}; }
    bool holdsStreams() const override { return false; }
    bool hasDeviceClock() const override { return false; }
    core::Result<std::unique_ptr<engine::InputFeed>>
    makeFeed(core::InputResidency, const engine::InputBatch&,
             std::vector<engine::InputBatch>) override
    {
        return core::Error{core::ErrorCode::Unsupported, ""};
    }
    core::Result<std::unique_ptr<engine::RecordedWork>>
    record(const std::function<void()>&) override
    {
        return core::Error{core::ErrorCode::Unsupported, ""};
    }
    void beginCell() override {}
    void resetPeaks() override {}
    core::MemoryFigures memory() override { return {}; }
    void releaseCache() override {}
    core::MemoryCounters memoryCounters() override { return counters; }
    std::int64_t freeMemory() override { return free; }
    std::shared_ptr<void> takeBlock(std::int64_t) override
    {
        return fits ? std::make_shared<int>(0) : nullptr;
    }

    core::MemoryCounters counters{{}, {}, 1};
    std::int64_t free = std::int64_t{1} << 30U;
    bool fits = false;
};

// There is a queue, but no driver that could take a kernel for it: kernels fall back. Where there
// is a driver, it must not be asked.
class QueueBackend : public StillBackend
{
public:
    [[nodiscard]] static bool isSafe() { return engine::describeCudaDevices().empty(); }
    void* stream() const override { return const_cast<QueueBackend*>(this); }
};

}  // namespace qs::tests
