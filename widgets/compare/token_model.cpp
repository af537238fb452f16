#include "widgets/compare/token_model.h"

#include "widgets/compare/token_text.h"
#include "widgets/compare/value_table.h"
#include "widgets/models/plain_tip.h"

#include <QFont>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

ValueMark markOf(const CellValues& values, std::size_t place,
                 const std::vector<std::int64_t>& reference)
{
    if (!values.agreement || !values.agreement->firstDivergence)
        return ValueMark::None;
    if (place == *values.agreement->firstDivergence)
        return ValueMark::FirstDifferent;
    const bool equal = place < values.tokens.size() && place < reference.size() &&
                       values.tokens[place] == reference[place];
    return equal ? ValueMark::None : ValueMark::Different;
}

}  // namespace

void TokenModel::setLoaded(std::shared_ptr<const LoadedValues> loaded)
{
    beginResetModel();
    m_loaded = std::move(loaded);
    endResetModel();
}

int TokenModel::firstDivergence() const
{
    if (m_loaded == nullptr || m_loaded->cells.empty() || !m_loaded->cells.front().agreement)
        return -1;
    const auto& first = m_loaded->cells.front().agreement->firstDivergence;
    return first ? static_cast<int>(*first) : -1;
}

const CellValues& TokenModel::row(int row) const
{
    return row == 0 ? m_loaded->reference : m_loaded->cells[static_cast<std::size_t>(row - 1)];
}

int TokenModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_loaded == nullptr ? 0
                                                   : static_cast<int>(m_loaded->cells.size()) + 1;
}

int TokenModel::columnCount(const QModelIndex& parent) const
{
    if (parent.isValid() || m_loaded == nullptr)
        return 0;
    std::size_t most = m_loaded->reference.tokens.size();
    for (const CellValues& cell : m_loaded->cells)
        most = std::max(most, cell.tokens.size());
    return static_cast<int>(most);
}

QVariant TokenModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const CellValues& values = row(index.row());
    const auto place = static_cast<std::size_t>(index.column());
    const ValueMark mark =
        index.row() == 0 ? ValueMark::None : markOf(values, place, m_loaded->reference.tokens);
    const bool there = place < values.tokens.size();
    if (role == Qt::DisplayRole)
        return there ? marked(shown(values.tokens[place]), mark) : QString();
    const bool known = place < values.places.size();
    if (role == Qt::BackgroundRole)
        return known && mark == ValueMark::None ? distanceColour(values.places[place])
                                                : markColour(mark);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole && mark == ValueMark::FirstDifferent) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::ToolTipRole)
        return tip(there ? values.tokens[place] : -1, mark,
                   known ? distanceText(values.places[place]) : QString());
    return {};
}

// The text of a token, or its id where there is no tokenizer.
QString TokenModel::shown(std::int64_t id) const
{
    return m_loaded->tokenizer ? tokenText(*m_loaded->tokenizer, id) : QString::number(id);
}

QVariant TokenModel::tip(std::int64_t id, ValueMark mark, const QString& distance) const
{
    QStringList lines;
    if (m_loaded->tokenizer && id >= 0)
        lines << tr("token %1").arg(id);
    if (!distance.isEmpty())
        lines << distance;
    if (mark == ValueMark::FirstDifferent)
        lines << (m_loaded->predicted
                      ? tr("The first token that is not that of the reference.")
                      : tr("The first token that is not that of the reference: what follows was "
                           "written in answer to another text."));
    return lines.isEmpty() ? QVariant() : plainTip(lines.join(QLatin1Char('\n')));
}

QString TokenModel::heading(int row) const
{
    const CellValues& values = this->row(row);
    if (row == 0)
        return tr("Reference");
    const QString label = m_loaded->request.cells[static_cast<std::size_t>(row - 1)].label;
    return values.agreement ? tr("%1: %2 of %3 equal")
                                  .arg(label)
                                  .arg(values.agreement->matched)
                                  .arg(values.agreement->generated)
                            : tr("%1: not saved").arg(label);
}

QVariant TokenModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (m_loaded == nullptr || section < 0)
        return {};
    const bool places = orientation == Qt::Horizontal;
    if (section >= (places ? columnCount() : rowCount()))
        return {};
    if (role == Qt::DisplayRole)
        return places ? QString::number(section + 1) : heading(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((places ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !places && section > 0)
        return plainTip(m_loaded->request.cells[static_cast<std::size_t>(section - 1)].title);
    return {};
}

}  // namespace qs::widgets
