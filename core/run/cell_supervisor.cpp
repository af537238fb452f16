#include "core/run/cell_supervisor.h"

#include "core/base/sandbox.h"
#include "core/base/temporary_folder.h"
#include "core/sweep/worker_variables.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kSendTimeout(5000);
constexpr milliseconds kPollPeriod(250);
// A process that has closed its channel is about to end; how it ended is worth that much.
constexpr milliseconds kEndOfBroken(1000);
// Between two looks at switches and limits, so that a flood of messages cannot hide from them.
constexpr int kMessagesAtOnce = 256;

CellOutcome& fail(CellOutcome& outcome, Failure failure)
{
    outcome.failure = std::move(failure);
    return outcome;
}

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

// What is known about the running cell; tells when it has hung.
class CellSupervisor::Watch final
{
public:
    Watch(const MeasurementSettings& settings, const SupervisorLimits& limits)
        : m_settings(settings), m_limits(limits)
    {
    }

    void enter(Phase phase)
    {
        m_phase = phase;
        m_progressAt = Clock::now();
    }

    void heard(const Heartbeat& heartbeat)
    {
        if (heartbeat.progressCounter != m_counter) {
            m_counter = heartbeat.progressCounter;
            m_progressAt = Clock::now();
        }
    }

    void heardSomething() { m_heardAt = Clock::now(); }

    // Why the worker must be ended; nothing while all is well.
    [[nodiscard]] std::optional<Failure> complaint() const
    {
        const double limit =
            starting() ? m_limits.startSeconds : phaseLimitSeconds(m_settings, m_phase);
        if (secondsSince(m_progressAt) > limit)
            return Failure{.kind = FailureKind::NoProgress, .phase = m_phase, .amount = limit};
        // Before its first word a process loads its libraries, which only the limit above bounds.
        if (m_heardAt && secondsSince(*m_heardAt) > m_limits.silenceSeconds)
            return Failure{
                .kind = FailureKind::Silent, .phase = m_phase, .amount = m_limits.silenceSeconds};
        return std::nullopt;
    }

    [[nodiscard]] Phase phase() const { return m_phase; }
    [[nodiscard]] bool starting() const { return m_phase == Phase::Start; }

private:
    const MeasurementSettings& m_settings;
    const SupervisorLimits& m_limits;
    Phase m_phase = Phase::Start;
    Clock::time_point m_progressAt = Clock::now();
    std::optional<Clock::time_point> m_heardAt;
    std::int64_t m_counter = -1;
};

CellSupervisor::CellSupervisor(std::filesystem::path workerProgram, SupervisorSwitch& control,
                               SupervisorHooks hooks, SupervisorLimits limits)
    : m_program(std::move(workerProgram)),
      m_control(control),
      m_hooks(std::move(hooks)),
      m_limits(limits),
      m_log([this](const std::string& line) { m_hooks.log(line); }, m_limits.logBytes)
{
}

CellSupervisor::~CellSupervisor()
{
    endWorker();
}

Status CellSupervisor::startWorker(const std::filesystem::path& writable, const std::string& env)
{
    std::vector<std::string> arguments;
    if (!writable.empty())
        arguments = {std::string(kShutOffOption), writable.string()};
    QS_TRY(WorkerProcess worker, WorkerProcess::spawn(m_program, arguments, variablesIn(env)));
    m_worker.emplace(std::move(worker));
    m_workerEnv = env;
    return {};
}

void CellSupervisor::endWorker()
{
    if (!m_worker)
        return;
    // It ends by itself when it is asked or when its channel closes.
    static_cast<void>(m_worker->channel().send(Shutdown{}, milliseconds(100)).ok());
    m_worker->channel().close();
    static_cast<void>(m_worker->waitForEnd(m_limits.patience, m_control.stopToken()));
    m_log.add(m_worker->takeLog());
    m_log.end();
    m_worker.reset();
}

