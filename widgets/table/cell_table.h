#pragma once

#include "widgets/models/cell_table_model.h"
#include "widgets/models/run_store.h"
#include "widgets/table/table_text.h"

#include <QByteArray>
#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QTableView;

namespace qs::widgets {

class CellFilterProxy;
class ColumnChooser;
class FrozenColumns;
class TableStyle;

// All cells of the run as a table with a filter. The current row is the selected cell of the store.
// A button or a right click on the headings chooses columns; Ctrl+C copies the selection for a
// spreadsheet, the menu as CSV, Markdown or LaTeX too. Ctrl+F goes to the filter. Where it is
// narrow it shows what is essential, in short words.
class CellTable final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the table.
    explicit CellTable(RunStore& store, QWidget* parent = nullptr);

    void setFilter(const QString& text);
    // Shown in the menu of the rows; works on the selected cell of the store.
    void addCellAction(QAction* action);
    // Width, order and choice of columns, for the settings of the window.
    [[nodiscard]] QByteArray columnState() const;
    // False for a state that is not one; the columns stay as they are then.
    bool restoreColumnState(const QByteArray& state);
    // All the room of the window; the window does what roomWanted() asks for.
    void setWantsRoom(bool wanted);
    [[nodiscard]] bool wantsRoom() const { return m_wantsRoom; }
    [[nodiscard]] bool isShort() const { return m_short; }
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void roomWanted(bool wanted);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildView();
    void buildHeader();
    void buildButtons();
    void buildFilter();
    void buildCopyActions();
    void connectModels();
    void showColumnChooser(const QPoint& position);  // of the screen
    void setColumnShown(int column, bool shown);
    // By the width that there is.
    void updateShort();
    [[nodiscard]] TableExcerpt excerpt(bool all) const;
    void applyFilter();
    // Hides what says nothing in this run, unless the user has chosen columns. Those of other runs
    // come and go with them.
    void showUsefulColumns();
    void showOtherRuns();
    void fitColumns();
    void fitColumn(int column);
    void growColumns();
    // Leaves out what is needed least until the others fit beside each other.
    void dropColumns();
    [[nodiscard]] int shortWidth(int column) const;
    void selectFromStore();
    void selectInStore(const QModelIndex& current);
    void updateCount();
    void showCommon();

    RunStore& m_store;
    CellTableModel* m_model = nullptr;   // child
    CellFilterProxy* m_proxy = nullptr;  // child
    QLineEdit* m_filter = nullptr;
    QTimer m_filterLater;
    QLabel* m_count = nullptr;
    QLabel* m_common = nullptr;  // what all cells have in common
    QToolButton* m_large = nullptr;
    TableStyle* m_style = nullptr;
    QPushButton* m_columns = nullptr;
    QPushButton* m_copy = nullptr;
    QTableView* m_view = nullptr;
    FrozenColumns* m_frozen = nullptr;  // over m_view
    bool m_short = false;
    bool m_wantsRoom = false;
    bool m_columnsChosen = false;
    QTimer m_newValues;         // since a column may have got its first value
    bool m_fitting = false;     // widths are being fitted, not dragged
    bool m_widthsKept = false;  // by the user or from settings: never fitted again
    bool m_fitted = false;      // widths were fitted to measured numbers
    bool m_following = false;   // a selection comes from the store and need not go back there
};

}  // namespace qs::widgets
