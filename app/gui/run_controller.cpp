#include "app/gui/run_controller.h"

#include <QMetaObject>

#include <utility>

namespace qs::app {

namespace {

constexpr int kFlushIntervalMs = 34;

}  // namespace

RunController::RunController(core::ProgramPaths paths, widgets::RunStore& store, QObject* parent)
    : QObject(parent), m_paths(std::move(paths)), m_store(store)
{
    m_flush.setSingleShot(true);
    m_flush.setInterval(kFlushIntervalMs);
    connect(&m_flush, &QTimer::timeout, this, &RunController::flush);
}

RunController::~RunController()
{
    // stopNow() also wakes a run that is paused; its destructor alone would wait for somebody to go
    // on.
    if (m_session)
        m_session->stopNow();
    m_session.reset();
}

const core::Plan& RunController::plan() const
{
    return m_parked ? m_parked->plan() : m_store.data().plan;
}

void RunController::setInView(bool inView)
{
    if (!isRunning() || inView == isInView())
        return;
    if (inView)
        m_store.setRun(*std::exchange(m_parked, std::nullopt));
    else
        m_parked = m_store.park();
    Q_EMIT stateChanged();
}

void RunController::start(const core::Plan& plan, const std::filesystem::path& folder, bool inView)
{
    if (isRunning())
        return;
    if (!inView)
        m_parked.emplace();
    core::RunOptions options;
    options.folder = folder;
    begin(plan, std::move(options));
}

void RunController::resume(const std::filesystem::path& folder, bool retryFailed,
                           const std::vector<std::string>& agreed)
{
    core::RunOptions options;
    options.agreedPaths = agreed;
    options.folder = folder;
    options.resume = true;
    options.retryFailed = retryFailed;
    begin({}, std::move(options));
}

void RunController::begin(const core::Plan& plan, core::RunOptions options)
{
    if (isRunning())
        return;
    options.workerProgram = m_paths.worker;
    options.resourceFolder = m_paths.resources;
    options.inputCache = m_paths.inputCache;
    options.workerCache = m_paths.workerCache;
    options.trust.emplace(m_paths.trustFile);
    options.programTrust = core::ProgramTrust(m_paths.programTrustFile);
    m_folder = options.folder;
    m_progress = {};
    m_stopping = false;
    m_paused = false;
    m_begun = false;
    m_complete = false;
    // What another run found is not the beginning of this one; what this one has stays in view,
    // also if it cannot be resumed.
    if (m_parked)
        m_parked.emplace();
    else if (!options.resume || m_store.data().folder != options.folder)
        m_store.setRun(core::RunData());
    m_bridge = std::make_unique<RunObserverBridge>([this] {
        QMetaObject::invokeMethod(this, &RunController::scheduleFlush, Qt::QueuedConnection);
    });
    m_session = std::make_unique<core::RunSession>(plan, std::move(options), *m_bridge);
    Q_EMIT started();
    Q_EMIT stateChanged();
}

void RunController::stopAfterCell()
{
    if (!isRunning())
        return;
    m_stopping = true;
    m_session->stopAfterCell();
    Q_EMIT stateChanged();
}

void RunController::stopNow()
{
    if (!isRunning())
        return;
    m_stopping = true;
    m_session->stopNow();
    Q_EMIT stateChanged();
}

void RunController::setPaused(bool paused)
{
    if (!isRunning() || paused == m_paused)
        return;
    m_paused = paused;
    m_session->pause(paused);
    Q_EMIT stateChanged();
}

void RunController::skipCell()
{
    if (isRunning())
        m_session->skipCell();
}

void RunController::skipCompileMode()
{
    if (isRunning())
        m_session->skipCompileMode();
}

void RunController::bringForward(const QString& cellId)
{
    if (isRunning())
        m_session->bringForward(cellId.toStdString());
}

void RunController::append(const core::Plan& plan)
{
    if (isRunning() && !m_session->append(plan))
        m_leftOver = plan;
}

void RunController::append(const core::Plan& plan, const std::filesystem::path& folder,
                           const std::vector<std::string>& agreed)
{
    core::RunOptions options;
    options.agreedPaths = agreed;
    options.folder = folder;
    options.resume = true;
    begin(plan, std::move(options));
}

void RunController::scheduleFlush()
{
    if (!m_flush.isActive())
        m_flush.start();
}

void RunController::flush()
{
    if (!m_bridge)
        return;
    RunNews news = m_bridge->take();
    if (m_parked)
        hand(news, *m_parked);
    else
        hand(news, m_store);
    tellLines(news);
    if (news.progress) {
        m_progress = *news.progress;
        Q_EMIT progressChanged(m_progress);
    }
    if (news.finished)
        end(*news.finished);
}

template <typename Receiver>
void RunController::hand(RunNews& news, Receiver& receiver)
{
    if (news.planned) {
        m_begun = true;
        receiver.setRun(std::move(*news.planned), std::move(news.analysis));
        Q_EMIT planned();
    }
    if (news.grown)
        receiver.growPlan(std::move(*news.grown));
    for (core::Measurement& row : news.measurements)
        receiver.addMeasurement(std::move(row));
    for (core::OutputQuality& quality : news.qualities)
        receiver.addQuality(std::move(quality));
    for (core::RunEvent& event : news.events) {
        m_complete = event.kind == core::EventKind::Complete;
        receiver.addEvent(std::move(event));
    }
}

void RunController::end(const core::Status& status)
{
    m_endedInView = !m_parked;
    const std::optional<core::Plan> leftOver = std::exchange(m_leftOver, std::nullopt);
    const std::vector<std::string> agreed =
        leftOver ? core::outsidePaths(plan()) : std::vector<std::string>();
    // The session's thread has nothing left to do: this joins at once.
    m_session.reset();
    m_stopping = false;
    m_paused = false;
    if (!leftOver || !m_begun)
        m_parked.reset();
    Q_EMIT stateChanged();
    const bool stopped = !status.ok() && status.error().code == core::ErrorCode::Cancelled;
    Q_EMIT runFinished(status.ok() || stopped ? QString()
                                              : QString::fromStdString(status.error().message));
    if (leftOver && m_begun)
        append(*leftOver, m_folder, agreed);
}

void RunController::tellLines(const RunNews& news)
{
    QStringList lines;
    if (news.linesLost > 0)
        lines << tr("… further lines only in the log of the run folder: %1").arg(news.linesLost);
    for (const std::string& line : news.lines)
        lines << QString::fromStdString(line);
    if (!lines.isEmpty())
        Q_EMIT linesLogged(lines);
}

}  // namespace qs::app

#include "moc_run_controller.cpp"
