#include "widgets/plan/precision_matrix.h"

#include "widgets/plan/precision_header.h"
#include "widgets/plan/precision_pairs.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace qs::widgets {

namespace {

// A box: filled if the pair is in the sweep, crossed out if it cannot run, framed on the diagonal.
class PairDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const bool chosen = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        const bool impossible = !index.data(PrecisionPairs::kReasonRole).toString().isEmpty();
        const QPalette& palette = option.palette;
        const QColor faint = palette.color(QPalette::PlaceholderText);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        if (index.row() == index.column())
            painter->fillRect(option.rect, palette.color(QPalette::AlternateBase));
        const QRect box = option.rect.adjusted(3, 3, -4, -4);
        painter->setPen(impossible ? faint : palette.color(QPalette::Text));
        if (chosen)
            painter->setBrush(impossible ? faint : palette.color(QPalette::Highlight));
        painter->drawRect(box);
        if (impossible) {
            painter->setPen(chosen ? palette.color(QPalette::Base) : faint);
            painter->drawLine(box.topLeft(), box.bottomRight());
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(palette.color(QPalette::Highlight), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }
};

constexpr int kSmallestBox = 16;  // pixels of one pair
constexpr int kCornerMargin = 3;

}  // namespace

PrecisionMatrix::PrecisionMatrix(PrecisionPairs& pairs, QWidget* parent)
    : QTableView(parent),
      m_pairs(pairs),
      m_columns(new PrecisionHeader(Qt::Horizontal, this)),
      m_rows(new PrecisionHeader(Qt::Vertical, this)),
      m_corner(new QLabel(this))
{
    setObjectName(QStringLiteral("precisionMatrix"));
    setAccessibleName(tr("Pairs of precisions"));
    setAccessibleDescription(tr("Arrow keys walk, Space ticks, Return opens the options of a row"));
    setModel(&pairs);
    setItemDelegate(new PairDelegate(this));
    setHorizontalHeader(m_columns);
    setVerticalHeader(m_rows);
    setShowGrid(false);
    setCornerButtonEnabled(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    setMouseTracking(true);
    m_corner->setObjectName(QStringLiteral("precisionLegend"));
    m_corner->setTextFormat(Qt::PlainText);
    m_corner->setForegroundRole(QPalette::PlaceholderText);
    m_corner->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_corner->setMargin(kCornerMargin);
    // Over the button that lies there, which has nothing to do.
    m_corner->setAutoFillBackground(true);
    fit();
    connect(this, &QTableView::clicked, &pairs, &PrecisionPairs::toggle);
    connect(this, &QTableView::entered, this, &PrecisionMatrix::pointAt);
    connect(&pairs, &QAbstractItemModel::modelReset, this, &PrecisionMatrix::fit);
    connect(&pairs, &QAbstractItemModel::headerDataChanged, this, &PrecisionMatrix::fit);
    for (PrecisionHeader* header : {m_columns, m_rows})
        connect(header, &QHeaderView::sectionClicked, this,
                [this, header](int section) { askForOptions(*header, section); });
}

int PrecisionMatrix::boxSize() const
{
    return std::max(kSmallestBox, fontMetrics().height());
}

void PrecisionMatrix::fit()
{
    for (PrecisionHeader* header : {m_columns, m_rows}) {
        // The style's least size is wider than a box.
        header->setMinimumSectionSize(boxSize());
        header->setDefaultSectionSize(boxSize());
    }
    updateGeometries();
    updateGeometry();
}

int PrecisionMatrix::wholeWidth() const
{
    return m_rows->sizeHint().width() + boxSize() * m_pairs.columnCount() + 2;
}

QSize PrecisionMatrix::sizeHint() const
{
    const int bar = width() < wholeWidth() ? horizontalScrollBar()->sizeHint().height() : 0;
    return {wholeWidth(),
            m_columns->sizeHint().height() + boxSize() * m_pairs.rowCount() + 2 + bar};
}

QSize PrecisionMatrix::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void PrecisionMatrix::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    // A narrow panel needs room for the scroll bar.
    if ((event->oldSize().width() < wholeWidth()) != (width() < wholeWidth()))
        updateGeometry();
}

void PrecisionMatrix::keyPressEvent(QKeyEvent* event)
{
    const QModelIndex index = currentIndex();
    const auto hasOptions = [&](int section) {
        return m_pairs.headerData(section, Qt::Vertical, PrecisionPairs::kHasOptionsRole).toBool();
    };
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Select)
        m_pairs.toggle(index);
    else if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        QTableView::keyPressEvent(event);
    else if (index.isValid() && (hasOptions(index.row()) || !hasOptions(index.column())))
        askForOptions(*m_rows, index.row());
    else if (index.isValid())
        askForOptions(*m_columns, index.column());
}

void PrecisionMatrix::askForOptions(PrecisionHeader& header, int section)
{
    if (!m_pairs.headerData(section, header.orientation(), PrecisionPairs::kHasOptionsRole)
             .toBool())
        return;
    const int at = header.sectionViewportPosition(section);
    const QRect place = header.orientation() == Qt::Vertical
                            ? QRect(0, at, header.width(), boxSize())
                            : QRect(at, 0, boxSize(), header.height());
    Q_EMIT optionsRequested(std::size_t(section),
                            {header.viewport()->mapToGlobal(place.topLeft()), place.size()});
}

void PrecisionMatrix::pointAt(const QModelIndex& index)
{
    m_rows->setPointed(index.isValid() ? index.row() : -1);
    m_columns->setPointed(index.isValid() ? index.column() : -1);
    m_corner->setText(index.isValid() ? m_pairs.title(index) : m_legend);
}

void PrecisionMatrix::setLegend(const QString& legend)
{
    m_legend = legend;
    pointAtCurrent();
}

void PrecisionMatrix::updateGeometries()
{
    QTableView::updateGeometries();
    m_corner->setGeometry(0, 0, m_rows->width(), m_columns->height());
    m_corner->raise();
}

void PrecisionMatrix::pointAtCurrent()
{
    pointAt(hasFocus() ? currentIndex() : QModelIndex());
}

void PrecisionMatrix::focusInEvent(QFocusEvent* event)
{
    QTableView::focusInEvent(event);
    if (!currentIndex().isValid())
        setCurrentIndex(m_pairs.index(0, 0));
    pointAtCurrent();
}

void PrecisionMatrix::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    pointAtCurrent();
}

bool PrecisionMatrix::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        pointAtCurrent();
    return QTableView::viewportEvent(event);
}

void PrecisionMatrix::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    pointAtCurrent();
}

}  // namespace qs::widgets

#include "moc_precision_matrix.cpp"
