#include "core/base/clean_text.h"
#include "core/run/describe_engine.h"
#include "core/run/run_loop.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <string>
#include <utility>

// What happens before the first cell: the folder is opened, inputs are made, and what an earlier
// session left is taken up.
namespace qs::core {

namespace {

constexpr double kEngineTimeoutSeconds = 60.0;

}  // namespace

Status RunLoop::open()
{
    report(Phase::Start, 0.0);
    QS_TRY(const EngineDescription engine,
           describeEngine(m_options.workerProgram, kEngineTimeoutSeconds, m_requests.ending()));
    const Environment environment = describeEnvironment(engine, engine.devices);
    m_environmentId = environment.id();
    m_devices = environment.devices;
    m_compiler = environment.compiler;
    if (m_options.resume) {
        QS_TRY(RunFolder folder,
               RunFolder::resume(m_options.folder, environment, m_data, m_requests.ending()));
        QS_RETURN_IF_ERROR(checkPaths(folder.path()));
        QS_RETURN_IF_ERROR(checkPrograms(m_data.plan));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
    } else {
        QS_RETURN_IF_ERROR(checkPrograms(m_data.plan));
        QS_RETURN_IF_ERROR(checkRoom(needsOf(m_data.plan), hostRoom(m_options, m_options.folder)));
        QS_TRY(RunFolder folder, RunFolder::create(m_options.folder, m_data.plan, environment));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
        m_data.folder = this->folder();
        m_data.environments = {environment};
    }
    agreeToPathsOf(m_data.plan);
    m_comparison.emplace(folder(), m_data);
    m_room.emplace(m_options, m_data, m_comparison->outputs(), m_environmentId);
    m_inputs.emplace(m_options, *m_recorder, m_data, m_requests,
                     [this](int done, int expected) { reportInputs(done, expected); });
    if (!m_appended.cells.empty())
        QS_RETURN_IF_ERROR(append(m_appended));
    else if (m_options.resume)
        QS_RETURN_IF_ERROR(m_room->check(m_data.plan, rowsDone()));
    QS_RETURN_IF_ERROR(
        m_recorder->addEvent(m_options.resume ? EventKind::Resumed : EventKind::Started));
    if (const Status prepared = m_inputs->prepare(); !prepared.ok()) {
        if (!m_options.resume)
            m_recorder->folder().remove();
        return prepared;
    }
    return m_requests.stopping() ? Status() : warnOfUnquietProcessor();
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
    return Error{ErrorCode::InvalidArgument, "reading these paths was not allowed:" + text};
}

void RunLoop::agreeToPathsOf(const Plan& plan) const
{
    if (m_options.trust)
        m_options.trust->agree(folder(), outsidePaths(plan));
}

Status RunLoop::checkPrograms(const Plan& plan) const
{
    std::string text;
    for (const TrustedProgram& program : programsToTrust(plan, m_options.programTrust))
        text += "\n  " + cleanLine(program.name) + ", SHA-256 " + program.sha256;
    if (text.empty())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "these models are compiled programs that are not trusted:" + text};
}

Status RunLoop::warnOfUnquietProcessor()
{
    const auto onCpu = [](const PlannedCell& cell) { return cell.config.device == "cpu"; };
    if (std::none_of(m_data.plan.cells.begin(), m_data.plan.cells.end(), onCpu))
        return {};
    std::vector<Note> reasons = reasonsNotQuiet(readCpuState(m_options.systemRoot));
    return reasons.empty() ? Status()
                           : m_recorder->addEvent(EventKind::Warning, std::move(reasons));
}

// Of earlier sessions.
Status RunLoop::takeUpRows()
{
    std::size_t others = 0;
    for (const Measurement& row : m_data.measurements) {
        if (row.environmentId == m_environmentId)
            m_pace.count(row);
        else
            ++others;
    }
    return noteOtherEnvironments(others);
}

Status RunLoop::noteOtherEnvironments(std::size_t others)
{
    if (others == 0)
        return {};
    return m_recorder->addEvent(EventKind::Note,
                                {{NoteCode::EarlierEnvironments, {static_cast<double>(others)}}});
}

}  // namespace qs::core
