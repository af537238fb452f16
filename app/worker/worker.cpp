#include "app/worker/worker.h"

#include "app/source_commit.h"
#include "core/base/caught.h"
#include "core/base/clean_text.h"
#include "core/engine/cell_runner.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/convert/package_trial.h"
#include "core/engine/convert/script_conversion.h"
#include "core/engine/probe/describe.h"
#include "core/model/packaged/package_archive.h"
#include "core/protocol/messages.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

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

    // What cannot be put into a message (a number that is not finite, too much of it) is the
    // caller's business; anything else means that nobody listens any more.
    core::Status send(const core::Message& message)
    {
        const std::lock_guard lock(m_mutex);
        core::Status status = m_channel.send(message, kSendTimeout);
        if (!status.ok() && status.error().code != ErrorCode::InvalidArgument)
            m_broken = true;
        return status;
    }
    [[nodiscard]] bool broken() const { return m_broken; }

private:
    core::Channel& m_channel;
    std::mutex m_mutex;
    std::atomic<bool> m_broken = false;
};

// The state that the GPU thread shows and the main thread reports.
struct Status {
    Status() { samples.reserve(core::kMostLiveSamples); }

    std::atomic<std::int64_t> counter = 0;
    std::atomic<double> fraction = 0.0;
    std::atomic<bool> stop = false;
    std::mutex mutex;
    core::Phase phase = core::Phase::Idle;
    std::vector<double> samples;  // of the phase that no heartbeat has told, the newest

    void enter(core::Phase next)
    {
        const std::lock_guard lock(mutex);
        phase = next;
        samples.clear();
        fraction = 0.0;
        ++counter;
    }
    // Between passes: a push into memory that is there already.
    void add(double seconds)
    {
        const std::lock_guard lock(mutex);
        if (samples.size() == core::kMostLiveSamples)
            samples.erase(samples.begin());
        samples.push_back(seconds);
    }
    bool hasSamples()
    {
        const std::lock_guard lock(mutex);
        return !samples.empty();
    }
    core::Heartbeat heartbeat()
    {
        const std::lock_guard lock(mutex);
        core::Heartbeat beat{counter, phase, std::clamp(fraction.load(), 0.0, 1.0), samples};
        samples.clear();
        return beat;
    }
};

class Observer final : public engine::CellObserver
{
public:
    Observer(Link& link, Status& status) : m_link(link), m_status(status) {}

    void phaseStarted(core::Phase phase) override
    {
        m_phase = phase;
        if (m_status.hasSamples())
            static_cast<void>(m_link.send(m_status.heartbeat()).ok());
        m_status.enter(phase);
        static_cast<void>(m_link.send(core::PhaseChanged{phase}).ok());
    }
    void sampled(double seconds) override { m_status.add(seconds); }
    bool progressed(double fraction) override
    {
        m_status.fraction = fraction;
        ++m_status.counter;
        return goesOn();
    }
    bool goesOn() override { return !m_status.stop; }
    [[nodiscard]] core::Phase phase() const { return m_phase; }

private:
    Link& m_link;
    Status& m_status;
    core::Phase m_phase = core::Phase::Idle;
};

std::string pythonText()
{
    const auto python = engine::pythonOfTorch();
    return python.ok() ? python.value().string() : std::string();
}

core::FailureKind kindOf(ErrorCode code, core::Phase phase)
{
    using core::FailureKind;
    switch (code) {
    case ErrorCode::OutOfMemory:
        return FailureKind::OutOfMemory;
    case ErrorCode::Cancelled:
        return FailureKind::Stopped;
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::Format:
    case ErrorCode::Unsupported:
        return FailureKind::Unsupported;
    case ErrorCode::Io:
        return FailureKind::Io;
    case ErrorCode::Device:
        return FailureKind::Device;
    case ErrorCode::WrongResult:
        return FailureKind::Differs;
    case ErrorCode::Timeout:
    case ErrorCode::Internal:
        return phase == core::Phase::Compile || phase == core::Phase::Package
                   ? FailureKind::Compile
                   : FailureKind::Internal;
    }
    return FailureKind::Internal;
}

