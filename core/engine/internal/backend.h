#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/kernels/kernel_cache.h"
#include "core/measure/cell_result.h"
#include "core/measure/memory_self_test.h"
#include "core/measure/sampler.h"
#include "core/sweep/input_residency.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace qs::engine {

// Work that was recorded once and can be launched again with the same tensors.
class RecordedWork
{
public:
    virtual ~RecordedWork() = default;
    virtual void launch() = 0;
};

// Brings a batch from the memory of the host into the inputs of a pass, as its residency says.
class InputFeed
{
public:
    virtual ~InputFeed() = default;
    // Queues what has to be there before the pass; called with the device idle.
    virtual void beforePass() = 0;
    // Waits for copies that went on beside the pass.
    virtual void afterPass() = 0;
    // Of the last copy that is over, by the clock of the device.
    [[nodiscard]] virtual double copySeconds() const = 0;
};

// Contents of all inputs of a pass, in their order.
using InputBatch = std::vector<at::Tensor>;

// Note [Held streams]
// A recorded pass is a launch or two. While the stream waits at a gate until all of them are
// queued, the time between the events is that of the device alone, whatever the host does
// meanwhile. Eager passes are never held: thousands of launches do not fit into the queue of a
// stream, which would wait for itself, and the gaps that a slow host leaves are a property of the
// eager mode. The host's clock sees a held pass as launching and running one after the other.

// How a sample is taken.
struct SamplePlan {
    std::vector<std::function<void()>> steps;  // one per stage
    bool stagesApart = true;                   // else one step is all of them
    InputFeed* feed = nullptr;                 // not owned; null if the inputs stay on the device
    // Queues the next batch into inputs that stay there, outside all that is timed; may be empty.
    std::function<void()> nextBatch = {};
    int passes = 1;          // in a row, see Note [Blocks] in core/measure/sampler.h
    bool coldCache = false;  // the L2 cache is overwritten before each pass
    bool held = false;       // see Note [Held streams]; where the device can
};

// What differs between a CPU and a CUDA device: clocks, memory figures, recording. One per worker;
// used from the GPU thread alone. Methods throw what Torch throws unless they return a Result.
class Backend
{
public:
    virtual ~Backend() = default;

    [[nodiscard]] virtual c10::Device device() const = 0;
    virtual void synchronize() = 0;
    // Whether nothing can be computed on it any more until the process ends. Waits for what is
    // queued.
    [[nodiscard]] virtual bool isLost() noexcept = 0;
    // Runs the passes and times each stage and the whole; what it gives is per pass. The stages of
    // a block are timed in one more pass after it, so that their events are not part of it.
    [[nodiscard]] virtual core::PassSample timeSample(const SamplePlan& plan) = 0;
    // Whether passes can be held, whether there is a cache to make cold, whether time is told in
    // steps that short passes need blocks for: all of them are matters of GPUs.
    [[nodiscard]] virtual bool holdsStreams() const = 0;
    [[nodiscard]] virtual bool hasDeviceClock() const = 0;
    // The inputs keep their addresses and must outlive the feed. The passes take turns with the
    // batches, which lie in the memory of the host.
    [[nodiscard]] virtual core::Result<std::unique_ptr<InputFeed>>
    makeFeed(core::InputResidency residency, const InputBatch& inputs,
             std::vector<InputBatch> batches) = 0;
    // Runs `work` a few times to warm libraries, then records it; empty on devices that cannot.
    [[nodiscard]] virtual core::Result<std::unique_ptr<RecordedWork>>
    record(const std::function<void()>& work) = 0;

    // The queue that kernels of ours are launched on, a cudaStream_t; null on devices without one.
    [[nodiscard]] virtual void* stream() const { return nullptr; }
    // What was compiled for it before, and which of several ways was the fastest; nothing until a
    // folder is given.
    [[nodiscard]] const core::KernelCache& kernels() const { return m_kernels; }
    [[nodiscard]] const core::KernelCache& choices() const { return m_choices; }
    void keepKernels(const std::filesystem::path& folder)
    {
        m_kernels = core::KernelCache(folder, core::kKernelCode);
        m_choices = core::KernelCache(folder, core::kKernelChoices);
    }

    // Starts counting what is counted once per cell: retries of the allocator.
    virtual void beginCell() = 0;
    // Starts counting peaks anew.
    virtual void resetPeaks() = 0;
    // Peaks since the last reset.
    [[nodiscard]] virtual core::MemoryFigures memory() = 0;
    // Gives cached memory back to the device, and what the timing took for itself.
    virtual void releaseCache() = 0;
    // What the counters say now, and what is free; see Note [Memory self-test] in
    // core/measure/memory_self_test.h.
    [[nodiscard]] virtual core::MemoryCounters memoryCounters() = 0;
    [[nodiscard]] virtual std::int64_t freeMemory() = 0;
    // Memory as tensors have it, every page of it there, until its last owner lets go; null if
    // there is none.
    [[nodiscard]] virtual std::shared_ptr<void> takeBlock(std::int64_t bytes) = 0;

private:
    core::KernelCache m_kernels;
    core::KernelCache m_choices;
};

[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend();

// The CUDA half. Without its headers at build time the same functions answer with the reason
// (cuda_absent.cpp).
[[nodiscard]] core::Result<std::unique_ptr<Backend>> makeCudaBackend(int index);
[[nodiscard]] std::vector<core::DeviceDescription> describeCudaDevices();
// Why there are none, in words; empty if there are.
[[nodiscard]] std::string whyNoCuda();

[[nodiscard]] core::Result<std::unique_ptr<Backend>> makeBackend(const std::string& deviceId);

}  // namespace qs::engine
