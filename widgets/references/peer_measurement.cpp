#include "widgets/references/peer_measurement.h"

#include "core/base/temporary_folder.h"
#include "core/record/reference_results.h"
#include "core/record/run_folder.h"
#include "core/run/describe_engine.h"
#include "core/run/path_trust.h"
#include "core/run/peer/measure_peer.h"
#include "core/run/program_paths.h"

#include <utility>

namespace qs::widgets {

namespace {

constexpr double kPatienceWithEngine = 60.0;  // seconds

core::Status checkPaths(const std::filesystem::path& run, const core::ProgramPaths& paths)
{
    QS_TRY(const std::vector<std::string> unknown,
           core::pathsToAgree(run, core::PathTrust(paths.trustFile)));
    if (unknown.empty())
        return {};
    return core::Error{core::ErrorCode::InvalidArgument,
                       "the run comes from elsewhere and names " + unknown.front() +
                           "; \"quantscope-cli peer\" asks whether it may be read"};
}

core::Status measureRun(const std::filesystem::path& run, core::SupervisorSwitch& control,
                        const std::function<void(const std::string&)>& told)
{
    const core::ProgramPaths paths = core::locatePrograms();
    QS_RETURN_IF_ERROR(checkPaths(run, paths));
    QS_TRY(const core::Plan plan, core::readRunPlan(run));
    QS_TRY(const core::PeerRequest request,
           core::peerRequest(run, core::usualWishes(plan), paths.resources));
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kPatienceWithEngine, control.stopToken()));
    if (engine.python.empty())
        return core::Error{core::ErrorCode::NotFound,
                           "the engine found no Python that has its PyTorch"};
    QS_TRY(const core::TemporaryFolder folder, core::TemporaryFolder::create("quantscope-peer"));
    QS_RETURN_IF_ERROR(core::preparePeer(
        request, folder.path(), {paths.worker, paths.resources, paths.workerCache}, control,
        {.progress = [](core::Phase, double) {}, .log = [](const std::string&) {}}));
    QS_TRY(const std::filesystem::path results,
           core::runPeer(engine.python, folder.path(), told,
                         [&control] { return !control.stopping(); }));
    QS_RETURN_IF_ERROR(core::attachReference(run, results));
    return {};
}

}  // namespace

PeerMeasurement::PeerMeasurement(QObject* parent) : QObject(parent) {}

PeerMeasurement::~PeerMeasurement()
{
    stop();
}

void PeerMeasurement::start(const std::filesystem::path& runFolder)
{
    if (isBusy())
        return;
    m_control = std::make_shared<core::SupervisorSwitch>();
    m_task.start(
        this,
        [this, runFolder, control = m_control](const auto& /*wanted*/) {
            return measure(runFolder, *control);
        },
        [this](const Outcome& outcome) {
            Q_EMIT finished(outcome ? QString::fromStdString(*outcome)
                                    : tr("Not enough memory to measure in Python."));
        });
}

void PeerMeasurement::stop()
{
    if (m_control)
        m_control->stopNow();
    m_task.drop();
}

// On a thread of the pool, for which the end of this object waits.
PeerMeasurement::Outcome PeerMeasurement::measure(const std::filesystem::path& runFolder,
                                                  core::SupervisorSwitch& control)
{
    const core::Status status = measureRun(runFolder, control, [this](const std::string& line) {
        QMetaObject::invokeMethod(
            this, [this, text = QString::fromStdString(line)] { Q_EMIT said(text); },
            Qt::QueuedConnection);
    });
    return status.ok() ? std::string() : status.error().message;
}

}  // namespace qs::widgets

#include "moc_peer_measurement.cpp"
