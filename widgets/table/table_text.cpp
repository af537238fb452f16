#include "widgets/table/table_text.h"

#include "core/base/format.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/table/latex_field.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace qs::widgets {

namespace {

using Escape = QString (*)(const QString&);

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
    const QVariant full = index.data(CellTableModel::FullTextRole);
    return full.isValid() ? full.toString() : index.data(Qt::DisplayRole).toString();
}

QString headingText(const TableExcerpt& excerpt, int column)
{
    QVariant text = excerpt.model->headerData(column, Qt::Horizontal, CellTableModel::FullTextRole);
    if (!text.isValid())
        text = excerpt.model->headerData(column, Qt::Horizontal);
    return text.toString().replace(QLatin1Char('\n'), QStringLiteral(": "));
}

bool hasIntervals(const TableExcerpt& excerpt, int column)
{
    return std::any_of(excerpt.rows.begin(), excerpt.rows.end(), [&](int row) {
        return excerpt.model->index(row, column).data(CellTableModel::IntervalRole).isValid();
    });
}

// The two ends of a 95 % interval as fields; empty where there is none.
QStringList intervalFields(const QModelIndex& index)
{
    const QVariantList ends = index.data(CellTableModel::IntervalRole).toList();
    QStringList fields;
    for (int i = 0; i < 2; ++i)
        fields << (ends.size() == 2 && std::isfinite(ends[i].toDouble())
                       ? QString::fromStdString(core::formatExact(ends[i].toDouble()))
                       : QString());
    return fields;
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

QStringList headings(const TableExcerpt& excerpt, Escape escape)
{
    QStringList fields;
    for (const int column : excerpt.columns)
        fields << escape(headingText(excerpt, column));
    return fields;
}

QStringList shownFields(const TableExcerpt& excerpt, int row, Escape escape)
{
    QStringList fields;
    for (const int column : excerpt.columns)
        fields << escape(shownText(excerpt.model->index(row, column)));
    return fields;
}

bool isRightAligned(const TableExcerpt& excerpt, int column)
{
    const QVariant aligned =
        excerpt.model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return (aligned.toInt() & Qt::AlignRight) != 0;
}

QString separated(const TableExcerpt& excerpt, QLatin1Char separator, Escape escape)
{
    if (excerpt.empty())
        return {};
    // A number that has an interval keeps it, in two columns of its own.
    std::vector<bool> wide;
    QStringList fields;
    for (const int column : excerpt.columns) {
        const QString heading = headingText(excerpt, column);
        wide.push_back(hasIntervals(excerpt, column));
        fields << escape(heading);
        if (wide.back())
            fields << escape(QStringLiteral("%1, 95 % from").arg(heading))
                   << escape(QStringLiteral("%1, 95 % to").arg(heading));
    }
    QString text = fields.join(separator) + QLatin1Char('\n');
    for (const int row : excerpt.rows) {
        fields.clear();
        for (std::size_t i = 0; i < wide.size(); ++i) {
            const QModelIndex index = excerpt.model->index(row, excerpt.columns[i]);
            fields << escape(rawText(index));
            if (wide[i])
                fields << intervalFields(index);
        }
        text += fields.join(separator) + QLatin1Char('\n');
    }
    return text;
}

}  // namespace

QString csvText(const TableExcerpt& excerpt)
{
    return separated(excerpt, QLatin1Char(','), csvField);
}

QString tsvText(const TableExcerpt& excerpt)
{
    return separated(excerpt, QLatin1Char('\t'), tsvField);
}

QString markdownText(const TableExcerpt& excerpt)
{
    if (excerpt.empty())
        return {};
    const auto line = [](const QStringList& fields) {
        return QStringLiteral("| %1 |\n").arg(fields.join(QStringLiteral(" | ")));
    };
    QStringList rule;
    for (const int column : excerpt.columns)
        rule << (isRightAligned(excerpt, column) ? QStringLiteral("---:") : QStringLiteral("---"));
    QString text = line(headings(excerpt, markdownField)) + line(rule);
    for (const int row : excerpt.rows)
        text += line(shownFields(excerpt, row, markdownField));
    return text;
}

QString latexText(const TableExcerpt& excerpt)
{
    if (excerpt.empty())
        return {};
    const auto line = [](const QStringList& fields) {
        return fields.join(QStringLiteral(" & ")) + QStringLiteral(" \\\\\n");
    };
    QString alignment;
    for (const int column : excerpt.columns)
        alignment += QLatin1Char(isRightAligned(excerpt, column) ? 'r' : 'l');
    QString text = QStringLiteral("% \\usepackage{booktabs}\n\\begin{tabular}{") + alignment +
                   QStringLiteral("}\n\\toprule\n") + line(headings(excerpt, latexField)) +
                   QStringLiteral("\\midrule\n");
    for (const int row : excerpt.rows)
        text += line(shownFields(excerpt, row, latexField));
    return text + QStringLiteral("\\bottomrule\n\\end{tabular}\n");
}

}  // namespace qs::widgets
