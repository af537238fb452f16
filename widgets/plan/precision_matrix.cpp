#include "widgets/plan/precision_matrix.h"

#include "core/quant/scheme.h"
#include "widgets/models/plain_tip.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace qs::widgets {

namespace {

// Names from bottom to top: the columns are as wide as a box to click.
class UprightHeader final : public QHeaderView
{
public:
    explicit UprightHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionResizeMode(QHeaderView::Fixed);
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        int longest = 0;
        for (int i = 0; i < count(); ++i)
            longest = std::max(longest, fontMetrics().horizontalAdvance(title(i)));
        return {QHeaderView::sizeHint().width(), longest + 2 * kMargin};
    }

protected:
    void paintSection(QPainter* painter, const QRect& area, int section) const override
    {
        painter->save();
        painter->setPen(palette().color(QPalette::Text));
        painter->translate(area.bottomLeft());
        painter->rotate(-90);
        painter->drawText(QRect(kMargin, 0, area.height() - kMargin, area.width()),
                          Qt::AlignLeft | Qt::AlignVCenter, title(section));
        painter->restore();
    }

private:
    static constexpr int kMargin = 3;

    [[nodiscard]] QString title(int section) const
    {
        return model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    }
};

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

constexpr int kBox = 15;  // pixels of one pair

}  // namespace

PrecisionPairs::PrecisionPairs(QObject* parent)
    : QAbstractTableModel(parent), m_first(tr("encoder")), m_second(tr("decoder"))
{
    for (const core::Scheme& scheme : core::offeredSchemes())
        m_schemes << QString::fromStdString(scheme.text());
}

void PrecisionPairs::setValues(const QStringList& values)
{
    beginResetModel();
    m_pairs.clear();
    m_others.clear();
    for (const QString& value : values) {
        const QStringList stages = value.split(QLatin1Char('/'));
        const Pair pair(int(m_schemes.indexOf(stages.front())),
                        int(m_schemes.indexOf(stages.back())));
        if (stages.size() <= 2 && pair.first >= 0 && pair.second >= 0)
            m_pairs.insert(pair);
        else
            m_others << value;
    }
    endResetModel();
}

QStringList PrecisionPairs::values() const
{
    QStringList values;
    for (const Pair& pair : m_pairs)
        values << text(pair);
    return values + m_others;
}

void PrecisionPairs::setReasons(const Reasons& reasons)
{
    m_reasons = reasons;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void PrecisionPairs::setStages(const QString& first, const QString& second)
{
    m_first = first;
    m_second = second;
}

void PrecisionPairs::toggle(const QModelIndex& index)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return;
    const Pair pair(index.row(), index.column());
    if (!m_pairs.contains(pair))
        m_pairs.insert(pair);
    else if (m_pairs.size() + std::size_t(m_others.size()) > 1)
        m_pairs.erase(pair);
    else
        return;
    Q_EMIT dataChanged(index, index);
    Q_EMIT valuesEdited(values());
}

QString PrecisionPairs::text(const Pair& pair) const
{
    return pair.first == pair.second
               ? m_schemes[pair.first]
               : m_schemes[pair.first] + QLatin1Char('/') + m_schemes[pair.second];
}

QString PrecisionPairs::reason(const QModelIndex& index) const
{
    const auto found = m_reasons.find(text({index.row(), index.column()}).toStdString());
    return found == m_reasons.end() ? QString() : QString::fromStdString(found->second);
}

int PrecisionPairs::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_schemes.size());
}

int PrecisionPairs::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_schemes.size());
}

QVariant PrecisionPairs::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::CheckStateRole:
        return m_pairs.contains({index.row(), index.column()}) ? Qt::Checked : Qt::Unchecked;
    case kReasonRole:
        return reason(index);
    case Qt::ToolTipRole:
        return plainTip(data(index, Qt::AccessibleTextRole).toString());
    case Qt::AccessibleTextRole: {
        const QString pair =
            tr("%1 %2, %3 %4")
                .arg(m_first, m_schemes[index.row()], m_second, m_schemes[index.column()]);
        const QString why = reason(index);
        return why.isEmpty() ? pair : tr("%1: cannot run, %2").arg(pair, why);
    }
    default:
        return {};
    }
}

QVariant PrecisionPairs::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::DisplayRole)
        return m_schemes.value(section);
    if (role != Qt::ToolTipRole)
        return {};
    const core::Scheme scheme = core::offeredSchemes()[std::size_t(section)];
    return tr("%1: %2").arg(orientation == Qt::Vertical ? m_first : m_second,
                            QString::fromStdString(scheme->description));
}

Qt::ItemFlags PrecisionPairs::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

PrecisionMatrix::PrecisionMatrix(PrecisionPairs& pairs, QWidget* parent)
    : QTableView(parent), m_pairs(pairs)
{
    setObjectName(QStringLiteral("precisionMatrix"));
    setAccessibleName(tr("Pairs of precisions"));
    setModel(&pairs);
    setItemDelegate(new PairDelegate(this));
    setHorizontalHeader(new UprightHeader(this));
    // The style's least size is wider than a box.
    horizontalHeader()->setMinimumSectionSize(kBox);
    horizontalHeader()->setDefaultSectionSize(kBox);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(kBox);
    verticalHeader()->setDefaultSectionSize(kBox);
    setShowGrid(false);
    setCornerButtonEnabled(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    connect(this, &QTableView::clicked, &pairs, &PrecisionPairs::toggle);
}

int PrecisionMatrix::wholeWidth() const
{
    return verticalHeader()->sizeHint().width() + kBox * m_pairs.columnCount() + 2;
}

QSize PrecisionMatrix::sizeHint() const
{
    const int bar = width() < wholeWidth() ? horizontalScrollBar()->sizeHint().height() : 0;
    return {wholeWidth(),
            horizontalHeader()->sizeHint().height() + kBox * m_pairs.rowCount() + 2 + bar};
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
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Select)
        m_pairs.toggle(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

}  // namespace qs::widgets
