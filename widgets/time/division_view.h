#pragma once

#include "widgets/models/run_store.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace qs::widgets {

class DivisionBar;
class DivisionModel;

// Where the time of each cell goes: a row and a stacked bar for each that has a profile. Shares the
// selection of the run.
class DivisionView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view.
    explicit DivisionView(RunStore& store, QWidget* parent = nullptr);

private:
    void build();
    void buildTable();
    void showContents();
    void selectCurrent();

    RunStore& m_store;
    DivisionModel* m_model = nullptr;
    QSortFilterProxyModel* m_sorted = nullptr;
    DivisionBar* m_bar = nullptr;
    QComboBox* m_scale = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    bool m_following = false;  // the table follows the selection of the run, not the user
};

}  // namespace qs::widgets
