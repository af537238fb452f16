#include "core/run/cell_supervisor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLogTailBytes = 8192;
constexpr milliseconds kPatience(5000);
constexpr milliseconds kSendTimeout(5000);
// The main thread of a worker sends one heartbeat a second whatever the GPU thread does.
constexpr double kHeartbeatLimitSeconds = 20.0;
constexpr double kStartLimitSeconds = 60.0;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

double phaseLimitSeconds(const MeasurementSettings& settings, const std::string& phase)
{
    if (phase == "start")
        return kStartLimitSeconds;
    const std::string key = phase == "quantize" ? "load" : phase == "outputs" ? "measure" : phase;
    const auto found = settings.phaseLimitSeconds.find(key);
    if (found != settings.phaseLimitSeconds.end())
        return found->second;
    if (key == "load")
        return 120.0;
    if (key == "compile")
        return 1800.0;
    if (key == "warmup")
        return 60.0;
    return 10.0 * settings.maximumSampleSeconds + 30.0;
}

SupervisorSwitch::SupervisorSwitch() : m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    QS_ASSERT(m_event.valid());
}

void SupervisorSwitch::stopNow()
{
    m_stop = true;
    wake();
}

void SupervisorSwitch::skipCell()
{
    m_skip = true;
    wake();
}

void SupervisorSwitch::wake() const
{
    const std::uint64_t one = 1;
    // Fails only when the counter is full, and then it is readable anyway.
    static_cast<void>(::write(m_event.get(), &one, sizeof one));
}

void SupervisorSwitch::drain() const
{
    std::uint64_t count = 0;
    static_cast<void>(::read(m_event.get(), &count, sizeof count));
}

// What is known about the running cell; tells when it has hung.
class CellSupervisor::Watch final
{
public:
    explicit Watch(const MeasurementSettings& settings) : m_settings(settings) {}

    void enter(const std::string& phase)
    {
        m_phase = phase;
        m_progressAt = Clock::now();
    }

    void heard(const Heartbeat& heartbeat)
    {
        m_heardAt = Clock::now();
        if (heartbeat.progressCounter != m_counter) {
            m_counter = heartbeat.progressCounter;
            m_progressAt = m_heardAt;
        }
    }

    void heardSomething() { m_heardAt = Clock::now(); }

    // Why the worker must be ended, in words; nothing while all is well.
    [[nodiscard]] std::optional<std::string> complaint() const
    {
        const double limit = phaseLimitSeconds(m_settings, m_phase);
        if (secondsSince(m_progressAt) > limit)
            return "no progress for " + std::to_string(static_cast<int>(limit)) + " s in phase " +
                   m_phase;
        if (secondsSince(m_heardAt) > kHeartbeatLimitSeconds)
            return "the worker has not answered for " +
                   std::to_string(static_cast<int>(kHeartbeatLimitSeconds)) + " s";
        return std::nullopt;
    }

    [[nodiscard]] const std::string& phase() const { return m_phase; }

private:
    const MeasurementSettings& m_settings;
    std::string m_phase = "start";
    Clock::time_point m_progressAt = Clock::now();
    Clock::time_point m_heardAt = Clock::now();
    std::int64_t m_counter = -1;
};

CellSupervisor::CellSupervisor(std::filesystem::path workerProgram, SupervisorSwitch& control,
                               SupervisorHooks hooks)
    : m_program(std::move(workerProgram)), m_control(control), m_hooks(std::move(hooks))
{
}

CellSupervisor::~CellSupervisor()
{
    endWorker();
}

void CellSupervisor::emitLog(const std::string& text)
{
    m_unfinishedLine += text;
    std::size_t begin = 0;
    for (auto end = m_unfinishedLine.find('\n'); end != std::string::npos;
         end = m_unfinishedLine.find('\n', begin)) {
        const std::string line = m_unfinishedLine.substr(begin, end - begin);
        m_hooks.log(line);
        m_logTail += line + "\n";
        begin = end + 1;
    }
    m_unfinishedLine.erase(0, begin);
    // A line without an end is cut, so that a flood stays bounded.
    if (m_unfinishedLine.size() > kLogTailBytes) {
        m_logTail += m_unfinishedLine + "\n";
        m_unfinishedLine.clear();
    }
    if (m_logTail.size() > kLogTailBytes)
        m_logTail.erase(0, m_logTail.size() - kLogTailBytes);
}

Status CellSupervisor::startWorker()
{
    QS_TRY(WorkerProcess worker, WorkerProcess::spawn(m_program, {}));
    m_worker.emplace(std::move(worker));
    return {};
}

void CellSupervisor::endWorker()
{
    if (!m_worker)
        return;
    // It ends by itself when it is asked or when its channel closes.
    static_cast<void>(m_worker->channel().send(Shutdown{}, milliseconds(100)).ok());
    m_worker->channel().close();
    pollfd watched{m_worker->processDescriptor(), POLLIN, 0};
    static_cast<void>(::poll(&watched, 1, static_cast<int>(kPatience.count())));
    emitLog(m_worker->takeLog());
    m_worker.reset();
}

