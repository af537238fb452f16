#include "widgets/compile/compile_cost_view.h"

#include "core/analysis/cell_label.h"
#include "widgets/compile/compile_cost_model.h"
#include "widgets/compile/total_time_plot.h"
#include "widgets/models/plain_tip.h"
#include "widgets/models/short_names.h"
#include "widgets/table/cell_rows_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

CompileCostView::CompileCostView(RunStore& store, QWidget* parent)
    : QWidget(parent), m_store(store), m_model(new CompileCostModel(store, this))
{
    setObjectName(QStringLiteral("compileCostView"));
    build();
    connect(m_model, &QAbstractItemModel::modelReset, this, &CompileCostView::showContents);
    connect(&store, &RunStore::selectionChanged, this, &CompileCostView::followSelection);
    connect(m_plot, &TotalTimePlot::cellClicked, &store, &RunStore::selectCell);
    connect(m_baselines, &QComboBox::currentIndexChanged, this, &CompileCostView::showCurves);
    connect(m_start, &QComboBox::currentIndexChanged, this, [this] {
        m_model->setStart(static_cast<core::CompileStart>(m_start->currentData().toInt()));
    });
    showContents();
}

void CompileCostView::build()
{
    m_start = new QComboBox;
    m_start->setObjectName(QStringLiteral("compileStart"));
    m_start->addItem(tr("Cold compile"), static_cast<int>(core::CompileStart::Cold));
    m_start->addItem(tr("Warm compile"), static_cast<int>(core::CompileStart::Warm));
    m_start->setToolTip(plainTip(tr("Whether nothing of earlier compiles is there, or the kernels "
                                    "of an earlier compile are")));
    m_start->setAccessibleName(tr("Start of compiled cells"));
    m_baselines = new QComboBox;
    m_baselines->setObjectName(QStringLiteral("compileBaseline"));
    m_baselines->setToolTip(plainTip(tr("The speed baseline whose cells the curves show")));
    m_baselines->setAccessibleName(tr("Baseline of the curves"));
    m_baselines->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_baselines->setMinimumContentsLength(18);
    m_plot = new TotalTimePlot;
    m_empty = new QLabel;
    m_empty->setObjectName(QStringLiteral("compileEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    buildTable();
    m_parts = new QSplitter(Qt::Vertical);
    m_parts->addWidget(m_plot);
    m_parts->addWidget(m_table);
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 2);
    m_parts->setChildrenCollapsible(false);
    auto* top = new QHBoxLayout;
    top->addWidget(m_start);
    auto* against = new QLabel(tr("against", "compiled cells against a baseline"));
    against->setBuddy(m_baselines);
    top->addWidget(against);
    top->addWidget(m_baselines, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 2);
    column->setSpacing(4);
    column->addLayout(top);
    column->addWidget(m_parts, 1);
    column->addWidget(m_empty, 1);
    setFocusProxy(m_table);
}

void CompileCostView::buildTable()
{
    m_table = new CellRowsView(
        m_store, *m_model,
        {.cellId = CompileCostModel::CellIdRole, .sort = CompileCostModel::SortRole});
    m_table->setObjectName(QStringLiteral("compileTable"));
    m_table->setAccessibleName(tr("What compiling costs each cell"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setTextElideMode(Qt::ElideMiddle);
}

// The numbers are what one looks at: a long name is cut in its middle, its tooltip has all of it.
void CompileCostView::fitColumns()
{
    m_table->resizeColumnsToContents();
    const int most = std::max(fontMetrics().averageCharWidth() * 14, width() * 2 / 5);
    m_table->setColumnWidth(CompileCostModel::Cell,
                            std::min(m_table->columnWidth(CompileCostModel::Cell), most));
}

void CompileCostView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void CompileCostView::showContents()
{
    const bool any = m_model->rowCount() > 0;
    m_parts->setVisible(any);
    m_empty->setVisible(!any);
    m_start->setEnabled(any);
    m_empty->setText(
        m_store.isEmpty()
            ? tr("Open a run or start one.")
            : tr("No cell of this run is compiled. Choose an inductor mode under Compile in "
                 "the plan (Ctrl+B) and run it; finished cells appear here."));
    fitColumns();
    fillBaselines();
    showCurves();
    followSelection();
    m_table->selectCurrent();
}

void CompileCostView::fillBaselines()
{
    const core::Analysis& analysis = m_store.analysis();
    const QStringList ids = compiledBaselines(analysis);
    const QVariant before = m_baselines->currentData();
    const QSignalBlocker quiet(m_baselines);
    m_baselines->clear();
    const core::CellLabels& labels = analysis.labels;
    QStringList found;
    QStringList names;
    for (const QString& id : ids) {
        if (const core::CellSummary* summary = analysis.find(id.toStdString())) {
            found << id;
            names << QString::fromStdString(labels.withBatch(*summary->cell));
        }
    }
    names = shortNames(names);
    for (qsizetype i = 0; i < found.size(); ++i)
        m_baselines->addItem(names[i], found[i]);
    if (m_baselines->count() > 0)
        m_baselines->setCurrentIndex(std::max(0, m_baselines->findData(before)));
    m_baselines->setEnabled(m_baselines->count() > 1);
}

void CompileCostView::showCurves()
{
    m_plot->setTimes(
        totalTimesOf(m_store.analysis(), m_baselines->currentData().toString(), m_model->start()));
    m_plot->setSelectedCell(m_store.selectedCell());
}

void CompileCostView::followSelection()
{
    const QString cell = m_store.selectedCell();
    const core::CellSummary* summary = m_store.analysis().find(cell.toStdString());
    // The curves that it is among.
    if (const int with = summary == nullptr ? -1 : m_baselines->findData(plottedWith(*summary));
        with >= 0)
        m_baselines->setCurrentIndex(with);
    m_plot->setSelectedCell(cell);
}

}  // namespace qs::widgets

#include "moc_compile_cost_view.cpp"
