#include "widgets/table/frozen_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace qs::widgets {

FrozenColumns::FrozenColumns(QTableView& table, std::vector<int> columns)
    : QTableView(&table), m_table(table), m_columns(std::move(columns))
{
    setObjectName(QStringLiteral("frozenColumns"));
    setAccessibleName(tr("Names of the rows"));
    setModel(table.model());
    setSelectionModel(table.selectionModel());
    setSelectionBehavior(table.selectionBehavior());
    setSelectionMode(table.selectionMode());
    setItemDelegate(table.itemDelegate());
    setStyle(table.style());
    horizontalHeader()->setStyle(table.horizontalHeader()->style());
    setFocusPolicy(Qt::NoFocus);  // the keyboard stays in the table
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(table.textElideMode());
    setAlternatingRowColors(table.alternatingRowColors());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(table.verticalScrollMode());
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(table.verticalHeader()->defaultSectionSize());
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
        const QHeaderView* header = m_table.horizontalHeader();
        const bool turn = header->sortIndicatorSection() == column &&
                          header->sortIndicatorOrder() == Qt::AscendingOrder;
        m_table.sortByColumn(column, turn ? Qt::DescendingOrder : Qt::AscendingOrder);
    });
    connect(m_table.verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(),
            &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_table.verticalScrollBar(),
            &QScrollBar::setValue);
    connect(m_table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumns::follow);
    connect(m_table.horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumns::follow);
    connect(m_table.horizontalHeader(), &QHeaderView::geometriesChanged, this,
            &FrozenColumns::follow);
    m_table.installEventFilter(this);
    hide();
}

void FrozenColumns::follow()
{
    const QHeaderView* header = m_table.horizontalHeader();
    int width = 0;
    int end = 0;  // of the last of them in the table, scrolled
    for (int column = 0; column < model()->columnCount(); ++column) {
        const bool named =
            std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end() &&
            !m_table.isColumnHidden(column);
        setColumnHidden(column, !named);
        if (!named)
            continue;
        setColumnWidth(column, m_table.columnWidth(column));
        width += m_table.columnWidth(column);
        end = std::max(end, header->sectionViewportPosition(column) + header->sectionSize(column));
    }
    const bool scrolled = end < width && m_table.horizontalScrollBar()->value() > 0;
    // In a table that is hardly wider than its names there would be nothing else to see.
    const bool room = width < m_table.viewport()->width() * 2 / 3;
    horizontalHeader()->setFixedHeight(header->height());
    setGeometry(m_table.frameWidth(), m_table.frameWidth(), width,
                header->height() + m_table.viewport()->height());
    setVisible(scrolled && room);
    if (isVisible()) {
        verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
        raise();
    }
}

void FrozenColumns::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    // Where they end, and what is scrolled begins.
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(viewport()->rect().topRight(), viewport()->rect().bottomRight());
}

bool FrozenColumns::eventFilter(QObject* /*watched*/, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        QMetaObject::invokeMethod(this, &FrozenColumns::follow, Qt::QueuedConnection);
    return false;
}

}  // namespace qs::widgets

#include "moc_frozen_columns.cpp"
