#include "widgets/table/cell_filter_proxy.h"

#include "widgets/models/cell_table_model.h"

#include <algorithm>

namespace qs::widgets {

namespace {

const std::vector<int>& searchedColumns()
{
    static const std::vector<int> kColumns = [] {
        std::vector<int> columns{columnOf("batch")};
        for (std::size_t column = 0; column < cellColumns().size(); ++column) {
            if (!cellColumns()[column].number || cellColumns()[column].axis != nullptr)
                columns.push_back(static_cast<int>(column));
        }
        return columns;
    }();
    return kColumns;
}

}  // namespace

CellFilterProxy::CellFilterProxy(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(CellTableModel::SortRole);
    setDynamicSortFilter(true);
    m_prepare.setInterval(0);
    connect(&m_prepare, &QTimer::timeout, this, &CellFilterProxy::prepareSome);
}

void CellFilterProxy::setSourceModel(QAbstractItemModel* model)
{
    forget();
    // Connected before the base class, which sorts and filters anew in the same signals.
    connect(model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) {
                forgetRows(first.row(), last.row());
            });
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &CellFilterProxy::forget);
    connect(model, &QAbstractItemModel::modelReset, this, &CellFilterProxy::forget);
    QSortFilterProxyModel::setSourceModel(model);
}

void CellFilterProxy::setFilterText(const QString& text)
{
    m_words.clear();
    m_excluded.clear();
    const QStringList words = text.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& word : words) {
        // A lone dash is someone who has only begun to type the word after it.
        if (!word.startsWith(QLatin1Char('-')))
            m_words << word;
        else if (word.size() > 1)
            m_excluded << word.mid(1);
    }
    // All at once: taking out every other row one by one takes time by the square of their number.
    invalidate();
}

QVariant CellFilterProxy::data(const QModelIndex& index, int role) const
{
    if (m_short && role == Qt::DisplayRole)
        role = m_terse ? CellTableModel::TerseTextRole : CellTableModel::ShortTextRole;
    else if (m_short && role == CellTableModel::VerdictToneRole)
        role = CellTableModel::ShortToneRole;
    return QSortFilterProxyModel::data(index, role);
}

QVariant CellFilterProxy::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool shortly = m_short && orientation == Qt::Horizontal && role == Qt::DisplayRole;
    return QSortFilterProxyModel::headerData(section, orientation,
                                             shortly ? int{CellTableModel::ShortTextRole} : role);
}

void CellFilterProxy::forget()
{
    m_searchTexts.clear();
    m_keys.clear();
    m_keyColumn = -1;
    m_prepared = 0;
    m_prepare.start();
}

void CellFilterProxy::prepareSome()
{
    // Some milliseconds of work.
    constexpr int kRowsAtOnce = 500;
    const int end = std::min(m_prepared + kRowsAtOnce,
                             sourceModel() == nullptr ? 0 : sourceModel()->rowCount());
    for (; m_prepared < end; ++m_prepared)
        static_cast<void>(searchText(m_prepared));
    if (sourceModel() == nullptr || m_prepared >= sourceModel()->rowCount())
        m_prepare.stop();
}

void CellFilterProxy::forgetRows(int first, int last)
{
    for (int row = first; row <= last; ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (at < m_searchTexts.size())
            m_searchTexts[at].clear();
        if (at < m_keys.size())
            m_keys[at].reset();
    }
}

const QString& CellFilterProxy::searchText(int row) const
{
    m_searchTexts.resize(static_cast<std::size_t>(sourceModel()->rowCount()));
    QString& text = m_searchTexts[static_cast<std::size_t>(row)];
    if (text.isEmpty()) {
        for (const int column : searchedColumns()) {
            // The separator keeps a word from matching across two columns.
            text += sourceModel()->index(row, column).data(Qt::DisplayRole).toString() +
                    QLatin1Char('\n');
        }
        text = text.toCaseFolded();
    }
    return text;
}

bool CellFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex&) const
{
    if (m_words.isEmpty() && m_excluded.isEmpty())
        return true;
    const QString& row = searchText(sourceRow);
    const auto occurs = [&](const QString& word) { return row.contains(word); };
    return std::all_of(m_words.begin(), m_words.end(), occurs) &&
           std::none_of(m_excluded.begin(), m_excluded.end(), occurs);
}

CellFilterProxy::SortKey CellFilterProxy::keyOf(int row, int column) const
{
    const QVariant value = sourceModel()->index(row, column).data(sortRole());
    if (!value.isValid())
        return {};
    if (value.userType() == QMetaType::QString)
        return {.hasValue = true, .number = {}, .text = value.toString()};
    return {.hasValue = true, .number = value.toDouble(), .text = {}};
}

const CellFilterProxy::SortKey& CellFilterProxy::key(const QModelIndex& index) const
{
    if (index.column() != m_keyColumn) {
        m_keys.clear();
        m_keyColumn = index.column();
    }
    m_keys.resize(static_cast<std::size_t>(sourceModel()->rowCount()));
    auto& known = m_keys[static_cast<std::size_t>(index.row())];
    if (!known)
        known = keyOf(index.row(), index.column());
    return *known;
}

bool CellFilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const SortKey& a = key(left);
    const SortKey& b = key(right);
    // The view turns the order round when descending; so does this, and what is missing stays last.
    if (!a.hasValue || !b.hasValue)
        return a.hasValue == b.hasValue ? left.row() < right.row()
                                        : a.hasValue == (sortOrder() == Qt::AscendingOrder);
    if (a.number && b.number)
        return *a.number < *b.number;
    return a.text < b.text;
}

}  // namespace qs::widgets

#include "moc_cell_filter_proxy.cpp"
