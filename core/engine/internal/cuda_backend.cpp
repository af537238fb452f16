#include "core/engine/internal/backend.h"

#include <ATen/Context.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <chrono>

namespace qs::engine {

namespace {

using core::Error;
using core::ErrorCode;
namespace allocator = c10::cuda::CUDACachingAllocator;

// Runs of the work before it is recorded: libraries make their handles and workspaces on first use.
constexpr int kRunsBeforeRecording = 3;

void check(cudaError_t code, const char* what)
{
    TORCH_CHECK(code == cudaSuccess, "CUDA error in ", what, ": ", cudaGetErrorString(code));
}

// One event that keeps time; at::cuda::CUDAEvent is made without timing by default.
class Event final
{
public:
    Event() { check(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t stream) { check(cudaEventRecord(m_event, stream), "cudaEventRecord"); }
    void wait() { check(cudaEventSynchronize(m_event), "cudaEventSynchronize"); }
    [[nodiscard]] double secondsSince(const Event& earlier) const
    {
        float milliseconds = 0.0F;
        check(cudaEventElapsedTime(&milliseconds, earlier.m_event, m_event),
              "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    cudaEvent_t m_event = nullptr;
};

class CudaGraphWork final : public RecordedWork
{
public:
    void capture(const std::function<void()>& work)
    {
        m_graph.capture_begin();
        work();
        m_graph.capture_end();
    }
    void launch() override { m_graph.replay(); }

private:
    at::cuda::CUDAGraph m_graph;
};

class CudaBackend final : public Backend
{
public:
    explicit CudaBackend(c10::DeviceIndex index)
        : m_device(c10::kCUDA, index),
          m_deviceGuard(m_device),
          m_stream(c10::cuda::getStreamFromPool(true, index)),
          m_streamGuard(m_stream)
    {
    }

    c10::Device device() const override { return m_device; }

    void synchronize() override
    {
        check(cudaStreamSynchronize(m_stream.stream()), "cudaStreamSynchronize");
    }

    core::PassSample timePass(const std::vector<std::function<void()>>& steps) override
    {
        while (m_events.size() < steps.size() + 1)
            m_events.push_back(std::make_unique<Event>());
        synchronize();
        const auto begin = std::chrono::steady_clock::now();
        m_events[0]->record(m_stream.stream());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i]();
            m_events[i + 1]->record(m_stream.stream());
        }
        m_events[steps.size()]->wait();
        core::PassSample sample;
        sample.hostSeconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        for (std::size_t i = 0; i < steps.size(); ++i)
            sample.stageSeconds.push_back(m_events[i + 1]->secondsSince(*m_events[i]));
        sample.deviceSeconds = m_events[steps.size()]->secondsSince(*m_events[0]);
        return sample;
    }

    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>& work) override
    {
        for (int i = 0; i < kRunsBeforeRecording; ++i)
            work();
        synchronize();
        auto graph = std::make_unique<CudaGraphWork>();
        graph->capture(work);
        return std::unique_ptr<RecordedWork>(std::move(graph));
    }

    void resetPeaks() override
    {
        synchronize();
        allocator::resetPeakStats(m_device.index());
        m_retriesBefore = allocator::getDeviceStats(m_device.index()).num_alloc_retries;
    }

    core::MemoryFigures memory() override
    {
        synchronize();
        const auto stats = allocator::getDeviceStats(m_device.index());
        core::MemoryFigures figures;
        // Index 0 is the aggregate over small and large blocks.
        figures.allocatedPeak = stats.allocated_bytes[0].peak;
        figures.reservedPeak = stats.reserved_bytes[0].peak;
        figures.allocationRetries = stats.num_alloc_retries - m_retriesBefore;
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        // What the whole card has lost: context, modules, workspaces and other processes included.
        figures.processPeak = static_cast<std::int64_t>(total - free);
        return figures;
    }

    void releaseCache() override { allocator::emptyCache(); }

private:
    c10::Device m_device;
    c10::cuda::CUDAGuard m_deviceGuard;
    c10::cuda::CUDAStream m_stream;
    c10::cuda::CUDAStreamGuard m_streamGuard;
    std::vector<std::unique_ptr<Event>> m_events;
    std::int64_t m_retriesBefore = 0;
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

} // namespace

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

} // namespace qs::engine
