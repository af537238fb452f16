#include "widgets/compare/caption_flow.h"

namespace qs::widgets {

namespace {

// Adds `piece` to the last line, after `separator`, or begins a line with it.
void append(QStringList& lines, const QString& piece, const QString& separator,
            const QFontMetrics& metrics, int width)
{
    if (!lines.isEmpty()) {
        const QString longer = lines.back() + separator + piece;
        if (metrics.horizontalAdvance(longer) <= width) {
            lines.back() = longer;
            return;
        }
    }
    // Asked for only where needed: it counts fractions of pixels that no text shows.
    lines << (metrics.horizontalAdvance(piece) <= width
                  ? piece
                  : metrics.elidedText(piece, Qt::ElideRight, width));
}

}  // namespace

QStringList flowed(const QString& text, const QFontMetrics& metrics, int width)
{
    static const QString kDot = QStringLiteral(" · ");
    static const QString kSpace = QStringLiteral(" ");
    QStringList lines;
    if (text.isEmpty())
        return lines;
    for (const QString& part : text.split(kDot)) {
        if (metrics.horizontalAdvance(part) <= width) {
            append(lines, part, kDot, metrics, width);
            continue;
        }
        bool first = true;
        for (const QString& word : part.split(kSpace)) {
            append(lines, word, first ? kDot : kSpace, metrics, width);
            first = false;
        }
    }
    return lines;
}

}  // namespace qs::widgets
