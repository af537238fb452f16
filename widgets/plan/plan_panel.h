#pragma once

#include "core/sweep/plan.h"
#include "widgets/plan/engine_state.h"
#include "widgets/plan/planner.h"
#include "widgets/plan/preset_list.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace qs::widgets {

class ChoiceList;
class DeviceChooser;
class ModelEdit;
class PictureEdit;
class PlanFooter;
class RangeEdit;

// The draft: a preset that is being edited, and what it amounts to. Edits change one core::Preset
// value; whatever the panel has no editor for stays as it is.
class PlanPanel final : public QWidget
{
    Q_OBJECT

public:
    PlanPanel(std::filesystem::path resourceFolder, Planner::Maker maker = core::makePlan,
              QWidget* parent = nullptr);

    [[nodiscard]] const core::Preset& preset() const { return m_preset; }
    // The plan of the draft as it is now; none while it is being made or when it cannot be.
    [[nodiscard]] const std::optional<core::Plan>& plan() const { return m_plan; }

    void setShippedPresets(std::vector<PresetEntry> entries);
    // Replaces the draft. `source` is selected in the chooser if it is there.
    void setPreset(const core::Preset& preset, const std::filesystem::path& source = {});
    void setEngine(const EngineState& engine);
    // Why no run can be started at the moment besides what the panel knows itself; empty if it can.
    void setRunBlocked(const QString& reason);
    // Changes of the draft from outside: things that were dropped on the window.
    void setModel(const QString& reference);
    void setPictureSource(const QString& path);
    [[nodiscard]] bool canRun() const;

public Q_SLOTS:
    void run();

Q_SIGNALS:
    void presetEdited();
    void presetChosen(const QString& path);
    void openPresetRequested();
    void runRequested(const qs::core::Plan& plan);
    // The plan, or the reason why there is none, has changed.
    void planChanged();

private:
    // What the box offers; a preset may have more.
    static constexpr int kUsualRounds = 100;

    void build();
    [[nodiscard]] QWidget* buildChooser();
    [[nodiscard]] QWidget* buildEditors();
    void connectEditors();
    void showPreset();
    void edit(const std::string& axis, const QStringList& values);
    void edited();
    void replan();
    void receive(const Planner::Answer& answer);
    void updateRunButton();
    [[nodiscard]] QString whyNotRun() const;

    std::filesystem::path m_resourceFolder;
    core::Preset m_preset;
    std::optional<core::Plan> m_plan;
    QString m_planProblem;
    EngineState m_engine;
    QString m_blocked;
    Planner m_planner;
    QTimer m_replanTimer;

    QComboBox* m_chooser = nullptr;
    QLabel* m_description = nullptr;
    ModelEdit* m_model = nullptr;
    DeviceChooser* m_device = nullptr;
    ChoiceList* m_precision = nullptr;
    ChoiceList* m_compile = nullptr;
    RangeEdit* m_batch = nullptr;
    RangeEdit* m_imageSize = nullptr;
    PictureEdit* m_pictures = nullptr;
    QSpinBox* m_rounds = nullptr;
    PlanFooter* m_footer = nullptr;
    QPushButton* m_run = nullptr;
};

}  // namespace qs::widgets
