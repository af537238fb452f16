#include "widgets/table/latex_field.h"

namespace qs::widgets {

namespace {

struct LatexLetter {
    char16_t letter;
    const char* written;
};

// The braces end the name of a command: the space behind it stays one.
constexpr LatexLetter kLatexLetters[] = {
    {u'%', "\\%"},
    {u'_', "\\_"},
    {u'&', "\\&"},
    {u'#', "\\#"},
    {u'$', "\\$"},
    {u'{', "\\{"},
    {u'}', "\\}"},
    {u'~', "\\textasciitilde{}"},
    {u'^', "\\textasciicircum{}"},
    {u'\\', "\\textbackslash{}"},
    // Another letter in the old encoding of fonts.
    {u'<', "\\textless{}"},
    {u'>', "\\textgreater{}"},
    {u'|', "\\textbar{}"},
    {u'×', "\\texttimes{}"},
    {u'·', "\\textperiodcentered{}"},
    {u'±', "\\textpm{}"},
    {u'−', "\\textminus{}"},
    {u'µ', "\\textmu{}"},
    {u'°', "\\textdegree{}"},
    {u'…', "\\dots{}"},
    {u'≤', "$\\leq$"},
    {u'≥', "$\\geq$"},
    {u'≈', "$\\approx$"},
    {u'→', "$\\rightarrow$"},
    {u'∞', "$\\infty$"},
    {u'\u00a0', "~"},
    {u'\u202f', "\\,"},  // separates thousands in some languages
    {u'\t', " "},
    {u'\n', " "},
    {u'\r', " "},
};

void appendLetter(QString& written, QChar letter)
{
    for (const LatexLetter& known : kLatexLetters) {
        if (letter == QChar(known.letter)) {
            written += QLatin1String(known.written);
            return;
        }
    }
    written += letter;
}

}  // namespace

QString latexField(const QString& text)
{
    QString written;
    for (const QChar letter : text)
        appendLetter(written, letter);
    // Behind the end of the line before, these two would be arguments of that line end.
    if (written.startsWith(QLatin1Char('[')) || written.startsWith(QLatin1Char('*')))
        written.insert(1, QLatin1Char('}')).prepend(QLatin1Char('{'));
    return written;
}

}  // namespace qs::widgets
