#pragma once

#include "core/sweep/preset.h"
#include "widgets/model/layer_tree_model.h"
#include "widgets/model/model_inspector.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace qs::widgets {

// The layers of the model of the draft: parameters, work, bytes, and which of them a precision and
// a layer filter of the sweep would quantize, with the reason where they would not. Follows the
// editor; trees are made on the pool.
class LayersView final : public QWidget
{
    Q_OBJECT

public:
    explicit LayersView(QWidget* parent = nullptr);

    // The model of the draft; null while it is being read.
    void setModel(const Inspection& inspection);
    void setPreset(const core::Preset& preset);
    [[nodiscard]] bool isLoading() const { return m_loading; }
    [[nodiscard]] const LayerTreeModel& layers() const { return *m_model; }

private:
    void build();
    [[nodiscard]] QWidget* buildBar();
    void buildFilter(QWidget* bar);
    void refresh();
    void receive(LayerTree tree);
    void showProblem(const QString& problem);
    [[nodiscard]] QString summary() const;

    Inspection m_inspection;
    core::Preset m_preset;
    QString m_asked;  // what the newest tree is of; edits of other things make none
    quint64 m_job = 0;
    bool m_loading = false;
    bool m_shown = false;  // a tree of this model is on the screen; its expansion is kept

    LayerTreeModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QComboBox* m_precision = nullptr;
    QComboBox* m_layers = nullptr;
    QLineEdit* m_filter = nullptr;
    QTreeView* m_view = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_empty = nullptr;
};

}  // namespace qs::widgets
