#pragma once

#include "widgets/models/run_store.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace qs::widgets {

class CellRowsView;
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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildTable();
    void showContents();
    void fitColumns();

    RunStore& m_store;
    DivisionModel* m_model = nullptr;
    DivisionBar* m_bar = nullptr;
    QComboBox* m_scale = nullptr;
    CellRowsView* m_table = nullptr;
    QLabel* m_empty = nullptr;
};

}  // namespace qs::widgets