Result<CellOutcome> CellSupervisor::run(const CellRequest& request, bool keepWorker)
{
    if (!request.trustedProgram.empty())
        return runProgram(request);
    if (m_worker && (!keepWorker || m_worker->ended() || m_workerEnv != request.config.env))
        endWorker();
    return runIn({}, request);
}

Result<CellOutcome> CellSupervisor::runProgram(const CellRequest& request)
{
    endWorker();
    std::error_code error;
    const std::filesystem::path writable = std::filesystem::absolute(
        std::filesystem::path(request.runFolder) / request.outputFolder, error);
    if (error)
        return ioError("find", request.outputFolder, error.value());
    QS_TRY(const TemporaryFolder unpacked, TemporaryFolder::createIn(writable, ".program-"));
    CellRequest inside = request;
    inside.privateFolder = unpacked.path().string();
    auto outcome = runIn(writable, inside);
    endWorker();  // what it holds open is about to go
    return outcome;
}

Result<CellOutcome> CellSupervisor::runIn(const std::filesystem::path& writable,
                                          const CellRequest& request)
{
    // Whoever wanted to skip meant a cell that is over by now.
    static_cast<void>(m_control.takeSkip());
    m_log.begin();
    const auto begin = Clock::now();
    const bool kept = m_worker.has_value();
    if (!kept)
        QS_RETURN_IF_ERROR(startWorker(writable, request.config.env));
    CellOutcome outcome = watch(request);
    if (kept && outcome.failure && statusOf(outcome.failure->kind) == CellStatus::Crashed &&
        !m_begun) {
        // It had died of the cell before, after that cell's result: this one is not to blame.
        m_worker.reset();
        QS_RETURN_IF_ERROR(startWorker(writable, request.config.env));
        outcome = watch(request);
    }
    outcome.seconds = secondsSince(begin);
    outcome.worker = m_worker ? m_worker->pid() : 0;
    if (!outcome.ok() && m_worker) {
        if (m_control.stopping())
            m_worker->terminate(std::min(kPatienceWhenStopped, m_limits.patience));
        else
            m_worker->terminate(m_limits.patience, m_control.stopToken());
        m_log.add(m_worker->takeLog());
        m_worker.reset();
    }
    m_log.end();
    outcome.logTail = outcome.ok() ? std::string() : m_log.tail();
    return outcome;
}

namespace {

// Folds one message into the outcome; true when the cell is over.
struct MessageReader {
    const SupervisorHooks& hooks;
    std::function<void(Phase)> enter;
    std::function<void(const Heartbeat&)> heartbeat;
    std::int64_t requestId;
    CellOutcome& outcome;

