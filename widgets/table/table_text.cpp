#include "widgets/table/table_text.h"

#include "core/base/format.h"
#include "widgets/models/cell_table_model.h"

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

QStringList headings(const TableExcerpt& excerpt, Escape escape)
{
    QStringList fields;
    for (const int column : excerpt.columns)
        fields << escape(excerpt.model->headerData(column, Qt::Horizontal)
                             .toString()
                             .replace(QLatin1Char('\n'), QStringLiteral(": ")));
    return fields;
}

QStringList fieldsOf(const TableExcerpt& excerpt, int row, QString (*read)(const QModelIndex&),
                     Escape escape)
{
    QStringList fields;
    for (const int column : excerpt.columns)
        fields << escape(read(excerpt.model->index(row, column)));
    return fields;
}

QString separated(const TableExcerpt& excerpt, QLatin1Char separator, Escape escape)
{
    if (excerpt.empty())
        return {};
    QString text = headings(excerpt, escape).join(separator) + QLatin1Char('\n');
    for (const int row : excerpt.rows)
        text += fieldsOf(excerpt, row, rawText, escape).join(separator) + QLatin1Char('\n');
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
    for (const int column : excerpt.columns) {
        const QVariant aligned =
            excerpt.model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        rule << ((aligned.toInt() & Qt::AlignRight) != 0 ? QStringLiteral("---:")
                                                         : QStringLiteral("---"));
    }
    QString text = line(headings(excerpt, markdownField)) + line(rule);
    for (const int row : excerpt.rows)
        text += line(fieldsOf(excerpt, row, shownText, markdownField));
    return text;
}

}  // namespace qs::widgets
