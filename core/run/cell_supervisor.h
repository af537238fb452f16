#pragma once

#include "core/base/result.h"
#include "core/device/host_memory.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/record/measurement.h"
#include "core/run/phase_limits.h"
#include "core/run/supervisor_switch.h"
#include "core/run/worker_log.h"
#include "core/run/worker_process.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What became of a cell in its worker.
struct CellOutcome {
    std::optional<Failure> failure;    // nothing: it has a result
    std::optional<CellResult> result;  // also of a cell whose outputs are not finite
    std::string logTail;
    double seconds = 0.0;
    std::int64_t worker = 0;  // its process

    [[nodiscard]] bool ok() const { return !failure; }
};

struct SupervisorHooks {
    // Phase and its fraction (negative if unknown).
    std::function<void(Phase phase, double fraction)> progress;
    // Output of the worker and its log messages, line by line.
    std::function<void(const std::string& line)> log;
    // See outOfMemoryKills() in core/device/host_memory.h.
    std::function<std::optional<std::int64_t>()> outOfMemoryKills = [] {
        return core::outOfMemoryKills();
    };
    // Seconds per pass that were timed in this phase; told before its progress.
    std::function<void(Phase phase, const std::vector<double>& seconds)> samples =
        [](Phase, const std::vector<double>&) {};
};

// How long things may take. Phases have limits of their own, see phaseLimitSeconds().
struct SupervisorLimits {
    // From the start of the process until it begins with the cell.
    double startSeconds = 60.0;
    // Without a word: the main thread of a worker sends one heartbeat a second whatever the GPU
    // thread does.
    double silenceSeconds = 20.0;
    // Between SIGTERM and SIGKILL.
    std::chrono::milliseconds patience{5000};
    // Of one cell, that are passed on; a flood must fill neither a disk nor a window.
    std::size_t logBytes = std::size_t{1} << 20U;
};

// Runs cells in worker processes, watches their progress and ends those that hang. For one thread,
// which must live as long as the supervisor (workers die with it).
class CellSupervisor final
{
public:
    // Between SIGTERM and SIGKILL when somebody waits for the end of the run.
    static constexpr std::chrono::milliseconds kPatienceWhenStopped{300};

    CellSupervisor(std::filesystem::path workerProgram, SupervisorSwitch& control,
                   SupervisorHooks hooks, SupervisorLimits limits = {});
    ~CellSupervisor();

    // `keepWorker`: use the worker of the cell before if it is still there and has the variables of
    // this cell; no compiled program does. An error only if no worker can be started at all;
    // whatever else happens is an outcome.
    [[nodiscard]] Result<CellOutcome> run(const CellRequest& request, bool keepWorker);
    // Ends the worker that is kept, in good order.
    void endWorker();

private:
    class Watch;

    // `writable`: the one folder of a worker that is shut off; empty: it is not. `env`: as
    // CellConfig has it.
    [[nodiscard]] Status startWorker(const std::filesystem::path& writable, const std::string& env);
    // In a worker of its own that is shut off.
    [[nodiscard]] Result<CellOutcome> runProgram(const CellRequest& request);
    [[nodiscard]] Result<CellOutcome> runIn(const std::filesystem::path& writable,
                                            const CellRequest& request);
    [[nodiscard]] CellOutcome watch(const CellRequest& request);
    // Whether the cell is over, or more messages may be there.
    enum class Reading { Over, More, Idle };
    [[nodiscard]] Reading readMessages(Watch& state, std::int64_t requestId, CellOutcome& outcome);
    // How the worker ended, or `otherwise` if it has not. Out of memory if the kernel took it for
    // that.
    void blameEnd(const Watch& state, Failure otherwise, CellOutcome& outcome);

    std::filesystem::path m_program;
    SupervisorSwitch& m_control;
    SupervisorHooks m_hooks;
    SupervisorLimits m_limits;
    std::optional<WorkerProcess> m_worker;
    std::string m_workerEnv;
    std::int64_t m_nextRequest = 1;
    std::optional<std::int64_t> m_killsBefore;  // for want of memory, before the cell
    bool m_begun = false;                       // the worker has begun with the cell
    WorkerLog m_log;
};

}  // namespace qs::core
