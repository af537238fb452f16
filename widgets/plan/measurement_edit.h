#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace qs::widgets {

// How long each cell is warmed up and timed, and when it is given up.
class MeasurementEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit MeasurementEdit(QWidget* parent = nullptr);

    void setSettings(const core::MeasurementSettings& settings);
    // What is wrong with what stands there; empty if nothing is.
    [[nodiscard]] QString problem() const { return m_problem; }
    // "0.5–15 s of samples"
    [[nodiscard]] static QString summary(const core::MeasurementSettings& settings);

Q_SIGNALS:
    // By a person, as they type; only while no minimum is above its maximum.
    void settingsEdited(const qs::core::MeasurementSettings& settings);
    void problemChanged();

private:
    using Change = std::function<void(core::MeasurementSettings&, double)>;

    void build();
    void layOut();
    QDoubleSpinBox* addSeconds(const QString& name, const QString& about, const Change& change);
    QSpinBox* addCount(const QString& name, const QString& about,
                       int core::MeasurementSettings::*member);
    void addStopping();
    void addCache();
    void addEnergy();
    void addLimits(QGridLayout& grid, int row);
    void edit(const std::function<void(core::MeasurementSettings&)>& change);
    void check();

    core::MeasurementSettings m_settings;
    QString m_problem;
    std::vector<QDoubleSpinBox*> m_seconds;  // as their table
    std::vector<QSpinBox*> m_counts;
    QComboBox* m_stopping = nullptr;
    QComboBox* m_cache = nullptr;
    QDoubleSpinBox* m_noise = nullptr;
    QDoubleSpinBox* m_energy = nullptr;
    std::map<core::Phase, QDoubleSpinBox*> m_limits;  // by phase
    QLabel* m_message = nullptr;
};

}  // namespace qs::widgets
