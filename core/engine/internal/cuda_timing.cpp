#include "core/engine/internal/cuda_timing.h"

namespace qs::engine {

namespace {

using Clock = std::chrono::steady_clock;

// CUDA's first version with the second form of stream memory operations, which all devices have.
constexpr unsigned kStreamWaitVersion = 12000;
constexpr unsigned kWaitUntilAtLeast = 0;  // CU_STREAM_WAIT_VALUE_GEQ

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The gate is opened whatever happens: a closed one would never let the process end.
class ClosedGate final
{
public:
    ClosedGate(StreamGate& gate, cudaStream_t stream, bool wanted)
        : m_gate(wanted ? &gate : nullptr)
    {
        if (m_gate != nullptr)
            m_gate->close(stream);
    }
    ~ClosedGate() { open(); }
    ClosedGate(const ClosedGate&) = delete;
    ClosedGate& operator=(const ClosedGate&) = delete;

    void open()
    {
        if (m_gate != nullptr)
            m_gate->open();
        m_gate = nullptr;
    }

private:
    StreamGate* m_gate;
};

}  // namespace

double Event::secondsSince(const Event& earlier) const
{
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, earlier.m_event, m_event), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
}

StreamGate::StreamGate()
{
    // Of the driver, which is not linked: this half of the engine needs the run time alone.
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    if (cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &function, kStreamWaitVersion,
                                         cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
        return;
    void* word = nullptr;
    if (cudaHostAlloc(&word, sizeof(std::uint32_t), cudaHostAllocMapped) != cudaSuccess)
        return;
    m_waitValue = reinterpret_cast<WaitValue>(function);
    m_word = static_cast<std::uint32_t*>(word);
    *m_word = 0;
    m_watch = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

StreamGate::~StreamGate()
{
    m_watch = {};  // ends it before the word goes
    if (m_word != nullptr)
        cudaFreeHost(m_word);
}

void StreamGate::watch(const std::stop_token& stop)
{
    std::uint32_t seen = 0;
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(kPatience / 2);
        const std::uint32_t closed = m_closed;
        if (closed != 0 && closed == seen) {
            m_gaveUp = true;
            letThrough(closed);
        }
        seen = closed;
    }
}

void StreamGate::letThrough(std::uint32_t ticket)
{
    // Never back: the watching thread may come late with an older ticket.
    const std::atomic_ref<std::uint32_t> word(*m_word);
    std::uint32_t now = word.load();
    while (now < ticket && !word.compare_exchange_weak(now, ticket)) {
    }
}

void StreamGate::close(cudaStream_t stream)
{
    if (!works())
        return;
    m_closed = ++m_ticket;
    // With unified addressing the address of page-locked memory is the same on both sides.
    const int code =
        m_waitValue(stream, reinterpret_cast<std::uintptr_t>(m_word), m_ticket, kWaitUntilAtLeast);
    if (code != 0)
        throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, code,
                                    "cuStreamWaitValue32: error " + std::to_string(code));
}

void StreamGate::open()
{
    if (m_word == nullptr || m_closed == 0)
        return;
    letThrough(m_ticket);
    m_closed = 0;
}

Event& CudaTimer::event(std::size_t index)
{
    while (m_events.size() <= index)
        m_events.push_back(std::make_unique<Event>());
    return *m_events[index];
}

core::PassSample CudaTimer::sample(const SamplePlan& plan)
{
    if (plan.passes == 1)
        return single(plan);
    core::PassSample sample = block(plan);
    if (!plan.stagesApart && !plan.coldCache && !plan.nextBatch)
        return sample;
    SamplePlan stages = plan;
    stages.passes = 1;
    check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
    const core::PassSample apart = single(stages);
    sample.stageSeconds = apart.stageSeconds;
    // What the host queues between the passes of a block is no part of them.
    if (plan.coldCache || plan.nextBatch)
        sample.hostSeconds = apart.hostSeconds;
    return sample;
}

core::PassSample CudaTimer::single(const SamplePlan& plan)
{
    const std::size_t last = plan.steps.size();
    event(last);
    if (plan.nextBatch)
        plan.nextBatch();
    if (plan.coldCache)
        sweepCache();
    if (plan.coldCache || plan.nextBatch)
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
    const auto begin = Clock::now();
    // Copies from pageable memory wait for the device and would wait for the gate.
    ClosedGate gate(m_gate, m_stream, plan.held && plan.feed == nullptr);
    if (plan.feed != nullptr)
        plan.feed->beforePass();
    event(0).record(m_stream);
    for (std::size_t i = 0; i < last; ++i) {
        plan.steps[i]();
        event(i + 1).record(m_stream);
    }
    gate.open();
    event(last).wait();
    core::PassSample sample;
    if (plan.feed != nullptr)
        plan.feed->afterPass();
    sample.hostSeconds = secondsSince(begin);
    if (plan.feed != nullptr) {
        sample.endToEndSeconds = sample.hostSeconds;
        sample.copySeconds = plan.feed->copySeconds();
    }
    for (std::size_t i = 0; i < last; ++i)
        sample.stageSeconds.push_back(event(i + 1).secondsSince(event(i)));
    sample.deviceSeconds = event(last).secondsSince(event(0));
    return sample;
}

core::PassSample CudaTimer::block(const SamplePlan& plan)
{
    const auto passes = static_cast<std::size_t>(plan.passes);
    // One pair of events for all passes; of passes with something between them each has its own.
    const bool apart = plan.coldCache || plan.nextBatch;
    const std::size_t pairs = apart ? passes : 1;
    event(2 * pairs - 1);
    const auto begin = Clock::now();
    ClosedGate gate(m_gate, m_stream, plan.held);
    for (std::size_t i = 0; i < passes; ++i) {
        if (plan.nextBatch)
            plan.nextBatch();
        if (plan.coldCache)
            sweepCache();
        if (apart || i == 0)
            event(apart ? 2 * i : 0).record(m_stream);
        for (const auto& step : plan.steps)
            step();
        if (apart || i + 1 == passes)
            event(apart ? 2 * i + 1 : 1).record(m_stream);
    }
    gate.open();
    event(2 * pairs - 1).wait();
    core::PassSample sample;
    sample.hostSeconds = secondsSince(begin) / static_cast<double>(passes);
    for (std::size_t i = 0; i < pairs; ++i)
        sample.deviceSeconds += event(2 * i + 1).secondsSince(event(2 * i));
    sample.deviceSeconds /= static_cast<double>(passes);
    return sample;
}

void CudaTimer::sweepCache()
{
    if (m_sweep == nullptr) {
        int device = 0;
        int cacheBytes = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&cacheBytes, cudaDevAttrL2CacheSize, device),
              "cudaDeviceGetAttribute");
        m_sweepBytes = 2 * static_cast<std::size_t>(cacheBytes);
        // Not from PyTorch's allocator, whose figures are the model's.
        check(cudaMalloc(&m_sweep, m_sweepBytes), "cudaMalloc");
    }
    check(cudaMemsetAsync(m_sweep, 0, m_sweepBytes, m_stream), "cudaMemsetAsync");
}

void CudaTimer::releaseCacheSweep()
{
    if (m_sweep != nullptr)
        cudaFree(m_sweep);
    m_sweep = nullptr;
}

}  // namespace qs::engine
