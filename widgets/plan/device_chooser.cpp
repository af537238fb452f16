#include "widgets/plan/device_chooser.h"

#include "core/base/format.h"
#include "widgets/models/plain_tip.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace qs::widgets {

namespace {

QString titleOf(const core::DeviceDescription& device)
{
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(device.id),
                                         QString::fromStdString(device.name).simplified());
}

QString aboutOf(const core::DeviceDescription& device)
{
    QStringList parts{QString::fromStdString(device.name)};
    if (device.memoryBytes > 0)
        parts << DeviceChooser::tr("%1 of memory")
                     .arg(QString::fromStdString(
                         core::formatBytes(static_cast<double>(device.memoryBytes))));
    if (device.kind == core::DeviceKind::Cuda)
        parts << DeviceChooser::tr("compute capability %1.%2")
                     .arg(device.computeMajor)
                     .arg(device.computeMinor);
    return parts.join(QStringLiteral(", "));
}

constexpr int kOtherRole = Qt::UserRole + 1;  // name of a GPU to plan for

}  // namespace

DeviceChooser::DeviceChooser(QWidget* parent) : QComboBox(parent)
{
    setObjectName(QStringLiteral("deviceChooser"));
    setAccessibleName(tr("Device"));
    // Names of processors are long; the panel decides the width.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    connect(this, &QComboBox::activated, this, [this](int index) {
        const QString other = itemData(index, kOtherRole).toString();
        for (const core::DeviceDescription& gpu : core::commonGpus()) {
            if (other == QString::fromStdString(gpu.name)) {
                Q_EMIT plannedForChosen(gpu);
                return;
            }
        }
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

void DeviceChooser::setPlannedFor(const core::DeviceDescription* device)
{
    m_plannedFor = device == nullptr ? QString() : QString::fromStdString(device->name);
    rebuild();
}

bool DeviceChooser::addDevices()
{
    bool gpu = false;
    for (const core::DeviceDescription& device : m_engine.devices) {
        gpu = gpu || device.kind == core::DeviceKind::Cuda;
        addItem(titleOf(device), QStringList{QString::fromStdString(device.id)});
        setItemData(count() - 1, plainTip(aboutOf(device)), Qt::ToolTipRole);
    }
    return gpu;
}

void DeviceChooser::addDisabled(const QString& text, const QStringList& ids, const QString& why)
{
    addItem(text, ids);
    setItemData(count() - 1, plainTip(why), Qt::ToolTipRole);
    qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
}

void DeviceChooser::addOtherGpus()
{
    insertSeparator(count());
    addDisabled(tr("Plan for another GPU:"), {},
                tr("Shows which cells can run there and an estimate of the time"));
    for (const core::DeviceDescription& gpu : core::commonGpus()) {
        const QString name = QString::fromStdString(gpu.name);
        addItem(tr("%1 (planning only)").arg(name));
        setItemData(count() - 1, plainTip(aboutOf(gpu)), Qt::ToolTipRole);
        setItemData(count() - 1, name, kOtherRole);
    }
}

int DeviceChooser::chosenItem()
{
    if (!m_plannedFor.isEmpty())
        return findData(m_plannedFor, kOtherRole);
    const int known = findData(m_chosen);
    if (known >= 0 || m_chosen.isEmpty())
        return known;
    const QString ids = m_chosen.join(QStringLiteral(", "));
    addDisabled(m_chosen.size() == 1 ? tr("%1 (not here)").arg(ids) : ids, m_chosen,
                m_chosen.size() == 1 ? tr("The preset names this device. %1").arg(m_engine.problem)
                                     : tr("The preset sweeps these devices"));
    return count() - 1;
}

void DeviceChooser::rebuild()
{
    const QSignalBlocker blocker(this);
    clear();
    if (!addDevices()) {
        const bool looking = m_engine.kind == EngineState::Kind::Looking;
        addDisabled(looking ? tr("detecting devices…") : tr("no GPU"), {}, m_engine.problem);
    }
    addOtherGpus();
    const int chosen = chosenItem();
    setCurrentIndex(chosen);
    setToolTip(chosen < 0 ? QString() : itemData(chosen, Qt::ToolTipRole).toString());
    setAccessibleDescription(toolTip());
}

}  // namespace qs::widgets

#include "moc_device_chooser.cpp"
