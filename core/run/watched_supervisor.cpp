#include "core/run/watched_supervisor.h"

#include "core/base/stop.h"

#include <algorithm>
#include <utility>

namespace qs::core {

WatchedSupervisor::WatchedSupervisor(CellSupervisor& supervisor,
                                     std::vector<DeviceDescription> devices,
                                     std::string nvmlLibrary, std::stop_token stop)
    : m_supervisor(supervisor),
      m_devices(std::move(devices)),
      m_nvmlLibrary(std::move(nvmlLibrary)),
      m_stop(std::move(stop))
{
}

Result<CellOutcome> WatchedSupervisor::run(const CellRequest& request, bool keepWorker)
{
    const std::string uuid = uuidOf(request.config);
    if (request.config.device == "cpu")
        return runOnProcessor(request, keepWorker);
    if (uuid.empty())
        return m_supervisor.run(request, keepWorker);
    if (!m_watch)
        m_watch.emplace(m_nvmlLibrary);
    // The worker of the cell before holds memory for as long as it lives.
    if (!keepWorker)
        m_supervisor.endWorker();
    m_watch->prepare(uuid, !keepWorker, m_stop);
    QS_RETURN_IF_ERROR(checkNotStopped(m_stop));
    const double begin = Telemetry::now();
    QS_TRY(CellOutcome outcome, m_supervisor.run(request, keepWorker));
    if (outcome.result) {
        m_watch->finish(outcome.worker, *outcome.result);
        return outcome;
    }
    // Who else was there may be the reason.
    if (outcome.failure)
        outcome.failure->foreign = m_watch->strangersSince(begin, outcome.worker);
    return outcome;
}

Result<CellOutcome> WatchedSupervisor::runOnProcessor(const CellRequest& request, bool keepWorker)
{
    // The end of the worker before takes time, too, which is not others'.
    if (!keepWorker)
        m_supervisor.endWorker();
    m_processor.prepare();
    QS_TRY(CellOutcome outcome, m_supervisor.run(request, keepWorker));
    if (outcome.result) {
        CellResult& result = *outcome.result;
        result.load = m_processor.finish(outcome.worker);
        if (result.load.disturbed())
            result.notes.push_back(
                {NoteCode::HostDisturbed, {*result.load.othersDuring, double(result.load.cores)}});
    }
    return outcome;
}

std::string WatchedSupervisor::uuidOf(const CellConfig& config) const
{
    const auto found =
        std::find_if(m_devices.begin(), m_devices.end(),
                     [&](const DeviceDescription& device) { return device.id == config.device; });
    return found == m_devices.end() ? std::string() : found->uuid;
}

}  // namespace qs::core
