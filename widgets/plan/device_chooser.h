#pragma once

#include "widgets/plan/engine_state.h"

#include <QComboBox>

namespace qs::widgets {

// Where the sweep runs. Devices that are not there are shown disabled with the reason.
class DeviceChooser final : public QComboBox
{
    Q_OBJECT

public:
    explicit DeviceChooser(QWidget* parent = nullptr);

    void setEngine(const EngineState& engine);
    // Devices that the preset names; several when it sweeps over them.
    void setDevices(const QStringList& ids);

Q_SIGNALS:
    void deviceEdited(const QString& id);

private:
    void rebuild();

    EngineState m_engine;
    QStringList m_chosen;
};

}  // namespace qs::widgets
