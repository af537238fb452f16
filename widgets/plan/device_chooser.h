#pragma once

#include "widgets/plan/engine_state.h"

#include <QComboBox>

namespace qs::widgets {

// Where the sweep runs, or which GPU that is not in this computer it is planned for. Devices that
// are not there are shown disabled with the reason.
class DeviceChooser final : public QComboBox
{
    Q_OBJECT

public:
    explicit DeviceChooser(QWidget* parent = nullptr);

    void setEngine(const EngineState& engine);
    // Devices that the preset names; several when it sweeps over them.
    void setDevices(const QStringList& ids);
    // Shows a GPU of core::commonGpus() as what is planned for; null for the devices of the preset.
    void setPlannedFor(const core::DeviceDescription* device);

Q_SIGNALS:
    // A device of this computer.
    void deviceEdited(const QString& id);
    void plannedForChosen(const qs::core::DeviceDescription& device);

private:
    void rebuild();
    [[nodiscard]] bool addDevices();
    void addDisabled(const QString& text, const QStringList& ids, const QString& why);
    void addOtherGpus();
    [[nodiscard]] int chosenItem();

    EngineState m_engine;
    QStringList m_chosen;
    QString m_plannedFor;  // name of the GPU; empty: none
};

}  // namespace qs::widgets
