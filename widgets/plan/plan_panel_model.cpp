#include "widgets/model/model_status.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/model_edit.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/sweep_editor.h"

#include <algorithm>

// Which model and which device the draft is for.
namespace qs::widgets {

void PlanPanel::setModel(const QString& reference)
{
    setModels({reference});
}

void PlanPanel::setModels(const QStringList& references)
{
    if (axisValues(preset(), "model") != references)
        editAxis("model", references, references.size() == 1 ? tr("model") : tr("models"));
    m_model->setModels(axisValues(preset(), "model"));
    inspectModel();
}

void PlanPanel::inspectModel()
{
    const QStringList models = axisValues(preset(), "model");
    if (models.size() != 1 || models.front().isEmpty()) {
        m_inspected.clear();
        m_modelStatus->showNothing();
        Q_EMIT modelInspected(nullptr);
        return;
    }
    if (models.front() == m_inspected && m_inspectedUsable)
        return;
    m_inspected = models.front();
    m_inspectedUsable = true;
    m_modelStatus->showReading(m_inspected);
    Q_EMIT modelInspected(nullptr);
    m_inspector.inspect(m_inspected, preset().defaults.seed);
}

void PlanPanel::receiveInspection(const Inspection& inspection)
{
    if (QString::fromStdString(inspection->reference) != m_inspected)
        return;
    m_inspectedUsable = inspection->usable();
    m_modelStatus->showInspection(inspection);
    if (inspection->family != nullptr) {
        QStringList stages;
        for (const core::StageInfo& stage : inspection->family->stages())
            stages << QString::fromStdString(stage.name);
        m_sweep->setStages(stages);
    }
    Q_EMIT modelInspected(inspection);
    if (inspection->usable() && inspection->trained && m_inspected != QStringLiteral("demo"))
        Q_EMIT modelOpened(m_inspected);
}

void PlanPanel::planFor(const core::DeviceDescription& device)
{
    m_plannedFor = device;
    m_device->setPlannedFor(&device);
    const QString id = QString::fromStdString(device.id);
    if (axisValues(preset(), "device") != QStringList{id})
        editAxis("device", {id}, tr("device"));
    replan();
}

void PlanPanel::planForThisComputer()
{
    m_plannedFor.reset();
    m_device->setPlannedFor(nullptr);
    replan();
}

std::vector<core::DeviceDescription> PlanPanel::devices() const
{
    std::vector<core::DeviceDescription> devices = m_engine.devices;
    if (!m_plannedFor)
        return devices;
    std::erase_if(devices, [this](const auto& each) { return each.id == m_plannedFor->id; });
    devices.push_back(*m_plannedFor);
    return devices;
}

}  // namespace qs::widgets
