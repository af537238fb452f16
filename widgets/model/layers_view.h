#pragma once

#include "core/sweep/preset.h"
#include "core/sweep/sensitivity_preset.h"
#include "widgets/model/layer_source.h"
#include "widgets/model/layer_tree_model.h"
#include "widgets/model/measured_layers.h"
#include "widgets/model/model_inspector.h"
#include "widgets/models/run_store.h"

#include <QWidget>

#include <filesystem>
#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace qs::widgets {

class RunLayers;
class SensitivityView;

// Whose layers are shown.
enum class LayersOf { Run, Draft };

// The layers of the model of the run in view or, if a person asks for it or there is no run, of the
// draft: parameters, work, bytes, and which of them a precision and a layer filter of that sweep
// quantizes, with the reason where it does not; what quantizing them did in the run in view, and
// how much each loses alone. Ticked layers become a layer filter of the draft, if it has that
// model. Follows editor and run; models, trees and reports are read on the pool.
class LayersView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view. `resources`: where models of runs are found by name.
    explicit LayersView(RunStore& store, std::filesystem::path resources = {},
                        QWidget* parent = nullptr);

    // The model of the draft; null while it is being read.
    void setModel(const Inspection& inspection);
    void setPreset(const core::Preset& preset);
    [[nodiscard]] bool isLoading() const { return m_loading; }
    [[nodiscard]] SensitivityView& sensitivity() { return *m_sensitivity; }
    [[nodiscard]] const LayerTreeModel& layers() const { return *m_model; }

Q_SIGNALS:
    // By a person: another layer filter for the draft, another draft.
    void filterWanted(const QString& filter);
    void compileWanted(const QString& mode);
    void sweepWanted(const qs::core::Preset& preset);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildBar();
    [[nodiscard]] QWidget* buildTree(QWidget* parent);
    void buildFilter(QWidget* bar);
    QAction* buildTickAction(QWidget* bar, const QString& name, const QString& text,
                             const QString& toolTip);
    [[nodiscard]] bool isOfRun() const;
    [[nodiscard]] const LayerSource& shown() const;
    [[nodiscard]] bool isOfDraft() const;
    void showOf(LayersOf of);
    void offerChoices();
    void refresh();
    void receive(LayerTree tree);
    void showProblem(const QString& problem);
    [[nodiscard]] QString whyNoLayers() const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] WantedLayers wantedLayers() const;
    void findReport();
    void showReportColumns();
    void followSelection();
    void showTicks();
    void forbidTicks();
    void useTicked();
    void compileTicked();
    void want(const QString& filter);
    void wantSweep(core::SensitivityUnit unit);

    RunStore& m_store;
    RunLayers* m_run;
    LayerSource m_draft;
    core::Preset m_preset;  // the draft
    QString m_asked;        // what the newest tree is of; edits of other things make none
    quint64 m_job = 0;
    bool m_loading = false;
    bool m_shown = false;  // a tree of this model is on the screen; its expansion is kept

    WantedLayers m_recipe;                   // of the tree on the screen
    QString m_wanted;                        // a filter that was asked for: shown when it is there
    std::optional<WantedLayers> m_reported;  // whose report is shown
    bool m_searched = false;                 // for the report of what is shown
    quint64 m_reportJob = 0;

    LayerTreeModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QComboBox* m_of = nullptr;
    QComboBox* m_precision = nullptr;
    QComboBox* m_layers = nullptr;
    QLineEdit* m_filter = nullptr;
    QTreeView* m_view = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_empty = nullptr;
    QAction* m_useTicked = nullptr;
    QAction* m_compileTicked = nullptr;
    SensitivityView* m_sensitivity = nullptr;
};

}  // namespace qs::widgets
