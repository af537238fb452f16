#include "widgets/layout/elided_paragraph.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace qs::widgets {

ElidedParagraph::ElidedParagraph(int lines, QWidget* parent) : QLabel(parent), m_lines(lines)
{
    setTextFormat(Qt::PlainText);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QStringList ElidedParagraph::linesFor(int width) const
{
    const QString whole = text().simplified();
    QStringList lines;
    QTextLayout layout(whole, font());
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(1, width));
        if (lines.size() + 1 == m_lines) {
            lines << fontMetrics().elidedText(whole.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        lines << whole.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

int ElidedParagraph::heightForWidth(int width) const
{
    return static_cast<int>(linesFor(width).size()) * fontMetrics().lineSpacing();
}

QSize ElidedParagraph::sizeHint() const
{
    const int width = m_lines == 1 ? fontMetrics().horizontalAdvance(text()) + 1
                                   : fontMetrics().averageCharWidth() * 30;
    return {width, m_lines * fontMetrics().lineSpacing()};
}

QSize ElidedParagraph::minimumSizeHint() const
{
    return {0, fontMetrics().lineSpacing()};
}

void ElidedParagraph::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    int y = fontMetrics().ascent();
    for (const QString& line : linesFor(width())) {
        painter.drawText(0, y, line);
        y += fontMetrics().lineSpacing();
    }
}

}  // namespace qs::widgets