// Runs requests one after the other on its own thread, the only one that touches Torch.
class GpuThread final
{
public:
    GpuThread(Link& link, Status& status, const std::optional<core::SandboxLimits>& shutOff)
        : m_link(link), m_status(status), m_shutOff(shutOff), m_thread([this] { work(); })
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
            answer(runner, message);
        }
    }

    void answer(engine::CellRunner& runner, const core::Message& message)
    {
        const auto* run = std::get_if<core::RunCell>(&message);
        const auto* convert = std::get_if<core::ConvertProgram>(&message);
        try {
            if (run != nullptr)
                runCell(runner, *run);
            else if (convert != nullptr)
                convertProgram(*convert);
            else if (std::holds_alternative<core::Describe>(message))
                describe();
        } catch (...) {
            const core::Error error = core::caughtError();
            m_status.enter(core::Phase::Idle);
            std::fprintf(stderr, "quantscope-worker: %s\n", error.message.c_str());
            if (run != nullptr || convert != nullptr)
                fail(run != nullptr ? run->requestId : 0, kindOf(error.code, core::Phase::Idle),
                     core::Phase::Idle, error.message);
        }
    }

    void runCell(engine::CellRunner& runner, const core::RunCell& run)
    {
        m_status.stop = false;
        Observer observer(m_link, m_status);
        const auto request = core::cellRequestFromJson(run.cell);
        if (!request.ok()) {
            fail(run.requestId, core::FailureKind::Unsupported, core::Phase::Idle,
                 request.error().message);
            return;
        }
        // A program runs where it can do little, and whatever else runs needs its caches.
        if (m_shutOff.has_value() == request.value().trustedProgram.empty()) {
            fail(run.requestId, core::FailureKind::Internal, core::Phase::Idle,
                 "cells of compiled programs alone run in a worker that is shut off");
            return;
        }
        auto result = runner.run(request.value(), observer);
        if (m_shutOff && result.ok())
            result.value().notes.push_back(ranProgram(request.value().trustedProgram));
        m_status.enter(core::Phase::Idle);
        if (result.ok()) {
            const core::Status sent =
                m_link.send(core::CellFinished{run.requestId, core::toJson(result.value())});
            if (!sent.ok())
                fail(run.requestId, core::FailureKind::Internal, core::Phase::Outputs,
                     "the result cannot be sent: " + sent.error().message);
            return;
        }
        fail(run.requestId, kindOf(result.error().code, observer.phase()), observer.phase(),
             result.error().message);
        // After a CUDA error of this kind every further call fails; only a new process helps.
        m_deviceLost = m_deviceLost || result.error().code == ErrorCode::Device;
    }

    [[nodiscard]] core::Note ranProgram(const std::string& sha256) const
    {
        std::string shut = m_shutOff->files ? "files" : "";
        if (m_shutOff->network)
            shut += shut.empty() ? "network" : ", network";
        return {core::NoteCode::RanProgram, {sha256, shut.empty() ? "nothing" : shut}};
    }

    // Only where what is loaded can do little.
    void convertProgram(const core::ConvertProgram& convert)
    {
        const auto refuse = [this](const core::Error& error) {
            fail(0, kindOf(error.code, core::Phase::Idle), core::Phase::Idle, error.message);
        };
        if (!m_shutOff)
            return refuse({ErrorCode::Internal, "programs are converted in a worker that is shut "
                                                "off"});
        const auto request = core::conversionRequestFromJson(convert.request);
        if (!request.ok())
            return refuse(request.error());
        auto result = core::packaged::isPackage(request.value().program)
                          ? engine::tryPackage(request.value())
                          : engine::convertScript(request.value());
        if (!result.ok())
            return refuse(result.error());
        result.value().filesShut = m_shutOff->files;
        result.value().networkShut = m_shutOff->network;
        static_cast<void>(m_link.send(core::ProgramConverted{core::toJson(result.value())}).ok());
    }

    // Messages of Torch may quote bytes that are no UTF-8, such as names of files.
    void fail(std::int64_t request, core::FailureKind kind, core::Phase phase,
              const std::string& why)
    {
        constexpr std::size_t kLongest = 8192;
        const std::string clean = core::cleanText(why.substr(0, kLongest));
        static_cast<void>(
            m_link.send(core::CellFailed{request, {.kind = kind, .phase = phase, .detail = clean}})
                .ok());
    }

    void describe()
    {
        core::Json devices = core::Json::array();
        const engine::CompilerVersions compiler = engine::compilerVersions();
        for (const core::DeviceDescription& device : engine::describeDevices(compiler))
            devices.push_back(core::toJson(device));
        const engine::EngineVersions versions = engine::engineVersions();
        static_cast<void>(m_link
                              .send(core::DeviceList{{{"torch", versions.torch},
                                                      {"cuda", versions.cuda},
                                                      {"cudnn", engine::cudnnVersion()},
                                                      {"commit", sourceCommit()},
                                                      {"threads", engine::operationThreads()},
                                                      {"numerics", engine::numericSwitches()},
                                                      {"python", pythonText()},
                                                      {"compiler", compiler},
                                                      {"why_no_gpu", engine::whyNoGpu()},
                                                      {"devices", std::move(devices)}}})
                              .ok());
    }

    Link& m_link;
    Status& m_status;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<core::Message> m_queue;
    std::optional<core::SandboxLimits> m_shutOff;
    bool m_quit = false;
    std::atomic<bool> m_deviceLost = false;
    std::thread m_thread;
};

}  // namespace

int runWorker(core::Channel channel, const std::optional<core::SandboxLimits>& shutOff)
{
    Link link(channel);
    Status status;
    const engine::EngineVersions versions = engine::engineVersions();
    static_cast<void>(link.send(core::Hello{core::kProtocolVersion, QS_VERSION, ::getpid(),
                                            versions.torch, versions.cuda})
                          .ok());
    GpuThread gpu(link, status, shutOff);
    auto nextHeartbeat = std::chrono::steady_clock::now();
    while (true) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= nextHeartbeat) {
            static_cast<void>(link.send(status.heartbeat()).ok());
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
            if (status.heartbeat().phase != core::Phase::Idle)
                ::_exit(0);
            return gpu.deviceLost() ? kExitDeviceLost : 0;
        }
        gpu.add(std::move(*message.value()));
    }
}

}  // namespace qs::app
