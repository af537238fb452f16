#include "core/engine/internal/backend.h"

#include "core/device/process_memory.h"
#include "core/engine/internal/cuda_feed.h"
#include "core/engine/internal/cuda_timing.h"
#include "core/engine/internal/torch_types.h"

#include <ATen/Context.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <unistd.h>

#include <optional>

namespace qs::engine {

namespace {

using core::Error;
using core::ErrorCode;
namespace allocator = c10::cuda::CUDACachingAllocator;

// Runs of the work before it is recorded: libraries make their handles and workspaces on first use.
constexpr int kRunsBeforeRecording = 3;

class CudaGraphWork final : public RecordedWork
{
public:
    // `pools`: bytes of all graphs that there are, to which this adds its own while it lives. A
    // graph allocates from a pool of its own, so that what is reserved grows by just that.
    CudaGraphWork(c10::DeviceIndex device, std::int64_t& pools) : m_device(device), m_pools(pools)
    {
    }
    ~CudaGraphWork() override { m_pools -= m_bytes; }

    void capture(const std::function<void()>& work)
    {
        const std::int64_t before = reservedBytes();
        try {
            m_graph.capture_begin(m_pool);
            work();
            m_graph.capture_end();
        } catch (...) {
            abandon();
            throw;
        }
        m_bytes = reservedBytes() - before;
        m_pools += m_bytes;
    }
    void launch() override { m_graph.replay(); }

private:
    // So that the stream and the allocators serve what comes after a capture that failed. A graph
    // tells its pool, and gives it back, only if its capture succeeded; until it is ended here, the
    // allocators would ask the graph that has gone about each allocation.
    void abandon()
    {
        cudaGraph_t rest = nullptr;
        static_cast<void>(cudaStreamEndCapture(c10::cuda::getCurrentCUDAStream(), &rest));
        if (rest != nullptr)
            static_cast<void>(cudaGraphDestroy(rest));
        static_cast<void>(cudaGetLastError());
        // Ending throws where the graph has done it; then the rest is its own, too.
        static_cast<void>(catching([&]() -> core::Status {
            allocator::endAllocateToPool(m_device, m_pool);
            allocator::releasePool(m_device, m_pool);
            at::HostAllocator* host = at::getHostAllocator(at::kCUDA);
            host->end_allocate_to_pool(m_pool);
            host->release_pool(m_pool);
            return {};
        }));
    }

    [[nodiscard]] std::int64_t reservedBytes() const
    {
        return allocator::getDeviceStats(m_device).reserved_bytes[0].current;
    }

