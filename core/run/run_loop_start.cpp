#include "core/base/clean_text.h"
#include "core/record/run_folder.h"
#include "core/run/input_set.h"
#include "core/run/run_loop.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

// What happens before the first cell: the folder is opened, inputs are made, and what an earlier
// session left is taken up.
namespace qs::core {

namespace {

constexpr double kEngineTimeoutSeconds = 60.0;

}  // namespace

Status RunLoop::open()
{
    QS_TRY(const EngineDescription engine,
           describeEngine(m_options.workerProgram, kEngineTimeoutSeconds,
                          [this] { return m_requests.supervisorSwitch().stopping(); }));
    const Environment environment = describeEnvironment(engine, engine.devices);
    m_environmentId = environment.id();
    m_devices = environment.devices;
    if (m_options.resume) {
        QS_TRY(RunFolder folder, RunFolder::resume(m_options.folder, environment, m_data));
        QS_RETURN_IF_ERROR(checkPaths(folder.path()));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
    } else {
        QS_TRY(RunFolder folder, RunFolder::create(m_options.folder, m_data.plan, environment));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
        m_data.folder = this->folder();
        m_data.environments = {environment};
    }
    agreeToPathsOf(m_data.plan);
    if (!m_appended.cells.empty())
        QS_RETURN_IF_ERROR(append(m_appended));
    QS_RETURN_IF_ERROR(prepareAllInputs());
    QS_RETURN_IF_ERROR(event(m_options.resume ? "resumed" : "started", m_data.plan.preset.name));
    return warnOfUnquietProcessor();
}

// The plan of a run that goes on may come from somebody else.
Status RunLoop::checkPaths(const std::filesystem::path& folder) const
{
    if (!m_options.trust)
        return {};
    std::string text;
    for (const std::string& path : m_options.trust->unknown(folder, outsidePaths(m_data.plan))) {
        const auto& agreed = m_options.agreedPaths;
        if (std::find(agreed.begin(), agreed.end(), path) == agreed.end())
            text += "\n  " + cleanLine(path);
    }
    if (text.empty())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "this run reads what nobody here has agreed to:" + text};
}

void RunLoop::agreeToPathsOf(const Plan& plan) const
{
    if (m_options.trust)
        m_options.trust->agree(folder(), outsidePaths(plan));
}

Status RunLoop::warnOfUnquietProcessor()
{
    const auto onCpu = [](const PlannedCell& cell) { return cell.config.device == "cpu"; };
    if (std::none_of(m_data.plan.cells.begin(), m_data.plan.cells.end(), onCpu))
        return {};
    const std::vector<std::string> reasons = reasonsNotQuiet(readCpuState(m_options.systemRoot));
    if (reasons.empty())
        return {};
    std::string text;
    for (const std::string& reason : reasons)
        text += (text.empty() ? "" : "; ") + reason;
    return event(kWarningEvent, "this machine is not quiet: " + text);
}

std::vector<Measurement> RunLoop::rowsOfThisEnvironment() const
{
    std::vector<Measurement> rows;
    std::copy_if(m_data.measurements.begin(), m_data.measurements.end(), std::back_inserter(rows),
                 [&](const Measurement& row) { return row.environmentId == m_environmentId; });
    return rows;
}

Status RunLoop::noteOtherEnvironments(std::size_t others)
{
    if (others == 0)
        return {};
    return event("note", std::to_string(others) +
                             " rows were measured in another environment (see "
                             "environment.json); they are kept, and measured again here");
}

Status RunLoop::prepareAllInputs()
{
    const InputCache cache(m_options.inputCache);
    std::set<std::int64_t> sizes;
    for (const PlannedCell& cell : m_data.plan.cells) {
        if (cell.possible())
            sizes.insert(cell.config.imageSize);
    }
    for (const std::int64_t size : sizes) {
        QS_TRY(const InputSet set,
               prepareInputs(folder(), m_data.plan.preset.pictures, size, cache));
        m_data.pictureNames = set.names;
        for (const std::string& skipped : set.skipped)
            m_recorder->log("picture left out: " + skipped);
    }
    return {};
}

// What sessions that were killed had measured but not compared.
Status RunLoop::compareWhatIsStored()
{
    for (const PlannedCell& cell : m_data.plan.cells) {
        for (const std::string& environment : m_comparison->outputs().environments(cell.id))
            QS_RETURN_IF_ERROR(compareOutputsOf(cell, environment));
    }
    return {};
}

}  // namespace qs::core
