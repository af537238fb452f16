#include "app/gui/runs/run_filter.h"

#include "app/gui/runs/run_catalogue.h"

#include <algorithm>

namespace qs::app {

namespace {

int comparedValues(const QVariant& a, const QVariant& b)
{
    if (a.userType() == QMetaType::QString)
        return QString::localeAwareCompare(a.toString(), b.toString());
    const double difference = a.toDouble() - b.toDouble();
    return difference < 0.0 ? -1 : (difference > 0.0 ? 1 : 0);
}

}  // namespace

RunFilter::RunFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(RunCatalogue::SortRole);
    setDynamicSortFilter(true);
}

void RunFilter::setWords(const QString& text)
{
    m_words.clear();
    m_excluded.clear();
    for (const QString& word : text.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        // A lone dash is someone who has only begun to type the word after it.
        if (!word.startsWith(QLatin1Char('-')))
            m_words << word;
        else if (word.size() > 1)
            m_excluded << word.mid(1);
    }
    invalidateRowsFilter();
}

int RunFilter::hidden() const
{
    return sourceModel() == nullptr ? 0 : sourceModel()->rowCount() - rowCount();
}

bool RunFilter::filterAcceptsRow(int sourceRow, const QModelIndex&) const
{
    if (m_words.isEmpty() && m_excluded.isEmpty())
        return true;
    const QString run =
        sourceModel()->index(sourceRow, 0).data(RunCatalogue::SearchRole).toString();
    const auto occurs = [&](const QString& word) { return run.contains(word); };
    return std::all_of(m_words.begin(), m_words.end(), occurs) &&
           std::none_of(m_excluded.begin(), m_excluded.end(), occurs);
}

bool RunFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    // The view turns the order round when descending; so does this, and what is missing stays last.
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (a.isValid() != b.isValid())
        return a.isValid() == ascending;
    if (const int order = comparedValues(a, b); order != 0)
        return order < 0;
    // Equal ones stand as they are listed, whichever was read first.
    return (left.row() < right.row()) == ascending;
}

}  // namespace qs::app

#include "moc_run_filter.cpp"
