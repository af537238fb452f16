#include "widgets/compare/caption_flow.h"

namespace qs::widgets {

QStringList flowed(const QString& text, const QFontMetrics& metrics, int width)
{
    static const QString kDot = QStringLiteral(" · ");
    QStringList lines;
    if (text.isEmpty())
        return lines;
    QString line;
    for (const QString& part : text.split(kDot)) {
        const QString longer = line.isEmpty() ? part : line + kDot + part;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
            lines << line;
            line = part;
        } else {
            line = longer;
        }
        line = metrics.elidedText(line, Qt::ElideRight, width);
    }
    lines << line;
    return lines;
}

}  // namespace qs::widgets
