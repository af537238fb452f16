#pragma once

#include "widgets/compare/compared_cells.h"
#include "widgets/compare/image_sheet_model.h"
#include "widgets/models/run_store.h"

#include <QDialog>

class QLabel;
class QListView;
class QTabBar;

namespace qs::widgets {

// One image as every cell made it, or the images of the selected cell with the worst first. A click
// selects what is clicked in every view.
class ImageSheet final : public QDialog
{
    Q_OBJECT

public:
    enum class Kind { Cells, WorstImages };
    static constexpr int kMostWorst = 24;

    // Both must outlive the sheet.
    ImageSheet(RunStore& store, const ComparedCells& cells, QWidget* parent = nullptr);

    void showKind(Kind kind);
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] const ImageSheetModel& model() const { return m_model; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void refresh();
    void choose(int row);
    void selectCurrent();
    [[nodiscard]] std::vector<SheetEntry> allCells() const;
    [[nodiscard]] std::vector<SheetEntry> worstImages() const;

    RunStore& m_store;
    const ComparedCells& m_cells;
    ImageSheetModel m_model;
    QTabBar* m_kinds = nullptr;
    QLabel* m_title = nullptr;
    QListView* m_view = nullptr;
};

}  // namespace qs::widgets
