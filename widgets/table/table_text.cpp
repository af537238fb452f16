#include "widgets/table/table_text.h"

#include "core/base/format.h"
#include "widgets/models/cell_table_model.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace qs::widgets {

namespace {

using Escape = QString (*)(const QString&);

struct Grid {
    std::map<int, std::map<int, QModelIndex>> rows;  // by row and column as shown
    std::set<int> columns;
    const QAbstractItemModel* model = nullptr;
};

Grid gridOf(const QModelIndexList& selection)
{
    Grid grid;
    for (const QModelIndex& index : selection) {
        grid.rows[index.row()][index.column()] = index;
        grid.columns.insert(index.column());
        grid.model = index.model();
    }
    return grid;
}

bool isNumber(const QVariant& value)
{
    switch (value.userType()) {
    case QMetaType::Double:
    case QMetaType::Int:
    case QMetaType::LongLong:
        return true;
    default:
        return false;
    }
}

// A spreadsheet runs what begins like a formula; an apostrophe makes it a text. Numbers are never
// touched.
QString formulaSafe(const QString& text)
{
    constexpr QStringView kStarters = u"=+-@\t\r";
    return !text.isEmpty() && kStarters.contains(text.front()) ? QLatin1Char('\'') + text : text;
}

QString rawText(const QModelIndex& index)
{
    const QVariant value = index.data(CellTableModel::SortRole);
    if (!value.isValid())
        return {};
    if (!isNumber(value))
        return formulaSafe(value.toString());
    return value.userType() == QMetaType::Double
               ? QString::fromStdString(core::formatExact(value.toDouble()))
               : QString::number(value.toLongLong());
}

QString shownText(const QModelIndex& index)
{
    return index.data(Qt::DisplayRole).toString();
}

QString csvField(const QString& text)
{
    if (!text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char(',')) &&
        !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r')))
        return text;
    QString quoted = text;
    return QLatin1Char('"') + quoted.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
           QLatin1Char('"');
}

QString tsvField(const QString& text)
{
    QString plain = text;
    for (const char16_t separator : {u'\t', u'\n', u'\r'})
        plain.replace(QChar(separator), QLatin1Char(' '));
    return plain;
}

QString markdownField(const QString& text)
{
    QString plain = tsvField(text);
    return plain.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
        .replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

QStringList headings(const Grid& grid, Escape escape)
{
    QStringList fields;
    for (const int column : grid.columns)
        fields << escape(grid.model->headerData(column, Qt::Horizontal)
                             .toString()
                             .replace(QLatin1Char('\n'), QStringLiteral(": ")));
    return fields;
}

QStringList fieldsOf(const Grid& grid, const std::map<int, QModelIndex>& row,
                     QString (*read)(const QModelIndex&), Escape escape)
{
    QStringList fields;
    for (const int column : grid.columns) {
        const auto found = row.find(column);
        fields << (found == row.end() ? QString() : escape(read(found->second)));
    }
    return fields;
}

QString separated(const QModelIndexList& selection, QLatin1Char separator, Escape escape)
{
    const Grid grid = gridOf(selection);
    if (grid.model == nullptr)
        return {};
    QString text = headings(grid, escape).join(separator) + QLatin1Char('\n');
    for (const auto& [number, row] : grid.rows)
        text += fieldsOf(grid, row, rawText, escape).join(separator) + QLatin1Char('\n');
    return text;
}

}  // namespace

QString selectionAsCsv(const QModelIndexList& selection)
{
    return separated(selection, QLatin1Char(','), csvField);
}

QString selectionAsTsv(const QModelIndexList& selection)
{
    return separated(selection, QLatin1Char('\t'), tsvField);
}

QString selectionAsMarkdown(const QModelIndexList& selection)
{
    const Grid grid = gridOf(selection);
    if (grid.model == nullptr)
        return {};
    const auto line = [](const QStringList& fields) {
        return QStringLiteral("| %1 |\n").arg(fields.join(QStringLiteral(" | ")));
    };
    QStringList rule;
    for (const int column : grid.columns) {
        const QVariant aligned =
            grid.model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        rule << ((aligned.toInt() & Qt::AlignRight) != 0 ? QStringLiteral("---:")
                                                         : QStringLiteral("---"));
    }
    QString text = line(headings(grid, markdownField)) + line(rule);
    for (const auto& [number, row] : grid.rows)
        text += line(fieldsOf(grid, row, shownText, markdownField));
    return text;
}

}  // namespace qs::widgets
