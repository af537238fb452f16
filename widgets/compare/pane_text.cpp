#include "widgets/compare/pane_text.h"

#include <QPainter>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kMargin = 3;

}  // namespace

QString PaneText::toolTip() const
{
    QStringList tip{title};
    for (const QString& part : {caption.join(QLatin1Char('\n')), details}) {
        if (!part.isEmpty())
            tip << part;
    }
    return tip.join(QLatin1Char('\n'));
}

int PaneTextLayout::lineHeight() const
{
    return m_pane.fontMetrics().height();
}

QFont PaneTextLayout::titleFont() const
{
    QFont bold = m_pane.font();
    bold.setBold(true);
    return bold;
}

int PaneTextLayout::height() const
{
    return 3 * lineHeight() + 2 * kMargin;
}

QRect PaneTextLayout::pictureArea() const
{
    const int top = 2 * lineHeight() + kMargin;
    return {0, top, m_pane.width(), std::max(0, m_pane.height() - height())};
}

void PaneTextLayout::paintLine(QPainter& painter, QRect room, const QFont& font,
                               const QString& text) const
{
    painter.setFont(font);
    painter.setPen(m_pane.palette().color(QPalette::WindowText));
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     QFontMetrics(font, &m_pane).elidedText(text, Qt::ElideRight, room.width()));
}

void PaneTextLayout::paint(QPainter& painter) const
{
    const int line = lineHeight();
    const int width = m_pane.width() - 2 * kMargin;
    const int reserved = m_reserved ? line + 2 : 0;
    paintLine(painter, {kMargin, 0, width - reserved, line}, titleFont(), m_text.title);
    paintLine(painter, {kMargin, line, width, line}, m_pane.font(),
              m_text.caption.join(QStringLiteral(" · ")));
}

void PaneTextLayout::paintValue(QPainter& painter, const QString& value) const
{
    paintLine(
        painter,
        {kMargin, pictureArea().bottom() + kMargin, m_pane.width() - 2 * kMargin, lineHeight()},
        m_pane.font(), value);
}

}  // namespace qs::widgets
