#include "core/run/run_loop.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/utc_time.h"
#include "core/device/host_memory.h"
#include "core/record/layer_reports.h"
#include "core/run/input_set.h"
#include "core/sweep/append_plan.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace qs::core {

namespace {

constexpr std::chrono::seconds kDiskCheckPeriod{2};

}  // namespace

RunLoop::RunLoop(Plan plan, RunOptions options, RunObserver& observer, RunRequests& requests)
    : m_options(std::move(options)), m_observer(observer), m_requests(requests)
{
    (m_options.resume ? m_appended : m_data.plan) = std::move(plan);
}

Status RunLoop::run()
{
    QS_RETURN_IF_ERROR(open());
    QS_RETURN_IF_ERROR(takeUpRows());
    Scheduler scheduler(m_data.plan, m_data.measurements, m_options.retryFailed, m_environmentId);
    m_scheduler = &scheduler;
    m_observer.planned(m_data);
    report(Phase::Start, 0.0);
    QS_RETURN_IF_ERROR(compareWhatIsStored());
    CellSupervisor supervisor(
        m_options.workerProgram, m_requests.supervisorSwitch(),
        {[this](Phase phase, double fraction) { report(phase, fraction); },
         [this](const std::string& line) { m_recorder->log(line); },
         [this] { return outOfMemoryKills(m_options.systemRoot); },
         [this](Phase phase, const std::vector<double>& seconds) { m_live.add(phase, seconds); }});
    WatchedSupervisor watched(supervisor, m_devices, m_options.nvmlLibrary, m_requests.ending());
    const Status status = loop(scheduler, watched);
    supervisor.endWorker();
    m_scheduler = nullptr;
    if (status.ok())
        return status;
    // A file that cannot be opened says less than that the folder was removed or moved.
    const Status inPlace = m_recorder->folder().checkInPlace();
    return inPlace.ok() ? status : inPlace;
}

int RunLoop::rowsDone() const
{
    return m_scheduler != nullptr ? m_scheduler->rowsDone() : 0;
}

const std::filesystem::path& RunLoop::folder() const
{
    return m_recorder->folder().path();
}

Status RunLoop::append(const Plan& addition)
{
    QS_TRY(Plan plan, appendPlan(m_data.plan, addition));
    QS_RETURN_IF_ERROR(m_room->check(plan, rowsDone()));
    QS_RETURN_IF_ERROR(checkPrograms(plan));
    // With images that are gone the grown run could not go on.
    QS_RETURN_IF_ERROR(m_inputs->prepareImages(plan));
    const std::size_t before = m_data.plan.cells.size();
    // A disk that refuses it ends the run; a plan that does not fit does not.
    if (const Status status = m_recorder->growPlan(std::move(plan)); !status.ok())
        return Error{ErrorCode::Io, status.error().message};
    m_room->planGrew();
    agreeToPathsOf(addition);  // of this user's own sweep
    const std::size_t cells = m_data.plan.cells.size() - before;
    return m_recorder->addEvent(
        EventKind::Appended,
        {{NoteCode::CellsAppended, {addition.preset.name, static_cast<double>(cells)}}});
}

Status RunLoop::loop(Scheduler& scheduler, WatchedSupervisor& supervisor)
{
    while (true) {
        QS_RETURN_IF_ERROR(answerRequests(scheduler));
        QS_RETURN_IF_ERROR(m_recorder->folder().checkInPlace());
        if (!m_requests.stopping() && m_room->diskIsFull(rowsDone())) {
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
            if (m_requests.close())
                return m_recorder->addEvent(finish->complete ? EventKind::Complete
                                                             : EventKind::Stopped);
        } else {
            report(Phase::Paused, 0.0);
            m_requests.waitWhilePaused();
        }
    }
}

