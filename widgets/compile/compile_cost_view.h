#pragma once

#include "widgets/models/run_store.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSplitter;

namespace qs::widgets {

class CellRowsView;
class CompileCostModel;
class TotalTimePlot;

// What compiling costs and when it has paid: total time over passes as curves, and a row for each
// compiled cell. Shares the selection of the run.
class CompileCostView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view.
    explicit CompileCostView(RunStore& store, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildTable();
    void showContents();
    void fitColumns();
    void fillBaselines();
    void showCurves();
    void followSelection();

    RunStore& m_store;
    CompileCostModel* m_model = nullptr;
    QComboBox* m_start = nullptr;
    QComboBox* m_baselines = nullptr;
    QSplitter* m_parts = nullptr;
    TotalTimePlot* m_plot = nullptr;
    CellRowsView* m_table = nullptr;
    QLabel* m_empty = nullptr;
};

}  // namespace qs::widgets
