#pragma once

#include "widgets/model/model_inspector.h"
#include "widgets/plan/draft_plan.h"
#include "widgets/plan/preset_list.h"
#include "widgets/plan/program_fit.h"
#include "widgets/plan/sweep_draft.h"

#include <QWidget>

class QFormLayout;

namespace qs::widgets {

class CalibrationEdit;
class DeviceChooser;
class ModelPart;
class PictureEdit;
class PlanFooter;
class PresetBar;
class RunButtons;
class SweepEditor;

// The editors of a draft, and what it amounts to. Edits change one core::Preset value; whatever the
// panel has no editor for stays as it is.
class PlanPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPanel(const std::filesystem::path& resourceFolder,
                       Planner::Maker maker = core::makePlan, QWidget* parent = nullptr);
    ~PlanPanel() override;

    [[nodiscard]] SweepDraft& draft() { return m_draft; }
    [[nodiscard]] const core::Preset& preset() const { return m_draft.preset(); }
    [[nodiscard]] DraftPlan& planned() { return m_planned; }

    void setPresets(const std::vector<PresetEntry>& entries);
    void setRecentModels(const QStringList& paths);
    void setEngine(const EngineState& engine);
    // A run goes on: this sweep would wait for its end.
    void setQueueing(bool queueing);
    // There is a run that this sweep can be appended to.
    void setAppendable(bool appendable);
    // Changes of the draft from outside: things that were dropped on the window.
    void setModel(const QString& reference) { setModels({reference}); }
    void setPictureSource(const QString& path);
    // The draft with other axes; `what` completes "Undo …".
    void adopt(const core::Preset& preset, const QString& what);
    [[nodiscard]] bool canRun() const { return whyNotRun().isEmpty(); }
    // Nothing is being read or counted.
    [[nodiscard]] bool isSettled() const;
    // Images go into the model of the draft, as far as it is known.
    [[nodiscard]] bool takesImages() const { return m_takesImages; }

public Q_SLOTS:
    void run();
    void append();

Q_SIGNALS:
    void presetChosen(const QString& path);
    void openPresetRequested();
    void browseRequested();
    void runRequested(const qs::core::Plan& plan);
    void appendRequested(const qs::core::Plan& plan);
    // As of ModelPart.
    void modelInspected(const qs::widgets::Inspection& inspection);
    void modelOpened(const QString& path);

private:
    void build();
    [[nodiscard]] QWidget* buildEditors();
    void connectParts();
    void connectEditors();
    void showDraft();
    void showPlan();
    void updateButtons();
    void editAxis(const std::string& axis, const QStringList& values, const QString& what);
    void setModels(const QStringList& references);
    [[nodiscard]] QString whyNotRun() const;

    SweepDraft m_draft;
    DraftPlan m_planned;
    ProgramFit m_fit;
    bool m_queueing = false;
    bool m_appendable = false;
    bool m_takesImages = true;
    QFormLayout* m_editors = nullptr;
    PresetBar* m_presets;
    ModelPart* m_model;
    PictureEdit* m_pictures;
    CalibrationEdit* m_calibration;
    DeviceChooser* m_device;
    SweepEditor* m_sweep;
    PlanFooter* m_footer;
    RunButtons* m_buttons;
};

}  // namespace qs::widgets