Status RunLoop::waitForSpace()
{
    QS_RETURN_IF_ERROR(m_recorder->addLoggedEvent(
        EventKind::Warning,
        {NoteCode::DiskFull,
         {static_cast<double>(m_room->neededBytes(rowsDone())), folder().string(),
          static_cast<double>(m_options.freeSpace(folder()).value_or(0))}}));
    while (m_room->diskIsFull(rowsDone()) && !m_requests.stopping()) {
        report(Phase::DiskFull, 0.0);
        m_requests.waitForStop(kDiskCheckPeriod);
    }
    if (!m_requests.stopping())
        return m_recorder->addLoggedEvent(EventKind::Note, {NoteCode::DiskFree});
    return {};
}

Status RunLoop::answerRequests(Scheduler& scheduler)
{
    for (const Plan& addition : m_requests.takeAppended()) {
        const Status status = append(addition);
        const bool refused = !status.ok() && (status.error().code == ErrorCode::InvalidArgument ||
                                              status.error().code == ErrorCode::Unsupported);
        if (!status.ok() && !refused)
            return status;
        if (refused) {
            QS_RETURN_IF_ERROR(m_recorder->addEvent(
                EventKind::Note, {{NoteCode::AppendRefused, {status.error().message}}}));
            continue;
        }
        scheduler.planGrew();
        QS_RETURN_IF_ERROR(m_inputs->prepare());
    }
    for (const std::string& id : m_requests.takeForward())
        QS_RETURN_IF_ERROR(bringForward(scheduler, id));
    if (m_requests.stopping())
        scheduler.stop();
    scheduler.pause(m_requests.paused());
    return {};
}

Status RunLoop::bringForward(Scheduler& scheduler, const std::string& id)
{
    const auto& cells = m_data.plan.cells;
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const PlannedCell& cell) { return cell.id == id; });
    if (found == cells.end())
        return {};
    const auto cell = static_cast<std::size_t>(found - cells.begin());
    const NoteCode code =
        scheduler.bringForward(cell) ? NoteCode::BroughtForward : NoteCode::NothingToBringForward;
    return m_recorder->addLoggedEvent(
        EventKind::Note, {code,
                          {static_cast<double>(cell), precisionText(found->config),
                           found->config.compile, static_cast<double>(found->config.batch)}});
}

Status RunLoop::runCell(Scheduler& scheduler, WatchedSupervisor& supervisor, const StartCell& start)
{
    const PlannedCell& cell = m_data.plan.cells[start.cell];
    m_current = start;
    m_live = {};
    report(Phase::Start, 0.0);
    QS_RETURN_IF_ERROR(createFolders(
        m_recorder->folder().outputFolder(m_comparison->place(cell.id, m_environmentId))));
    const CellRequest request = requestFor(cell);
    Measurement row = newRow(cell, start.round, start.attempt);
    Result<CellOutcome> ran = supervisor.run(request, start.keepWorker);
    if (!ran.ok() && ran.error().code == ErrorCode::Cancelled) {
        m_current.reset();  // it has not begun: the next session measures it
        return {};
    }
    QS_TRY(CellOutcome outcome, std::move(ran));
    row.failure = std::move(outcome.failure);
    row.durationSeconds = outcome.seconds;
    row.logTail = cleanText(outcome.logTail);
    if (outcome.result)
        row.result = std::move(*outcome.result);
    QS_RETURN_IF_ERROR(checkModel(cell, row.result));
    QS_RETURN_IF_ERROR(finishRow(cell, row, request.keptOutputs));
    scheduler.finished(start.cell, start.round, row.status());
    if (m_requests.takeSkipMode())
        scheduler.skipCompileMode(cell.config.compile);
    m_current.reset();
    report(Phase::Comparing, 0.0);
    return {};
}

// A row of other weights under the same name would be counted with those of the planned ones.
Status RunLoop::checkModel(const PlannedCell& cell, const CellResult& result)
{
    if (result.modelContent.empty() ||
        cellId(cell.config, result.modelContent, cell.rerun, cell.calibration) == cell.id)
        return {};
    return Error{ErrorCode::Io, cell.config.model +
                                    " was changed or replaced after the sweep was planned; plan a "
                                    "new sweep to measure what it holds now"};
}

