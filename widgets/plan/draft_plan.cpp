#include "widgets/plan/draft_plan.h"

#include "core/device/host_memory.h"
#include "core/device/host_room.h"
#include "core/sweep/plan_needs.h"
#include "widgets/plan/preset_edit.h"

#include <utility>

namespace qs::widgets {

namespace {

constexpr int kDelayMs = 150;  // while a person types

}  // namespace

DraftPlan::DraftPlan(const SweepDraft& draft, Planner::Maker maker,
                     std::filesystem::path resourceFolder)
    : m_draft(draft), m_resourceFolder(std::move(resourceFolder)), m_planner(std::move(maker))
{
    m_engine.devices = {core::describeCpu()};
    m_soon.setSingleShot(true);
    m_soon.setInterval(kDelayMs);
    connect(&m_soon, &QTimer::timeout, this, &DraftPlan::make);
    connect(&m_planner, &Planner::planned, this, &DraftPlan::receive);
    connect(&m_planner, &Planner::reasonsFound, this, &DraftPlan::reasonsFound);
    connect(&draft, &SweepDraft::shown, this, &DraftPlan::followDraft);
    connect(&draft, &SweepDraft::opened, this, &DraftPlan::make);
    connect(&draft, &SweepDraft::edited, this, [this] {
        // What is on the screen is no longer what the old plan says.
        refuse({});
        m_soon.start();
    });
}

// Undo and other presets lead back to this computer.
void DraftPlan::followDraft()
{
    if (m_plannedFor && axisValues(m_draft.preset(), "device") !=
                            QStringList{QString::fromStdString(m_plannedFor->id)})
        m_plannedFor.reset();
}

void DraftPlan::setEngine(const EngineState& engine)
{
    m_engine = engine;
    make();
}

void DraftPlan::setPlannedFor(const std::optional<core::DeviceDescription>& device)
{
    m_plannedFor = device;
    make();
}

void DraftPlan::refuse(const QString& problem)
{
    m_plan.reset();
    m_problem = problem;
    Q_EMIT changed();
}

void DraftPlan::make()
{
    m_soon.stop();
    refuse({});
    std::vector<core::DeviceDescription> devices = m_engine.devices;
    if (m_plannedFor) {
        std::erase_if(devices, [this](const auto& each) { return each.id == m_plannedFor->id; });
        devices.push_back(*m_plannedFor);
    }
    m_planner.request(m_draft.preset(), {std::move(devices), m_resourceFolder, false});
}

void DraftPlan::receive(const Planner::Answer& answer)
{
    m_problem.clear();
    if (answer->ok())
        m_plan = answer->value();
    else
        m_problem = QString::fromStdString(answer->error().message);
    Q_EMIT changed();
    Q_EMIT planned();
}

QString DraftPlan::objection() const
{
    const core::HostRoom room{core::hostMemory(), core::freeSpace(m_runsFolder)};
    const core::Status fits =
        m_plan ? core::checkRoom(core::needsOf(*m_plan), room) : core::Status();
    return fits.ok() ? QString() : QString::fromStdString(fits.error().message);
}

}  // namespace qs::widgets

#include "moc_draft_plan.cpp"
