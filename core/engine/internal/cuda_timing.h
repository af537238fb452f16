#pragma once

#include "core/engine/internal/backend.h"

#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace qs::engine {

inline void check(cudaError_t code, const char* what)
{
    if (code != cudaSuccess)
        throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, code,
                                    std::string(what) + ": " + cudaGetErrorString(code));
}

// One event; at::cuda::CUDAEvent is made without timing by default.
class Event final
{
public:
    Event() { check(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t stream) { check(cudaEventRecord(m_event, stream), "cudaEventRecord"); }
    void wait() { check(cudaEventSynchronize(m_event), "cudaEventSynchronize"); }
    // What is queued on the stream from now on waits for the event.
    void blockStream(cudaStream_t stream) const
    {
        check(cudaStreamWaitEvent(stream, m_event, 0), "cudaStreamWaitEvent");
    }
    [[nodiscard]] double secondsSince(const Event& earlier) const;

private:
    cudaEvent_t m_event = nullptr;
};

// A gate in a stream that the host opens. Where the driver cannot, close() does nothing. A checker
// or CUDA_LAUNCH_BLOCKING makes launches wait for their end, which never comes behind a closed
// gate: a thread opens one that has been closed for longer than kPatience, and none is closed after
// that.
class StreamGate final
{
public:
    StreamGate();
    ~StreamGate();
    StreamGate(const StreamGate&) = delete;
    StreamGate& operator=(const StreamGate&) = delete;

    static constexpr std::chrono::milliseconds kPatience{500};

    [[nodiscard]] bool works() const { return m_word != nullptr && !m_gaveUp; }
    // What is queued from now on waits until open().
    void close(cudaStream_t stream);
    void open();

private:
    using WaitValue = int (*)(cudaStream_t stream, unsigned long long address, std::uint32_t value,
                              unsigned flags);
    WaitValue m_waitValue = nullptr;
    void watch(const std::stop_token& stop);
    void letThrough(std::uint32_t ticket);

    std::uint32_t* m_word = nullptr;  // page-locked, seen by the device
    std::uint32_t m_ticket = 0;
    std::atomic<std::uint32_t> m_closed = 0;  // the ticket that is waited for; 0 for none
    std::atomic<bool> m_gaveUp = false;
    std::jthread m_watch;
};

// Takes samples on one stream. For the GPU thread.
class CudaTimer final
{
public:
    explicit CudaTimer(cudaStream_t stream) : m_stream(stream) {}
    ~CudaTimer() { releaseCacheSweep(); }
    CudaTimer(const CudaTimer&) = delete;
    CudaTimer& operator=(const CudaTimer&) = delete;

    [[nodiscard]] core::PassSample sample(const SamplePlan& plan);
    [[nodiscard]] bool canHold() const { return m_gate.works(); }
    // Gives back the buffer that is written to make the cache cold.
    void releaseCacheSweep();

private:
    [[nodiscard]] core::PassSample single(const SamplePlan& plan);
    [[nodiscard]] core::PassSample block(const SamplePlan& plan);
    // Overwrites twice the size of the L2 cache.
    void sweepCache();
    Event& event(std::size_t index);

    cudaStream_t m_stream;
    StreamGate m_gate;
    std::vector<std::unique_ptr<Event>> m_events;
    void* m_sweep = nullptr;
    std::size_t m_sweepBytes = 0;
};

}  // namespace qs::engine
