#pragma once

#include <QString>

namespace qs::widgets {

// The text as it is, in lines that are not too long; Qt breaks those of HTML only.
[[nodiscard]] inline QString wrappedTip(const QString& text)
{
    return QStringLiteral("<qt>%1</qt>")
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

// The text as a tool tip that shows it as it is. Qt takes what looks like HTML for HTML, and a name
// from a file could then bring in pictures and links of its own. All tool tips that are not fixed
// words go through here; tests/architecture checks it.
[[nodiscard]] inline QString plainTip(const QString& text)
{
    if (!text.contains(QLatin1Char('<')) && !text.contains(QLatin1String("&lt;")))
        return text;
    return wrappedTip(text);
}

}  // namespace qs::widgets
