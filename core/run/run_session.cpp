#include "core/run/run_session.h"

#include "core/base/format.h"
#include "core/record/run_folder.h"
#include "core/run/cell_supervisor.h"
#include "core/run/input_set.h"
#include "core/run/output_comparison.h"
#include "core/run/quality.h"
#include "core/run/run_pace.h"
#include "core/run/scheduler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace qs::core {

namespace {

constexpr double kEngineTimeoutSeconds = 60.0;
constexpr std::chrono::seconds kDiskCheckPeriod{2};

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

class RunSession::Impl final
{
public:
    Impl(Plan plan, RunOptions options, RunObserver& observer)
        : m_options(std::move(options)), m_observer(observer)
    {
        m_data.plan = std::move(plan);
        m_thread = std::thread([this] {
            const Status status = run();
            // Whoever is told of the end may open the folder.
            m_folder.reset();
            // The observer may ask running() from inside the call.
            m_running = false;
            m_observer.finished(status);
            const std::lock_guard lock(m_mutex);
            m_finished = true;
            m_changed.notify_all();
        });
    }

    ~Impl()
    {
        m_switch.stopNow();
        m_thread.join();
    }

    void stopAfterCell()
    {
        m_stopAfterCell = true;
        wakeUp();
    }
    void stopNow()
    {
        m_switch.stopNow();
        wakeUp();
    }
    void pause(bool paused)
    {
        m_paused = paused;
        wakeUp();
    }
    void skipCell() { m_switch.skipCell(); }
    void skipCompileMode()
    {
        m_skipMode = true;
        m_switch.skipCell();
    }
    void wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_finished; });
    }
    bool running() const { return m_running; }

