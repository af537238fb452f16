#include "app/worker/worker.h"

#include "core/engine/cell_runner.h"
#include "core/engine/probe/describe.h"
#include "core/protocol/messages.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace qs::app {

namespace {

using core::ErrorCode;
using std::chrono::milliseconds;

constexpr milliseconds kSendTimeout(5000);
constexpr milliseconds kHeartbeatPeriod(1000);
constexpr int kExitDeviceLost = 5;

// Both threads send; frames must not mix.
class Link final
{
public:
    explicit Link(core::Channel& channel) : m_channel(channel) {}

    void send(const core::Message& message)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_channel.send(message, kSendTimeout).ok())
            m_broken = true;
    }
    [[nodiscard]] bool broken() const { return m_broken; }

private:
    core::Channel& m_channel;
    std::mutex m_mutex;
    std::atomic<bool> m_broken = false;
};

// The state that the GPU thread shows and the main thread reports.
struct Status {
    std::atomic<std::int64_t> counter = 0;
    std::atomic<double> fraction = 0.0;
    std::atomic<bool> stop = false;
    std::mutex mutex;
    std::string phase = "idle";

    void enter(const std::string& name)
    {
        const std::lock_guard lock(mutex);
        phase = name;
        fraction = 0.0;
        ++counter;
    }
    core::Heartbeat heartbeat()
    {
        const std::lock_guard lock(mutex);
        return {counter, phase, std::min(1.0, fraction.load()), ""};
    }
};

class Observer final : public engine::CellObserver
{
public:
    Observer(Link& link, Status& status) : m_link(link), m_status(status) {}

    void phaseStarted(const std::string& phase) override
    {
        m_phase = phase;
        m_status.enter(phase);
        m_link.send(core::PhaseChanged{phase, ""});
    }
    bool progressed(double fraction) override
    {
        m_status.fraction = fraction;
        ++m_status.counter;
        return !m_status.stop;
    }
    [[nodiscard]] const std::string& phase() const { return m_phase; }

private:
    Link& m_link;
    Status& m_status;
    std::string m_phase;
};

std::string statusOf(const core::Error& error, const std::string& phase)
{
    switch (error.code) {
    case ErrorCode::OutOfMemory:
        return "oom";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::Format:
    case ErrorCode::Unsupported:
        return "unsupported";
    default:
        return phase == "compile" ? "compile_error" : "crashed";
    }
}

// Runs requests one after the other on its own thread, the only one that touches Torch.
class GpuThread final
{
public:
    GpuThread(Link& link, Status& status)
        : m_link(link), m_status(status), m_thread([this] { work(); })
    {
    }
    ~GpuThread()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_quit = true;
            m_status.stop = true;
        }
        m_changed.notify_all();
        m_thread.join();
    }
    GpuThread(const GpuThread&) = delete;
    GpuThread& operator=(const GpuThread&) = delete;

    void add(core::Message message)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_queue.push_back(std::move(message));
        }
        m_changed.notify_all();
    }
    [[nodiscard]] bool deviceLost() const { return m_deviceLost; }

private:
    void work()
    {
        engine::CellRunner runner;
        while (true) {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_quit || !m_queue.empty(); });
            if (m_quit)
                return;
            const core::Message message = std::move(m_queue.front());
            m_queue.pop_front();
            lock.unlock();
            if (const auto* run = std::get_if<core::RunCell>(&message))
                runCell(runner, *run);
            else if (std::holds_alternative<core::Describe>(message))
                describe();
        }
    }

    void runCell(engine::CellRunner& runner, const core::RunCell& run)
    {
        m_status.stop = false;
        Observer observer(m_link, m_status);
        const auto request = core::cellRequestFromJson(run.cell);
        if (!request.ok()) {
            m_link.send(core::CellFailed{run.requestId, "unsupported", request.error().message});
            return;
        }
        const auto result = runner.run(request.value(), observer);
        m_status.enter("idle");
        if (result.ok()) {
            m_link.send(core::CellFinished{run.requestId, core::toJson(result.value())});
            return;
        }
        m_link.send(core::CellFailed{run.requestId, statusOf(result.error(), observer.phase()),
                                     result.error().message});
        // After a CUDA error of this kind every further call fails; only a new process helps.
        m_deviceLost = m_deviceLost || result.error().code == ErrorCode::Device;
    }

    void describe()
    {
        core::Json devices = core::Json::array();
        for (const core::DeviceDescription& device : engine::describeDevices())
            devices.push_back(core::toJson(device));
        const engine::EngineVersions versions = engine::engineVersions();
        m_link.send(core::DeviceList{{{"torch", versions.torch},
                                      {"cuda", versions.cuda},
                                      {"why_no_gpu", engine::whyNoGpu()},
                                      {"devices", std::move(devices)}}});
    }

    Link& m_link;
    Status& m_status;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<core::Message> m_queue;
    bool m_quit = false;
    std::atomic<bool> m_deviceLost = false;
    std::thread m_thread;
};

}  // namespace

int runWorker(core::Channel channel)
{
    Link link(channel);
    Status status;
    const engine::EngineVersions versions = engine::engineVersions();
    link.send(
        core::Hello{core::kProtocolVersion, QS_VERSION, ::getpid(), versions.torch, versions.cuda});
    GpuThread gpu(link, status);
    auto nextHeartbeat = std::chrono::steady_clock::now();
    while (true) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= nextHeartbeat) {
            link.send(status.heartbeat());
            nextHeartbeat = now + kHeartbeatPeriod;
        }
        auto message = channel.receive(
            std::chrono::ceil<milliseconds>(nextHeartbeat - std::chrono::steady_clock::now()));
        if (link.broken())
            ::_exit(1);  // nobody listens any more; a running kernel must not keep the process
        if (!message.ok()) {
            if (message.error().code == ErrorCode::Timeout)
                continue;
            ::_exit(1);
        }
        if (!message.value() || std::holds_alternative<core::Shutdown>(*message.value())) {
            // Nothing is left to save, and the driver cleans up faster than destructors would.
            if (status.heartbeat().phase != "idle")
                ::_exit(0);
            return gpu.deviceLost() ? kExitDeviceLost : 0;
        }
        if (std::holds_alternative<core::Stop>(*message.value()))
            status.stop = true;
        else
            gpu.add(std::move(*message.value()));
    }
}

}  // namespace qs::app
