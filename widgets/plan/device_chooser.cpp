#include "widgets/plan/device_chooser.h"

#include "core/base/format.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace qs::widgets {

namespace {

QString titleOf(const core::DeviceDescription& device)
{
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(device.id),
                                         QString::fromStdString(device.name).simplified());
}

}  // namespace

DeviceChooser::DeviceChooser(QWidget* parent) : QComboBox(parent)
{
    setObjectName(QStringLiteral("deviceChooser"));
    setAccessibleName(tr("Device"));
    // Names of processors are long; the panel decides the width.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    connect(this, &QComboBox::activated, this, [this](int index) {
        const QStringList ids = itemData(index).toStringList();
        if (ids.size() == 1)
            Q_EMIT deviceEdited(ids.front());
    });
}

void DeviceChooser::setEngine(const EngineState& engine)
{
    m_engine = engine;
    rebuild();
}

void DeviceChooser::setDevices(const QStringList& ids)
{
    m_chosen = ids;
    rebuild();
}

void DeviceChooser::rebuild()
{
    const QSignalBlocker blocker(this);
    clear();
    bool gpu = false;
    for (const core::DeviceDescription& device : m_engine.devices) {
        gpu = gpu || device.kind == core::DeviceKind::Cuda;
        addItem(titleOf(device), QStringList{QString::fromStdString(device.id)});
        QString toolTip = QString::fromStdString(device.name);
        if (device.memoryBytes > 0)
            toolTip += tr(", %1 of memory")
                           .arg(QString::fromStdString(
                               core::formatBytes(static_cast<double>(device.memoryBytes))));
        setItemData(count() - 1, toolTip, Qt::ToolTipRole);
    }
    const auto addDisabled = [this](const QString& text, const QStringList& ids,
                                    const QString& why) {
        addItem(text, ids);
        setItemData(count() - 1, why, Qt::ToolTipRole);
        qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
    };
    if (!gpu) {
        const bool looking = m_engine.kind == EngineState::Kind::Looking;
        addDisabled(looking ? tr("looking for devices…") : tr("no GPU"), {}, m_engine.problem);
    }
    int chosen = findData(m_chosen);
    if (chosen < 0 && !m_chosen.isEmpty()) {
        const QString ids = m_chosen.join(QStringLiteral(", "));
        addDisabled(m_chosen.size() == 1 ? tr("%1 (not here)").arg(ids) : ids, m_chosen,
                    m_chosen.size() == 1
                        ? tr("The preset names this device. %1").arg(m_engine.problem)
                        : tr("The preset sweeps over these devices"));
        chosen = count() - 1;
    }
    setCurrentIndex(chosen);
    setToolTip(chosen < 0 ? QString() : itemData(chosen, Qt::ToolTipRole).toString());
}

}  // namespace qs::widgets