private:
    void wakeUp()
    {
        const std::lock_guard lock(m_mutex);
        m_changed.notify_all();
    }

    Status run()
    {
        QS_RETURN_IF_ERROR(open());
        std::vector<Measurement> rows = rowsOfThisEnvironment();
        QS_RETURN_IF_ERROR(noteOtherEnvironments(m_data.measurements.size() - rows.size()));
        for (const Measurement& row : rows)
            m_pace.count(row);
        // The copy need not outlive the scheduler's look at it.
        Scheduler scheduler(m_data.plan, std::exchange(rows, {}), m_options.retryFailed);
        m_scheduler = &scheduler;
        m_comparison.emplace(m_folder->path(), m_data);
        m_observer.planned(m_data);
        report("start", 0.0);
        // What a session that was killed had measured but not compared.
        for (const PlannedCell& cell : m_data.plan.cells)
            QS_RETURN_IF_ERROR(compareOutputsOf(cell));
        CellSupervisor supervisor(
            m_options.workerProgram, m_switch,
            {[this](const std::string& phase, double fraction) { report(phase, fraction); },
             [this](const std::string& line) { log(line); }});
        const Status status = loop(scheduler, supervisor);
        supervisor.endWorker();
        m_scheduler = nullptr;
        return status;
    }

    Status open()
    {
        QS_TRY(const EngineDescription engine,
               describeEngine(m_options.workerProgram, kEngineTimeoutSeconds,
                              [this] { return m_switch.stopping(); }));
        m_environment = describeEnvironment(engine.torch, engine.cuda, engine.devices);
        m_environmentId = m_environment.id();
        if (m_options.resume) {
            QS_TRY(RunFolder folder, RunFolder::resume(m_options.folder, m_environment, m_data));
            m_folder.emplace(std::move(folder));
        } else {
            QS_TRY(RunFolder folder,
                   RunFolder::create(m_options.folder, m_data.plan, m_environment));
            m_folder.emplace(std::move(folder));
            m_data.folder = m_folder->path();
            m_data.environments = {m_environment};
        }
        QS_RETURN_IF_ERROR(prepareAllInputs());
        return event(m_options.resume ? "resumed" : "started", m_data.plan.preset.name);
    }

    // Rows of another driver, PyTorch or machine never share a ratio with new ones, so they do not
    // spare this run anything.
    std::vector<Measurement> rowsOfThisEnvironment() const
    {
        std::vector<Measurement> rows;
        std::copy_if(m_data.measurements.begin(), m_data.measurements.end(),
                     std::back_inserter(rows),
                     [&](const Measurement& row) { return row.environmentId == m_environmentId; });
        return rows;
    }

    Status noteOtherEnvironments(std::size_t others)
    {
        if (others == 0)
            return {};
        return event("note", std::to_string(others) +
                                 " rows were measured in another environment (see "
                                 "environment.json); they are kept, and measured again here");
    }

    Status prepareAllInputs()
    {
        std::set<std::int64_t> sizes;
        for (const PlannedCell& cell : m_data.plan.cells) {
            if (cell.possible())
                sizes.insert(cell.config.imageSize);
        }
        for (const std::int64_t size : sizes) {
            QS_TRY(const InputSet set,
                   prepareInputs(m_folder->path(), m_data.plan.preset.pictures, size));
            m_data.pictureNames = set.names;
            for (const std::string& skipped : set.skipped)
                log("picture left out: " + skipped);
        }
        return {};
    }

    Status loop(Scheduler& scheduler, CellSupervisor& supervisor)
    {
        while (true) {
            if (m_stopAfterCell || m_switch.stopping() || timeIsUp())
                scheduler.stop();
            scheduler.pause(m_paused);
            if (!m_stopAfterCell && !m_switch.stopping() && diskIsFull()) {
                QS_RETURN_IF_ERROR(waitForSpace());
                continue;
            }
            const SchedulerCommand command = scheduler.next();
            if (const auto* start = std::get_if<StartCell>(&command)) {
                QS_RETURN_IF_ERROR(runCell(scheduler, supervisor, *start));
            } else if (const auto* skip = std::get_if<SkipCell>(&command)) {
                QS_RETURN_IF_ERROR(writeSkip(*skip));
            } else if (const auto* round = std::get_if<BeginRound>(&command)) {
                QS_RETURN_IF_ERROR(announceRound(*round));
            } else if (const auto* finish = std::get_if<Finish>(&command)) {
                return event(finish->complete ? "complete" : "stopped", "");
            } else {
                report("paused", 0.0);
                std::unique_lock lock(m_mutex);
                const auto changed = [this] {
                    return !m_paused || m_stopAfterCell || m_switch.stopping();
                };
                // A run that may only last so long ends in time, paused or not.
                if (m_options.maximumSeconds > 0.0)
                    m_changed.wait_for(lock,
                                       std::chrono::duration<double>(m_options.maximumSeconds -
                                                                     m_pace.elapsedSeconds()),
                                       changed);
                else
                    m_changed.wait(lock, changed);
            }
        }
    }

    bool diskIsFull() const
    {
        std::error_code error;
        const auto space = std::filesystem::space(m_folder->path(), error);
        return !error && space.available < m_options.leastFreeBytes;
    }

    // A full disk loses rows, so the run waits until there is space again or somebody stops it.
    Status waitForSpace()
    {
        const double wanted = static_cast<double>(m_options.leastFreeBytes);
        QS_RETURN_IF_ERROR(event("note", "waiting: less than " + formatBytes(wanted) +
                                             " is free on the disk of " +
                                             m_folder->path().string() + "; make space or stop"));
        while (diskIsFull() && !m_stopAfterCell && !m_switch.stopping() && !timeIsUp()) {
            report("disk full", 0.0);
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, kDiskCheckPeriod,
                               [this] { return m_stopAfterCell || m_switch.stopping(); });
        }
        return {};
    }

    Status runCell(Scheduler& scheduler, CellSupervisor& supervisor, const StartCell& start)
    {
        const PlannedCell& cell = m_data.plan.cells[start.cell];
        m_current = start;
        report("start", 0.0);
        QS_RETURN_IF_ERROR(createFolders(m_folder->cellFolder(cell.id)));
        CellRequest request;
        request.config = cell.config;
        request.measurement = m_data.plan.preset.measurement;
        request.resourceFolder = m_options.resourceFolder;
        request.inputFile =
            std::filesystem::absolute(inputArray(m_folder->path(), cell.config.imageSize));
        request.outputFolder = std::filesystem::absolute(m_folder->cellFolder(cell.id));
        request.keptOutputs = m_comparison->hasOutputs(cell.id)
                                  ? 0
                                  : std::min(m_data.plan.preset.pictures.count, kKeptOutputs);

        Measurement row;
        row.cellId = cell.id;
        row.environmentId = m_environmentId;
        row.round = start.round;
        row.attempt = start.attempt;
        row.config = cell.config;
        row.startedAt = utcNow();
        QS_TRY(CellOutcome outcome, supervisor.run(request, start.keepWorker));
        row.status = outcome.status;
        row.reason = std::move(outcome.reason);
        row.durationSeconds = outcome.seconds;
        row.logTail = std::move(outcome.logTail);
        if (outcome.result)
            row.result = std::move(*outcome.result);
        QS_RETURN_IF_ERROR(finishRow(cell, row, request.keptOutputs));
        scheduler.finished(start.cell, start.round, row.status);
        if (m_skipMode.exchange(false))
            scheduler.skipCompileMode(cell.config.compile);
        m_current.reset();
        report("between cells", 0.0);
        return {};
    }

    Status addRow(const Measurement& row)
    {
        QS_RETURN_IF_ERROR(m_folder->addMeasurement(row));
        m_data.measurements.push_back(row);
        m_observer.measured(row);
        m_pace.count(row);
        return {};
    }

    // Artefacts first, then the row, then what was learnt from it.
    Status finishRow(const PlannedCell& cell, Measurement& row, int kept)
    {
        const int written = std::min(kept, static_cast<int>(row.result.outputs.size()));
        if (row.ok() && written > 0) {
            const Status stored = writeOutputPictures(m_folder->path(), cell.id, written);
            if (!stored.ok()) {
                row.status = CellStatus::Crashed;
                row.reason = "its outputs cannot be used: " + stored.error().message;
                row.result = {};
            }
        }
        QS_RETURN_IF_ERROR(addRow(row));
        if (row.ok() && written > 0) {
            m_comparison->outputsStored(cell.id, written);
            QS_RETURN_IF_ERROR(compareOutputsOf(cell));
            for (const PlannedCell& other : m_data.plan.cells) {
                if (other.referenceId == cell.id && other.id != cell.id)
                    QS_RETURN_IF_ERROR(compareOutputsOf(other));
            }
        }
        return {};
    }

    // Between cells, so that it never competes with a measurement for the processor. Outputs that
    // cannot be compared are worth a note; the measurements go on.
    Status compareOutputsOf(const PlannedCell& cell)
    {
        const OutputComparison::Outcome outcome = m_comparison->compare(cell);
        for (const PictureQuality& quality : outcome.qualities) {
            QS_RETURN_IF_ERROR(m_folder->addQuality(quality));
            m_data.qualities.push_back(quality);
            m_observer.qualityKnown(quality);
        }
        for (const std::string& note : outcome.notes)
            QS_RETURN_IF_ERROR(event("note", note));
        return {};
    }

    Status writeSkip(const SkipCell& skip)
    {
        const PlannedCell& cell = m_data.plan.cells[skip.cell];
        Measurement row;
        row.cellId = cell.id;
        row.environmentId = m_environmentId;
        row.round = skip.round;
        row.attempt = skip.attempt;
        row.config = cell.config;
        row.status = CellStatus::Skipped;
        row.reason = skip.reason;
        row.startedAt = utcNow();
        return addRow(row);
    }

    Status announceRound(const BeginRound& round)
    {
        std::string order;
        for (const std::size_t cell : round.order)
            order += (order.empty() ? "" : " ") + std::to_string(cell);
        return event("round", "round " + std::to_string(round.round + 1) + ", order " + order);
    }

    Status event(const std::string& kind, const std::string& text)
    {
        const RunEvent event{utcNow(), kind, text};
        QS_RETURN_IF_ERROR(m_folder->addEvent(event));
        m_data.events.push_back(event);
        m_observer.happened(event);
        return {};
    }

    void log(const std::string& line)
    {
        // A log that cannot be written must not end a sweep whose rows still can.
        if (m_folder)
            static_cast<void>(m_folder->appendLog(line + "\n").ok());
        m_observer.logged(line);
    }

    void report(const std::string& phase, double fraction)
    {
        RunProgress progress;
        progress.phase = phase;
        progress.phaseSeconds = m_pace.secondsInPhase(phase);
        progress.phaseFraction = fraction;
        progress.paused = m_paused;
        progress.elapsedSeconds = m_pace.elapsedSeconds();
        if (m_current) {
            progress.cellId = m_data.plan.cells[m_current->cell].id;
            progress.round = m_current->round;
        }
        if (m_scheduler != nullptr) {
            progress.done = m_scheduler->rowsDone();
            progress.total = m_scheduler->rowsExpected();
        }
        progress.remainingSeconds =
            m_pace.remainingSeconds(m_data.plan, std::max(0, progress.total - progress.done));
        m_observer.progressed(progress);
    }

    bool timeIsUp() const
    {
        return m_options.maximumSeconds > 0.0 && m_pace.elapsedSeconds() > m_options.maximumSeconds;
    }

    RunOptions m_options;
    RunObserver& m_observer;
    RunData m_data;
    Environment m_environment;
    std::string m_environmentId;
    std::optional<RunFolder> m_folder;
    Scheduler* m_scheduler = nullptr;
    std::optional<StartCell> m_current;
    std::optional<OutputComparison> m_comparison;
    RunPace m_pace;

    SupervisorSwitch m_switch;
    std::atomic<bool> m_stopAfterCell = false;
    std::atomic<bool> m_paused = false;
    std::atomic<bool> m_skipMode = false;
    std::atomic<bool> m_running = true;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_finished = false;
    std::thread m_thread;
};

RunSession::RunSession(Plan plan, RunOptions options, RunObserver& observer)
    : m_impl(std::make_unique<Impl>(std::move(plan), std::move(options), observer))
{
}

RunSession::~RunSession() = default;

void RunSession::stopAfterCell()
{
    m_impl->stopAfterCell();
}

void RunSession::stopNow()
{
    m_impl->stopNow();
}

void RunSession::pause(bool paused)
{
    m_impl->pause(paused);
}

void RunSession::skipCell()
{
    m_impl->skipCell();
}

void RunSession::skipCompileMode()
{
    m_impl->skipCompileMode();
}

void RunSession::wait()
{
    m_impl->wait();
}

bool RunSession::running() const
{
    return m_impl->running();
}

}  // namespace qs::core
