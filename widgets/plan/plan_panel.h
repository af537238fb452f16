#pragma once

#include "core/sweep/plan.h"
#include "widgets/model/model_inspector.h"
#include "widgets/plan/draft_file.h"
#include "widgets/plan/draft_history.h"
#include "widgets/plan/engine_state.h"
#include "widgets/plan/planner.h"
#include "widgets/plan/preset_list.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace qs::widgets {

class DeviceChooser;
class ModelEdit;
class ModelStatus;
class PictureEdit;
class PlanFooter;
class SweepEditor;

// The draft: a preset that is being edited, and what it amounts to. Edits change one core::Preset
// value, and can be undone; whatever the panel has no editor for stays as it is.
class PlanPanel final : public QWidget
{
    Q_OBJECT

public:
    PlanPanel(std::filesystem::path resourceFolder, Planner::Maker maker = core::makePlan,
              QWidget* parent = nullptr);
    ~PlanPanel() override;

    [[nodiscard]] const core::Preset& preset() const { return m_history.draft().preset; }
    // Of the draft; empty if it came from no file.
    [[nodiscard]] const std::filesystem::path& source() const { return m_history.draft().source; }
    // The plan of the draft as it is now; none while it is being made or when it cannot be.
    [[nodiscard]] const std::optional<core::Plan>& plan() const { return m_plan; }

    // Why there is no plan of the draft; empty if there is one, or one is being made.
    [[nodiscard]] const QString& planProblem() const { return m_planProblem; }

    void setPresets(std::vector<PresetEntry> entries);
    // Replaces the draft; one that was edited comes back with undo. `source` is selected in the
    // chooser if it is there.
    void setPreset(const core::Preset& preset, const std::filesystem::path& source = {});
    // Keeps the edited draft in this file from now on.
    void setDraftFile(const std::filesystem::path& path);
    // The draft of the last time: edited, and not yet saved as a preset.
    void restoreDraft(const core::Preset& preset);
    void setRecentModels(const QStringList& paths);
    // Where runs will be: what they take is compared with the space there, and with the memory.
    void setRunsFolder(const std::filesystem::path& folder);
    void setEngine(const EngineState& engine);
    // A run goes on: this sweep would wait for its end.
    void setQueueing(bool queueing);
    // There is a run that this sweep can be appended to.
    void setAppendable(bool appendable);
    [[nodiscard]] bool isAppendable() const { return m_appendable; }
    // Changes of the draft from outside: things that were dropped on the window.
    void setModel(const QString& reference);
    void setPictureSource(const QString& path);
    [[nodiscard]] bool canRun() const;
    // Nothing is being read or counted.
    [[nodiscard]] bool isSettled() const;

public Q_SLOTS:
    void run();
    void append();

Q_SIGNALS:
    // The draft cannot be written: it will not be there at the next start.
    void draftNotKept(const QString& problem);
    void presetEdited();
    // Another draft is in the editors.
    void presetShown();
    void presetChosen(const QString& path);
    void openPresetRequested();
    void browseRequested();
    void runRequested(const qs::core::Plan& plan);
    void appendRequested(const qs::core::Plan& plan);
    // The plan, or the reason why there is none, has changed.
    void planChanged();
    // What is known of the model of the draft; null while it is read, and of several.
    void modelInspected(const qs::widgets::Inspection& inspection);
    // Weights in a file or folder that can be used: worth remembering.
    void modelOpened(const QString& path);

protected:
    bool eventFilter(QObject* editor, QEvent* event) override;

private:
    // Why a run of it would be refused here; empty if it would not.
    [[nodiscard]] QString objectionTo(const core::Plan& plan) const;
    void build();
    [[nodiscard]] QWidget* buildChooser();
    [[nodiscard]] QWidget* buildHistoryButtons();
    [[nodiscard]] QWidget* buildEditors();
    [[nodiscard]] QWidget* buildModel();
    void leaveToTheDraft();
    void connectEditors();
    void showPreset();
    // `what` completes "Undo …".
    void change(core::Preset preset, const QString& what, bool typing = false);
    void editAxis(const std::string& axis, const QStringList& values, const QString& what);
    void refuse(const QString& problem);
    void edited();
    void replan();
    void setModels(const QStringList& references);
    void inspectModel();
    void receiveInspection(const Inspection& inspection);
    void receive(const Planner::Answer& answer);
    void planFor(const core::DeviceDescription& device);
    void planForThisComputer();
    [[nodiscard]] std::vector<core::DeviceDescription> devices() const;
    void showCells();
    void updateRunButton();
    [[nodiscard]] QString whyNotRun() const;

    std::filesystem::path m_resourceFolder;
    DraftHistory m_history;
    std::unique_ptr<DraftFile> m_draftFile;
    std::filesystem::path m_runsFolder;
    std::optional<core::Plan> m_plan;
    QString m_planProblem;
    EngineState m_engine;
    std::optional<core::DeviceDescription> m_plannedFor;  // a GPU that is not in this computer
    bool m_queueing = false;
    bool m_appendable = false;
    Planner m_planner;
    ModelInspector m_inspector;
    QString m_inspected;            // the reference that was asked about last
    bool m_inspectedUsable = true;  // a file that was broken is read again, it may be whole now
    QTimer m_replanTimer;

    QComboBox* m_chooser = nullptr;
    QLabel* m_description = nullptr;
    ModelEdit* m_model = nullptr;
    ModelStatus* m_modelStatus = nullptr;
    DeviceChooser* m_device = nullptr;
    SweepEditor* m_sweep = nullptr;
    PictureEdit* m_pictures = nullptr;
    PlanFooter* m_footer = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_append = nullptr;
};

}  // namespace qs::widgets