    c10::DeviceIndex m_device;
    std::int64_t& m_pools;
    std::int64_t m_bytes = 0;
    at::cuda::MempoolId_t m_pool = at::cuda::graph_pool_handle();
    at::cuda::CUDAGraph m_graph;
};

std::string uuidText(const cudaDeviceProp& properties)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        const auto byte = static_cast<unsigned char>(properties.uuid.bytes[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

class CudaBackend final : public Backend
{
public:
    explicit CudaBackend(c10::DeviceIndex index)
        : m_device(c10::kCUDA, index),
          m_deviceGuard(m_device),
          m_stream(c10::cuda::getStreamFromPool(true, index)),
          m_streamGuard(m_stream),
          m_timer(m_stream.stream())
    {
    }

    c10::Device device() const override { return m_device; }

    void synchronize() override
    {
        check(cudaStreamSynchronize(m_stream.stream()), "cudaStreamSynchronize");
    }

    bool isLost() noexcept override
    {
        cudaGetLastError();  // what a call was refused for, once; what is lost says so again
        return cudaDeviceSynchronize() != cudaSuccess;
    }

    core::PassSample timeSample(const SamplePlan& plan) override
    {
        synchronize();
        return m_timer.sample(plan);
    }

    bool holdsStreams() const override { return m_timer.canHold(); }
    bool hasDeviceClock() const override { return true; }

    core::Result<std::unique_ptr<InputFeed>> makeFeed(core::InputResidency residency,
                                                      const InputBatch& inputs,
                                                      std::vector<InputBatch> batches) override
    {
        return makeCudaFeed(residency, inputs, std::move(batches), m_stream);
    }

    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>& work) override
    {
        for (int i = 0; i < kRunsBeforeRecording; ++i)
            work();
        synchronize();
        auto graph = std::make_unique<CudaGraphWork>(m_device.index(), m_graphPools);
        graph->capture(work);
        return std::unique_ptr<RecordedWork>(std::move(graph));
    }

    void* stream() const override { return m_stream.stream(); }

    void beginCell() override
    {
        m_retriesBefore = allocator::getDeviceStats(m_device.index()).num_alloc_retries;
    }

    void resetPeaks() override
    {
        synchronize();
        allocator::resetPeakStats(m_device.index());
    }

    core::MemoryFigures memory() override
    {
        synchronize();
        const auto stats = allocator::getDeviceStats(m_device.index());
        core::MemoryFigures figures;
        // Index 0 is the aggregate over small and large blocks.
        figures.allocatedPeak = stats.allocated_bytes[0].peak;
        figures.reservedPeak = stats.reserved_bytes[0].peak;
        figures.reserved = stats.reserved_bytes[0].current;
        if (m_graphPools > 0)
            figures.graphPool = m_graphPools;
        figures.allocationRetries = stats.num_alloc_retries - m_retriesBefore;
        // Of this moment: the supervising process may have seen more.
        figures.processPeak = m_counted ? m_counted->bytes() : usedMemory();
        return figures;
    }

    void releaseCache() override
    {
        m_timer.releaseCacheSweep();
        allocator::emptyCache();
    }

    core::MemoryCounters memoryCounters() override
    {
        synchronize();
        chooseProcessCounter();
        const auto stats = allocator::getDeviceStats(m_device.index());
        core::MemoryCounters counters{stats.allocated_bytes[0].current,
                                      stats.reserved_bytes[0].current, usedMemory(),
                                      core::ProcessCounter::WholeDevice};
        if (m_counted) {
            counters.process = m_counted->bytes();
            counters.processCounter = core::ProcessCounter::Driver;
        }
        return counters;
    }

    std::int64_t freeMemory() override
    {
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        return static_cast<std::int64_t>(free);
    }

    std::shared_ptr<void> takeBlock(std::int64_t bytes) override
    {
        auto block = std::make_shared<at::Tensor>(
            at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(m_device)));
        block->fill_(1);
        return block;
    }

private:
    // The driver's count for this process if it tells, else all that is used on the card. Chosen
    // once, by the self-test: what is shown later must be what was tested.
    void chooseProcessCounter()
    {
        if (m_chosen)
            return;
        m_chosen = true;
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, m_device.index()) != cudaSuccess)
            return;
        m_counted.emplace(uuidText(properties), ::getpid());
        if (!m_counted->bytes())
            m_counted.reset();
    }

    // What the whole card has lost: context, modules, workspaces and other processes included.
    [[nodiscard]] static std::int64_t usedMemory()
    {
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        return static_cast<std::int64_t>(total - free);
    }

    c10::Device m_device;
    c10::cuda::CUDAGuard m_deviceGuard;
    c10::cuda::CUDAStream m_stream;
    c10::cuda::CUDAStreamGuard m_streamGuard;
    CudaTimer m_timer;
    std::int64_t m_retriesBefore = 0;
    std::int64_t m_graphPools = 0;  // of the graphs that there are, which end before this does
    bool m_chosen = false;          // see chooseProcessCounter
    std::optional<core::ProcessMemory> m_counted;
};

}  // namespace

core::Result<std::unique_ptr<Backend>> makeCudaBackend(int index)
{
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess)
        return Error{ErrorCode::Unsupported, "CUDA is not available: " + whyNoCuda()};
    if (index >= count)
        return Error{ErrorCode::NotFound, "there is no cuda:" + std::to_string(index) + "; found " +
                                              std::to_string(count) + " GPU(s)"};
    // Torch registers its CUDA side lazily; the allocator must exist before the first stream.
    at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
    return std::unique_ptr<Backend>(
        std::make_unique<CudaBackend>(static_cast<c10::DeviceIndex>(index)));
}

std::vector<core::DeviceDescription> describeCudaDevices()
{
    std::vector<core::DeviceDescription> devices;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return devices;
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, index) != cudaSuccess)
            continue;
        core::DeviceDescription device;
        device.id = "cuda:" + std::to_string(index);
        device.name = properties.name;
        device.kind = core::DeviceKind::Cuda;
        device.computeMajor = properties.major;
        device.computeMinor = properties.minor;
        device.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
        device.processors = properties.multiProcessorCount;
        device.uuid = uuidText(properties);
        device.driver =
            "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
        devices.push_back(std::move(device));
    }
    return devices;
}

std::string whyNoCuda()
{
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    int driver = 0;
    // The run time calls it "insufficient driver" as well when there is none at all.
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no NVIDIA driver is loaded";
    if (code == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is too old for CUDA 13; update it to 580 or newer";
    if (code != cudaSuccess)
        return cudaGetErrorString(code);
    return count == 0 ? "no NVIDIA GPU was found" : "";
}

}  // namespace qs::engine
