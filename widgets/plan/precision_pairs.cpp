#include "widgets/plan/precision_pairs.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/scheme_words.h"

namespace qs::widgets {

PrecisionPairs::PrecisionPairs(SweptSchemes& swept, QObject* parent)
    : QAbstractTableModel(parent),
      m_swept(swept),
      m_count(int(swept.entries().size())),
      m_first(tr("encoder")),
      m_second(tr("decoder"))
{
}

void PrecisionPairs::refresh()
{
    const int count = int(m_swept.entries().size());
    if (count == m_count) {
        // Whoever walks through the matrix stays where they are.
        Q_EMIT dataChanged(index(0, 0), index(count - 1, count - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, count - 1);
        Q_EMIT headerDataChanged(Qt::Vertical, 0, count - 1);
        return;
    }
    beginResetModel();
    m_count = count;
    endResetModel();
}

void PrecisionPairs::setReasons(const Reasons& reasons)
{
    m_reasons = reasons;
    Q_EMIT dataChanged(index(0, 0), index(m_count - 1, m_count - 1));
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
    if (!m_swept.toggle({std::size_t(index.row()), std::size_t(index.column())}))
        return;
    Q_EMIT dataChanged(index, index);
    Q_EMIT edited();
}

QString PrecisionPairs::label(int entry) const
{
    const SweptSchemes::Entry& each = m_swept.entries()[std::size_t(entry)];
    return schemeLabel(each.scheme, m_swept.entries()[m_swept.placeOf(each.offered)].scheme);
}

QString PrecisionPairs::title(const QModelIndex& index) const
{
    return tr("%1:\n%2\n%3:\n%4").arg(m_first, label(index.row()), m_second, label(index.column()));
}

QString PrecisionPairs::reason(const QModelIndex& index) const
{
    const auto& entries = m_swept.entries();
    const std::string first = entries[std::size_t(index.row())].scheme.text();
    const std::string second = entries[std::size_t(index.column())].scheme.text();
    const auto found = m_reasons.find(first == second ? first : first + "/" + second);
    return found == m_reasons.end() ? QString() : QString::fromStdString(found->second);
}

int PrecisionPairs::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int PrecisionPairs::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

QVariant PrecisionPairs::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::CheckStateRole:
        return m_swept.has({std::size_t(index.row()), std::size_t(index.column())}) ? Qt::Checked
                                                                                    : Qt::Unchecked;
    case kReasonRole:
        return reason(index);
    case Qt::ToolTipRole:
        return plainTip(data(index, Qt::AccessibleTextRole).toString());
    case Qt::AccessibleTextRole: {
        const QString pair =
            tr("%1 %2, %3 %4").arg(m_first, label(index.row()), m_second, label(index.column()));
        const QString why = reason(index);
        return why.isEmpty() ? pair : tr("%1: cannot run, %2").arg(pair, why);
    }
    default:
        return {};
    }
}

QVariant PrecisionPairs::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || section >= m_count)
        return {};
    const core::Scheme& scheme = m_swept.entries()[std::size_t(section)].scheme;
    switch (role) {
    case Qt::DisplayRole:
        return label(section);
    case kHasOptionsRole:
        return !scheme->parameters.empty();
    case Qt::ToolTipRole: {
        const QString about = tr("%1: %2").arg(orientation == Qt::Vertical ? m_first : m_second,
                                               schemeTip(scheme, {}));
        return wrappedTip(scheme->parameters.empty() ? about
                                                     : about + tr("\nClick for its options."));
    }
    default:
        return {};
    }
}

Qt::ItemFlags PrecisionPairs::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace qs::widgets

#include "moc_precision_pairs.cpp"
