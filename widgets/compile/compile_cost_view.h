#pragma once

#include "widgets/models/run_store.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QSplitter;
class QTableView;

namespace qs::widgets {

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

private:
    void build();
    void buildTable();
    void showContents();
    void fillBaselines();
    void showCurves();
    void selectCurrent();

    RunStore& m_store;
    CompileCostModel* m_model = nullptr;
    QSortFilterProxyModel* m_sorted = nullptr;
    QComboBox* m_start = nullptr;
    QComboBox* m_baselines = nullptr;
    QSplitter* m_parts = nullptr;
    TotalTimePlot* m_plot = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    bool m_following = false;  // the table follows the selection of the run, not the user
};

}  // namespace qs::widgets