Result<CellOutcome> CellSupervisor::run(const CellRequest& request, bool keepWorker)
{
    const auto begin = Clock::now();
    m_logTail.clear();
    if (m_worker && (!keepWorker || m_worker->ended()))
        endWorker();
    if (!m_worker)
        QS_RETURN_IF_ERROR(startWorker());
    CellOutcome outcome = watch(request);
    outcome.seconds = secondsSince(begin);
    if (outcome.status != CellStatus::Ok && m_worker) {
        m_worker->terminate(kPatience);
        emitLog(m_worker->takeLog());
        m_worker.reset();
    }
    outcome.logTail = outcome.status == CellStatus::Ok ? std::string() : m_logTail;
    return outcome;
}

namespace {

// Folds one message into the outcome; true when the cell is over.
struct MessageReader {
    const SupervisorHooks& hooks;
    std::function<void(const std::string&)> log;
    std::function<void(const std::string&)> enter;
    std::function<void(const Heartbeat&)> heartbeat;
    std::int64_t requestId;
    CellOutcome& outcome;

    bool operator()(const Hello&) const { return false; }
    bool operator()(const Heartbeat& message) const
    {
        heartbeat(message);
        hooks.progress(message.phase, message.phaseFraction.value_or(-1.0));
        return false;
    }
    bool operator()(const PhaseChanged& message) const
    {
        enter(message.phase);
        hooks.progress(message.phase, 0.0);
        return false;
    }
    bool operator()(const LogLine& message) const
    {
        log(message.text + "\n");
        return false;
    }
    bool operator()(const CellFinished& message) const
    {
        if (message.requestId != requestId)
            return false;
        Result<CellResult> result = cellResultFromJson(message.result);
        if (!result.ok()) {
            outcome.status = CellStatus::Crashed;
            outcome.reason =
                "the worker sent a result that cannot be read: " + result.error().message;
            return true;
        }
        outcome.result = std::move(result).value();
        if (!outcome.result->outputsFinite) {
            outcome.status = CellStatus::Nan;
            outcome.reason = "the outputs hold NaN or infinite values";
        }
        return true;
    }
    bool operator()(const CellFailed& message) const
    {
        if (message.requestId != requestId)
            return false;
        outcome.status = parseCellStatus(message.status).value_or(CellStatus::Crashed);
        outcome.reason = message.message;
        return true;
    }
    // A worker has no business sending anything else; it is ignored.
    template <typename Other>
    bool operator()(const Other&) const
    {
        return false;
    }
};

}  // namespace

CellOutcome CellSupervisor::watch(const CellRequest& request)
{
    CellOutcome outcome;
    Watch state(request.measurement);
    const std::int64_t requestId = m_nextRequest++;
    const auto fail = [&](CellStatus status, std::string reason) {
        outcome.status = status;
        outcome.reason = std::move(reason);
        return outcome;
    };
    WorkerProcess& worker = *m_worker;
    if (const Status sent =
            worker.channel().send(RunCell{requestId, toJson(request)}, kSendTimeout);
        !sent.ok())
        return fail(CellStatus::Crashed,
                    "the worker does not take requests: " + sent.error().message);
    const MessageReader reader{m_hooks,
                               [this](const std::string& text) { emitLog(text); },
                               [&](const std::string& phase) { state.enter(phase); },
                               [&](const Heartbeat& heartbeat) { state.heard(heartbeat); },
                               requestId,
                               outcome};
    while (true) {
        std::array<pollfd, 4> watched{{{worker.channel().descriptor(), POLLIN, 0},
                                       {worker.logDescriptor(), POLLIN, 0},
                                       {worker.processDescriptor(), POLLIN, 0},
                                       {m_control.descriptor(), POLLIN, 0}}};
        static_cast<void>(::poll(watched.data(), watched.size(), 250));
        if (watched[1].revents != 0)
            emitLog(worker.takeLog());
        m_control.drain();
        if (m_control.stopping())
            return fail(CellStatus::Cancelled, "stopped");
        if (m_control.takeSkip())
            return fail(CellStatus::Cancelled, "skipped by hand");
        // Messages first: a worker that has sent its result may already be gone.
        while (true) {
            auto received = worker.channel().receive(milliseconds(0));
            if (!received.ok()) {
                if (received.error().code == ErrorCode::Timeout)
                    break;
                if (worker.ended())
                    break;
                return fail(CellStatus::Crashed,
                            "the worker sent nonsense: " + received.error().message);
            }
            if (!received.value())
                break;
            state.heardSomething();
            if (std::visit(reader, *received.value()))
                return outcome;
        }
        if (const auto end = worker.ended()) {
            emitLog(worker.takeLog());
            return fail(CellStatus::Crashed,
                        "the worker ended in phase " + state.phase() + ": " + end->text());
        }
        if (const auto complaint = state.complaint())
            return fail(CellStatus::Timeout, *complaint);
    }
}

}  // namespace qs::core
