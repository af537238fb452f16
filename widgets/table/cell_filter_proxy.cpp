#include "widgets/table/cell_filter_proxy.h"

#include "widgets/models/cell_table_model.h"

#include <algorithm>

namespace qs::widgets {

CellFilterProxy::CellFilterProxy(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(CellTableModel::SortRole);
    setDynamicSortFilter(true);
}

void CellFilterProxy::setFilterText(const QString& text)
{
    m_words.clear();
    m_excluded.clear();
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& word : words) {
        // A lone dash is someone who has only begun to type the word after it.
        if (!word.startsWith(QLatin1Char('-')))
            m_words << word;
        else if (word.size() > 1)
            m_excluded << word.mid(1);
    }
    invalidateRowsFilter();
}

bool CellFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const
{
    if (m_words.isEmpty() && m_excluded.isEmpty())
        return true;
    QString row;
    for (int column = 0; column < sourceModel()->columnCount(sourceParent); ++column) {
        const QModelIndex index = sourceModel()->index(sourceRow, column, sourceParent);
        // The separator keeps a word from matching across two columns.
        row += sourceModel()->data(index, Qt::DisplayRole).toString() + QLatin1Char('\n');
    }
    const auto occurs = [&](const QString& word) {
        return row.contains(word, Qt::CaseInsensitive);
    };
    return std::all_of(m_words.begin(), m_words.end(), occurs) &&
           std::none_of(m_excluded.begin(), m_excluded.end(), occurs);
}

bool CellFilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    // The view turns the order round when descending; so does this, and what is missing stays last.
    if (!a.isValid() || !b.isValid())
        return a.isValid() == b.isValid() ? left.row() < right.row()
                                          : a.isValid() == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace qs::widgets
