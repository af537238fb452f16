#include "widgets/time/division_view.h"

#include "widgets/table/cell_rows_view.h"
#include "widgets/time/division_bar.h"
#include "widgets/time/division_legend.h"
#include "widgets/time/division_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

DivisionView::DivisionView(RunStore& store, QWidget* parent)
    : QWidget(parent), m_store(store), m_model(new DivisionModel(store, this))
{
    setObjectName(QStringLiteral("divisionView"));
    build();
    connect(m_model, &QAbstractItemModel::modelReset, this, &DivisionView::showContents);
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        m_bar->setToScale(m_scale->currentIndex() == 0);
        m_table->viewport()->update();
    });
    showContents();
}

void DivisionView::build()
{
    m_scale = new QComboBox;
    m_scale->setObjectName(QStringLiteral("divisionScale"));
    m_scale->addItem(tr("Bars: time"));
    m_scale->addItem(tr("Bars: share of the pass"));
    m_scale->setToolTip(tr("Whether the length of a bar is the time, or all have one length"));
    m_scale->setAccessibleName(tr("Length of the bars"));
    m_empty = new QLabel;
    m_empty->setObjectName(QStringLiteral("divisionEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 2);
    column->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->addWidget(m_scale, 0, Qt::AlignTop);
    top->addWidget(new DivisionLegend, 1);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    column->addWidget(m_empty, 1);
    setFocusProxy(m_table);
}

void DivisionView::buildTable()
{
    m_bar = new DivisionBar(this);
    m_table = new CellRowsView(
        m_store, *m_model, {.cellId = DivisionModel::CellIdRole, .sort = DivisionModel::SortRole});
    m_table->setObjectName(QStringLiteral("divisionTable"));
    m_table->setAccessibleName(tr("Where the time of each cell goes"));
    m_table->setItemDelegateForColumn(DivisionModel::Bar, m_bar);
    auto& header = *m_table->horizontalHeader();
    header.setStretchLastSection(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    header.setSectionResizeMode(DivisionModel::Bar, QHeaderView::Stretch);
}

void DivisionView::showContents()
{
    const bool any = m_model->rowCount() > 0;
    m_table->setVisible(any);
    m_empty->setVisible(!any);
    m_empty->setText(
        m_store.isEmpty()
            ? tr("Open a run or start one.")
            : tr("No cell of this run was profiled. Cells are profiled after their first repeat."));
    fitColumns();
    m_table->selectCurrent();
}

// The bars are what one looks at: launches give way to them and to the names, then the names, in
// their middle.
void DivisionView::fitColumns()
{
    constexpr int kLettersAtLeast = 14;  // of a name, and as wide as that a bar
    const int least = fontMetrics().averageCharWidth() * kLettersAtLeast;
    const int bar = std::max(least, width() / 3);
    for (const int column :
         {DivisionModel::Cell, DivisionModel::PerUnit, DivisionModel::Launches}) {
        m_table->setColumnHidden(column, false);
        m_table->resizeColumnToContents(column);
    }
    const int name = m_table->columnWidth(DivisionModel::Cell);
    const int launches = m_table->columnWidth(DivisionModel::Launches);
    // The table is as wide, but knows it later.
    const int room = width() - 2 * m_table->frameWidth() -
                     m_table->verticalScrollBar()->sizeHint().width() - bar -
                     m_table->columnWidth(DivisionModel::PerUnit);
    const bool all = name + launches <= room;
    m_table->setColumnHidden(DivisionModel::Launches, !all);
    m_table->setColumnWidth(DivisionModel::Cell, std::clamp(name, least, std::max(least, room)));
}

void DivisionView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

}  // namespace qs::widgets

#include "moc_division_view.cpp"
