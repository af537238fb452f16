#include "widgets/compare/token_model.h"

#include "widgets/compare/token_text.h"
#include "widgets/compare/value_table.h"
#include "widgets/models/number_text.h"
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

// Of the logits from which the token at that place was chosen.
QVariant distanceData(const CellValues& values, std::size_t place, int role)
{
    constexpr int kDistanceDigits = 2;
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (place >= values.places.size())
        return {};
    const PlaceDistance& distance = values.places[place];
    if (role == Qt::DisplayRole)
        return significantText(distance.maxDifference, kDistanceDigits);
    if (role == Qt::BackgroundRole)
        return distanceColour(distance);
    return role == Qt::ToolTipRole ? QVariant(plainTip(distanceText(distance))) : QVariant();
}

}  // namespace

void TokenModel::setLoaded(std::shared_ptr<const LoadedValues> loaded)
{
    beginResetModel();
    m_loaded = std::move(loaded);
    m_rows.clear();
    if (m_loaded != nullptr)
        m_rows.emplace_back();
    for (std::size_t i = 0; m_loaded != nullptr && i < m_loaded->cells.size(); ++i) {
        m_rows.push_back({.cell = i});
        if (!m_loaded->cells[i].places.empty())
            m_rows.push_back({.cell = i, .distances = true});
    }
    endResetModel();
}

int TokenModel::firstDivergence() const
{
    if (m_loaded == nullptr || m_loaded->cells.empty() || !m_loaded->cells.front().agreement)
        return -1;
    const auto& first = m_loaded->cells.front().agreement->firstDivergence;
    return first ? static_cast<int>(*first) : -1;
}

const CellValues& TokenModel::valuesOf(const Row& row) const
{
    return row.cell ? m_loaded->cells[*row.cell] : m_loaded->reference;
}

int TokenModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
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
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto place = static_cast<std::size_t>(index.column());
    return row.distances ? distanceData(valuesOf(row), place, role) : tokenData(row, place, role);
}

QVariant TokenModel::tokenData(const Row& row, std::size_t place, int role) const
{
    const CellValues& values = valuesOf(row);
    const ValueMark mark =
        row.cell ? markOf(values, place, m_loaded->reference.tokens) : ValueMark::None;
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

QString TokenModel::heading(const Row& row) const
{
    if (!row.cell)
        return tr("Reference");
    const CellValues& values = valuesOf(row);
    const QString label = m_loaded->request.cells[*row.cell].label;
    if (row.distances)
        return tr("%1: |Δ| of a logit, at most").arg(label);
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
        return places ? QString::number(section + 1)
                      : heading(m_rows[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return QVariant((places ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::ToolTipRole || places)
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(section)];
    return row.cell ? QVariant(plainTip(m_loaded->request.cells[*row.cell].title)) : QVariant();
}

}  // namespace qs::widgets

#include "moc_token_model.cpp"