    bool operator()(const Hello&) const { return false; }
    bool operator()(const Heartbeat& message) const
    {
        heartbeat(message);
        if (!message.samples.empty())
            hooks.samples(message.phase, message.samples);
        hooks.progress(message.phase, message.phaseFraction.value_or(-1.0));
        return false;
    }
    bool operator()(const PhaseChanged& message) const
    {
        enter(message.phase);
        hooks.progress(message.phase, 0.0);
        return false;
    }
    bool operator()(const CellFinished& message) const
    {
        if (message.requestId != requestId)
            return false;
        Result<CellResult> result = cellResultFromJson(message.result);
        if (!result.ok()) {
            fail(outcome, {.kind = FailureKind::Nonsense, .detail = result.error().message});
            return true;
        }
        outcome.result = std::move(result).value();
        if (!outcome.result->outputsFinite)
            fail(outcome, {.kind = FailureKind::NonFinite});
        return true;
    }
    bool operator()(const CellFailed& message) const
    {
        if (message.requestId != requestId)
            return false;
        fail(outcome, message.failure);
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

void CellSupervisor::blameEnd(const Watch& state, Failure otherwise, CellOutcome& outcome)
{
    const auto end = m_worker->waitForEnd(kEndOfBroken, m_control.stopToken());
    m_log.add(m_worker->takeLog());
    otherwise.phase = state.phase();
    if (!end) {
        fail(outcome, std::move(otherwise));
        return;
    }
    // A signal that nobody here has sent, and the kernel has counted one more that it killed.
    const bool starved = end->signal == SIGKILL && m_killsBefore &&
                         m_hooks.outOfMemoryKills().value_or(0) > *m_killsBefore;
    fail(outcome, {.kind = starved            ? FailureKind::HostOutOfMemory
                           : end->signal != 0 ? FailureKind::Signal
                                              : FailureKind::Exit,
                   .phase = state.phase(),
                   .amount = double(end->signal != 0 ? end->signal : end->exitCode)});
}

CellSupervisor::Reading CellSupervisor::readMessages(Watch& state, std::int64_t requestId,
                                                     CellOutcome& outcome)
{
    const MessageReader reader{m_hooks,
                               [&](Phase phase) {
                                   state.enter(phase);
                                   m_begun = true;
                               },
                               [&](const Heartbeat& heartbeat) { state.heard(heartbeat); },
                               requestId, outcome};
    for (int i = 0; i < kMessagesAtOnce; ++i) {
        auto received = m_worker->channel().receive(milliseconds(0));
        if (!received.ok() && received.error().code == ErrorCode::Timeout)
            return Reading::Idle;
        if (!received.ok()) {
            // Of a worker of another version, nothing else matters.
            if (received.error().code == ErrorCode::Unsupported)
                fail(outcome, {.kind = FailureKind::Nonsense,
                               .phase = state.phase(),
                               .detail = received.error().message});
            else
                blameEnd(state, {.kind = FailureKind::Nonsense, .detail = received.error().message},
                         outcome);
            return Reading::Over;
        }
        if (!received.value()) {
            blameEnd(state, {.kind = FailureKind::Disconnected}, outcome);
            return Reading::Over;
        }
        state.heardSomething();
        if (std::visit(reader, *received.value()))
            return Reading::Over;
    }
    return Reading::More;
}

CellOutcome CellSupervisor::watch(const CellRequest& request)
{
    CellOutcome outcome;
    m_killsBefore = m_hooks.outOfMemoryKills();
    Watch state(request.measurement, m_limits);
    const std::int64_t requestId = m_nextRequest++;
    m_begun = false;
    WorkerProcess& worker = *m_worker;
    if (const Status sent =
            worker.channel().send(RunCell{requestId, toJson(request)}, kSendTimeout);
        !sent.ok()) {
        blameEnd(state, {.kind = FailureKind::Disconnected, .detail = sent.error().message},
                 outcome);
        return outcome;
    }
    Reading reading = Reading::Idle;
    while (true) {
        std::array<pollfd, 4> watched{{{worker.channel().descriptor(), POLLIN, 0},
                                       {worker.logDescriptor(), POLLIN, 0},
                                       {worker.processDescriptor(), POLLIN, 0},
                                       {m_control.descriptor(), POLLIN, 0}}};
        static_cast<void>(::poll(watched.data(), watched.size(),
                                 reading == Reading::More ? 0 : int{kPollPeriod.count()}));
        if (watched[1].revents != 0)
            m_log.add(worker.takeLog());
        m_control.drain();
        if (m_control.stopping())
            return fail(outcome, {.kind = FailureKind::Stopped, .phase = state.phase()});
        if (m_control.takeSkip())
            return fail(outcome, {.kind = FailureKind::SkippedByHand, .phase = state.phase()});
        // Asked before the messages are read: a worker that has sent its result may be gone.
        const bool gone = worker.ended().has_value();
        reading = readMessages(state, requestId, outcome);
        if (reading == Reading::Over)
            return outcome;
        if (gone && reading == Reading::Idle) {
            blameEnd(state, {.kind = FailureKind::Disconnected}, outcome);
            return outcome;
        }
        if (const auto complaint = state.complaint())
            return fail(outcome, *complaint);
    }
}

}  // namespace qs::core
