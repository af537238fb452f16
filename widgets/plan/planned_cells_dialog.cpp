#include "widgets/plan/planned_cells_dialog.h"

#include "widgets/layout/screen_room.h"
#include "widgets/plan/plan_text.h"
#include "widgets/plan/planned_cells_model.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

constexpr QSize kCellsDialogSize{860, 520};

QTableView* makeTable(QSortFilterProxyModel* rows, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setObjectName(QStringLiteral("plannedCells"));
    table->setAccessibleName(PlannedCellsDialog::tr("Cells of the sweep"));
    table->setModel(rows);
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    // Of the rows in view: measuring ten thousand would block the window.
    table->horizontalHeader()->setResizeContentsPrecision(0);
    table->resizeColumnsToContents();
    return table;
}

// What is known of the chosen cell.
QLabel* makeRemark(const QTableView& table, QWidget* parent)
{
    auto* remark = new QLabel(PlannedCellsDialog::tr("Choose a cell to see its details"), parent);
    remark->setObjectName(QStringLiteral("plannedCellRemark"));
    remark->setWordWrap(true);
    remark->setAlignment(Qt::AlignTop);
    remark->setMinimumHeight(2 * parent->fontMetrics().lineSpacing());  // the table must not jump
    remark->setTextFormat(Qt::PlainText);
    remark->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QObject::connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, remark,
                     [remark](const QModelIndex& row) {
                         const auto text = [&](int column) {
                             return row.siblingAtColumn(column).data().toString();
                         };
                         const QString cell = text(PlannedCellsModel::Cell);
                         const QString about = text(PlannedCellsModel::Remark);
                         remark->setText(about.isEmpty()
                                             ? cell
                                             : PlannedCellsDialog::tr("%1: %2").arg(cell, about));
                     });
    return remark;
}

}  // namespace

PlannedCellsDialog::PlannedCellsDialog(const core::Plan& plan, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("plannedCellsDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Cells of %1").arg(QString::fromStdString(plan.preset.name)));
    auto* rows = new QSortFilterProxyModel(this);
    rows->setSourceModel(new PlannedCellsModel(plan, this));
    rows->setSortRole(PlannedCellsModel::kSortRole);
    rows->setFilterKeyColumn(-1);
    rows->setFilterCaseSensitivity(Qt::CaseInsensitive);

    auto* summary = new QLabel(planSummary(plan), this);
    summary->setTextFormat(Qt::PlainText);
    summary->setWordWrap(true);
    auto* search = new QLineEdit(this);
    search->setObjectName(QStringLiteral("plannedCellsSearch"));
    search->setPlaceholderText(tr("Find cells or reasons, e.g. cannot run"));
    search->setAccessibleName(tr("Find cells or reasons"));
    search->setClearButtonEnabled(true);
    connect(search, &QLineEdit::textChanged, rows, &QSortFilterProxyModel::setFilterFixedString);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    QTableView* table = makeTable(rows, this);
    auto* remark = makeRemark(*table, this);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(summary);
    layout->addWidget(search);
    layout->addWidget(table, 1);
    layout->addWidget(remark);
    layout->addWidget(buttons);
    resizeWithinScreen(*this, kCellsDialogSize);
}

}  // namespace qs::widgets

#include "moc_planned_cells_dialog.cpp"