CellRequest RunLoop::requestFor(const PlannedCell& cell)
{
    CellRequest request;
    request.config = cell.config;
    request.measurement = m_data.plan.preset.measurement;
    request.resourceFolder = m_options.resourceFolder;
    request.feeding = m_data.plan.preset.feeding;
    request.calibration = m_data.plan.preset.calibration;
    request.calibrationFolder = calibrationFolderOf(cell);
    request.cacheFolder = m_options.workerCache;
    request.runFolder = folder();
    request.inputFile = inputArray(folder(), cell.config.imageSize()).relative();
    request.outputFolder =
        m_recorder->folder().outputFolder(m_comparison->place(cell.id, m_environmentId)).relative();
    // What another environment stored is not of this one. Once it has run it need not be looked at
    // again.
    const bool seen = m_comparison->outputs().pictures(cell.id, m_environmentId) > 0;
    request.keptOutputs = seen ? 0 : keptOutputs(m_data.plan, cell);
    request.profile = !seen;
    request.reportLayers = request.keptOutputs > 0 && !layersAreReported(cell);
    request.trustedProgram = cell.program;
    request.bf16FromFp32 = m_comparison->bf16FromFp32(cell, m_environmentId);
    request.compiler = m_compiler;
    return request;
}

// By a cell of this environment of which it would say the same.
bool RunLoop::layersAreReported(const PlannedCell& cell) const
{
    const auto& cells = m_data.plan.cells;
    return std::any_of(cells.begin(), cells.end(), [&](const PlannedCell& other) {
        return other.possible() && haveSameLayers(other.config, cell.config) &&
               isThere(layerReportFile(folder(), m_comparison->place(other.id, m_environmentId)));
    });
}

Measurement RunLoop::newRow(const PlannedCell& cell, int round, int attempt) const
{
    Measurement row;
    row.cellId = cell.id;
    row.environmentId = m_environmentId;
    row.round = round;
    row.attempt = attempt;
    row.config = cell.config;
    row.startedAt = utcNow();
    return row;
}

Status RunLoop::addRow(const Measurement& row)
{
    QS_RETURN_IF_ERROR(m_recorder->addRow(row));
    m_pace.count(row);
    return {};
}

Status RunLoop::writeSkip(const SkipCell& skip)
{
    const PlannedCell& cell = m_data.plan.cells[skip.cell];
    Measurement row = newRow(cell, skip.round, skip.attempt);
    row.failure = skip.why;
    return addRow(row);
}

Status RunLoop::announceRound(const BeginRound& round)
{
    std::string order;
    for (const std::size_t cell : round.order)
        order += (order.empty() ? "" : " ") + std::to_string(cell);
    return m_recorder->addEvent(
        EventKind::Round, {{NoteCode::RoundOrder, {static_cast<double>(round.round + 1), order}}});
}

void RunLoop::report(Phase phase, double fraction)
{
    RunProgress progress = progressNow(phase);
    progress.phaseFraction = fraction;
    m_observer.progressed(progress);
}

void RunLoop::reportInputs(int done, int expected)
{
    RunProgress progress = progressNow(Phase::Inputs);
    progress.step = done;
    progress.steps = expected;
    progress.phaseFraction = expected > 0 ? static_cast<double>(done) / expected : 0.0;
    m_observer.progressed(progress);
}

RunProgress RunLoop::progressNow(Phase phase)
{
    RunProgress progress;
    progress.phase = phase;
    progress.phaseSeconds = m_pace.secondsInPhase(phase);
    // One that is asked for waits for the cell that goes on.
    progress.paused = phase == Phase::Paused;
    progress.elapsedSeconds = m_pace.elapsedSeconds();
    if (m_current) {
        progress.cellId = m_data.plan.cells[m_current->cell].id;
        progress.round = m_current->round;
        progress.samples = m_live.newest();
    }
    progress.done = rowsDone();
    progress.total = m_scheduler != nullptr ? m_scheduler->rowsExpected() : 0;
    progress.remainingSeconds =
        m_pace.remainingSeconds(m_data.plan, std::max(0, progress.total - progress.done));
    return progress;
}

}  // namespace qs::core
