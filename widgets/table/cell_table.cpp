#include "widgets/table/cell_table.h"

#include "widgets/layout/toggle_button.h"
#include "widgets/models/other_runs.h"
#include "widgets/models/plain_tip.h"
#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/frozen_columns.h"
#include "widgets/table/table_style.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <utility>

namespace qs::widgets {

CellTable::CellTable(RunStore& store, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_model(new CellTableModel(store, this)),
      m_proxy(new CellFilterProxy(this)),
      m_filter(new QLineEdit),
      m_count(new QLabel),
      m_common(new QLabel),
      m_large(new LargeButton),
      m_columns(new QPushButton),
      m_copy(new QPushButton),
      m_view(new QTableView)
{
    setObjectName(QStringLiteral("cellTable"));
    m_proxy->setSourceModel(m_model);
    // When the filter takes the current row away, Qt moves on to a neighbour. That is not the
    // user's choice and must not reach the other views. Connected before the view gets the model,
    // so that it comes first.
    connect(m_proxy, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this] { m_following = true; });
    buildView();
    buildHeader();
    m_frozen = new FrozenColumns(*m_view, columnsOf(ColumnGroup::Configuration));
    buildButtons();
    buildCopyActions();
    buildFilter();
    m_count->setObjectName(QStringLiteral("cellCount"));
    m_common->setObjectName(QStringLiteral("cellCommon"));
    m_common->setTextFormat(Qt::PlainText);
    m_common->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    bar->addWidget(m_columns);
    bar->addWidget(m_copy);
    bar->addWidget(m_large);
    bar->setSpacing(4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(bar);
    column->addWidget(m_common);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connectModels();
    showUsefulColumns();
    fitColumns();
    updateCount();
    selectFromStore();
}

void CellTable::connectModels()
{
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CellTable::selectInStore);
    connect(&m_store, &RunStore::selectionChanged, this, &CellTable::selectFromStore);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_fitted = false;
        showUsefulColumns();
        fitColumns();
        updateCount();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this] {
        fitColumns();
        if (!m_newValues.isActive())
            m_newValues.start();
    });
    // Of a run that goes on the first value of a column may come late, and brings the column; many
    // rows at once make one look at all cells.
    constexpr int kAtMostEveryMs = 300;
    m_newValues.setSingleShot(true);
    m_newValues.setInterval(kAtMostEveryMs);
    connect(&m_newValues, &QTimer::timeout, this, [this] {
        showUsefulColumns();
        growColumns();
    });
    connect(m_model, &QAbstractItemModel::headerDataChanged, this, &CellTable::updateCount);
    connect(&m_store.others(), &OtherRuns::changed, this, &CellTable::showOtherRuns);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &CellTable::updateCount);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_following = false;
        selectFromStore();
        updateCount();
    });
}

// What the user sees of the selected rows, or of all, as where none is selected: hidden columns are
// left out, moved ones are where they were moved to.
TableExcerpt CellTable::excerpt(bool all) const
{
    TableExcerpt excerpt{.model = m_proxy, .rows = {}, .columns = {}};
    const QHeaderView* header = m_view->horizontalHeader();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (!header->isSectionHidden(column))
            excerpt.columns.push_back(column);
    }
    if (all || !m_view->selectionModel()->hasSelection()) {
        excerpt.rows.resize(static_cast<std::size_t>(m_proxy->rowCount()));
        std::iota(excerpt.rows.begin(), excerpt.rows.end(), 0);
        return excerpt;
    }
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            excerpt.rows.push_back(row);
    }
    std::sort(excerpt.rows.begin(), excerpt.rows.end());
    excerpt.rows.erase(std::unique(excerpt.rows.begin(), excerpt.rows.end()), excerpt.rows.end());
    return excerpt;
}

void CellTable::applyFilter()
{
    m_proxy->setFilterText(m_filter->text());
    selectFromStore();
    updateCount();
}

bool CellTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down) {
        m_view->setFocus(Qt::OtherFocusReason);
        if (!m_view->currentIndex().isValid() && m_proxy->rowCount() > 0)
            m_view->selectRow(0);
        return true;
    }
    if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void CellTable::addCellAction(QAction* action)
{
    m_view->addAction(action);
}

void CellTable::updateShort()
{
    // Letters of the font that everything in full words needs.
    constexpr int kLettersInFull = 92;
    const bool narrow = width() < fontMetrics().averageCharWidth() * kLettersInFull;
    if (std::exchange(m_short, narrow) == narrow)
        return;
    m_proxy->setShort(narrow);
    m_style->setTight(narrow);
    constexpr double kSmaller = 0.87;
    QFont smaller = font();
    if (narrow && smaller.pointSizeF() > 0.0)
        smaller.setPointSizeF(smaller.pointSizeF() * kSmaller);
    m_view->setFont(smaller);
    m_fitted = false;
    showUsefulColumns();
    fitColumns();
    m_frozen->follow();
    m_view->viewport()->update();
    m_view->horizontalHeader()->viewport()->update();
}

void CellTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showCommon();
    updateShort();
    if (m_short && event->size().width() != event->oldSize().width()) {
        showUsefulColumns();
        dropColumns();
    }
}

QSize CellTable::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 7};
}

void CellTable::setWantsRoom(bool wanted)
{
    m_large->setChecked(wanted);
    if (std::exchange(m_wantsRoom, wanted) != wanted)
        Q_EMIT roomWanted(wanted);
}

void CellTable::setFilter(const QString& text)
{
    m_filter->setText(text);
    if (m_filterLater.isActive()) {
        m_filterLater.stop();
        applyFilter();
    }
}

void CellTable::selectFromStore()
{
    const QScopedValueRollback<bool> guard(m_following, true);
    const int row = m_model->rowOf(m_store.selectedCell());
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_proxy->mapFromSource(m_model->index(row, columnOf("status")));
    if (!index.isValid()) {
        m_view->clearSelection();
        m_view->setCurrentIndex({});
        return;
    }
    // The column stays where the user is; only the row follows.
    const QModelIndex current = m_view->currentIndex();
    if (current.isValid() && current.row() == index.row())
        return;
    m_view->selectionModel()->setCurrentIndex(
        index.siblingAtColumn(current.isValid() ? current.column() : 0),
        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    // To the row; the columns stay where the user is.
    const int across = m_view->horizontalScrollBar()->value();
    m_view->scrollTo(index);
    m_view->horizontalScrollBar()->setValue(across);
}

void CellTable::selectInStore(const QModelIndex& current)
{
    if (!m_following && current.isValid())
        m_store.selectCell(current.data(CellTableModel::CellIdRole).toString());
}

void CellTable::updateCount()
{
    const int shown = m_proxy->rowCount();
    const int all = m_model->rowCount();
    m_count->setText(shown == all ? tr("Cells: %1").arg(all)
                                  : tr("Cells: %1 of %2").arg(shown).arg(all));
    const QString common = m_model->commonText();
    m_common->setText(common.isEmpty() ? QString() : tr("All: %1").arg(common));
    m_common->setToolTip(plainTip(common));
    m_count->setToolTip(plainTip(m_common->text()));
    showCommon();
}

// Where few rows have room, one more of them says more; the tooltip of the count has it.
void CellTable::showCommon()
{
    constexpr int kLinesWithRoom = 12;
    m_common->setVisible(!m_common->text().isEmpty() &&
                         height() >= fontMetrics().lineSpacing() * kLinesWithRoom);
}

}  // namespace qs::widgets

#include "moc_cell_table.cpp"
