#include "widgets/compare/pane_text.h"

#include "widgets/compare/caption_flow.h"

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

int PaneTextLayout::titleRoom(int width) const
{
    return width - 2 * kMargin - (m_reserved ? lineHeight() + 2 : 0);
}

int PaneTextLayout::rowsAt(int width) const
{
    qsizetype rows =
        flowed(m_text.title, QFontMetrics(titleFont(), &m_pane), titleRoom(width)).size();
    for (const QString& line : m_text.caption)
        rows += flowed(line, m_pane.fontMetrics(), width - 2 * kMargin).size();
    return std::clamp(static_cast<int>(rows), 1, kMostRows);
}

int PaneTextLayout::valueRows(int width) const
{
    // The longest value: of three channels, one of them beyond 0 … 1.
    const QString longest = QStringLiteral("RGB -0.0000 0.0000 0.0000 · -888 888 888 of 255");
    return flowed(longest, m_pane.fontMetrics(), width - 2 * kMargin).size() == 1 ? 1 : 0;
}

int PaneTextLayout::heightAt(int width, int rows) const
{
    return (rows + valueRows(width)) * lineHeight() + 2 * kMargin;
}

QRect PaneTextLayout::pictureArea() const
{
    const int top = m_rows * lineHeight() + kMargin;
    const int below = valueRows(m_pane.width()) * lineHeight() + kMargin;
    return {0, top, m_pane.width(), std::max(0, m_pane.height() - top - below)};
}

void PaneTextLayout::paint(QPainter& painter) const
{
    const int line = lineHeight();
    painter.setPen(m_pane.palette().color(QPalette::WindowText));
    int row = 0;
    const auto draw = [&](const QString& text, const QFont& font, int room) {
        painter.setFont(font);
        for (const QString& each : flowed(text, QFontMetrics(font, &m_pane), room)) {
            if (row >= m_rows)
                return;
            painter.drawText(QRect(kMargin, row * line, room, line),
                             Qt::AlignVCenter | Qt::AlignLeft, each);
            ++row;
        }
    };
    draw(m_text.title, titleFont(), titleRoom(m_pane.width()));
    for (const QString& paragraph : m_text.caption)
        draw(paragraph, m_pane.font(), m_pane.width() - 2 * kMargin);
}

void PaneTextLayout::paintValue(QPainter& painter, const QString& value, bool cursorAbove) const
{
    const QRect area = pictureArea();
    const int line = lineHeight();
    QRect room(kMargin, area.bottom() + kMargin, m_pane.width() - 2 * kMargin, line);
    QStringList lines = flowed(value, m_pane.fontMetrics(), room.width());
    if (lines.isEmpty())
        return;
    painter.setFont(m_pane.font());
    painter.setPen(m_pane.palette().color(QPalette::WindowText));
    if (valueRows(m_pane.width()) == 0) {
        QRect box(area.left(), 0, area.width(), static_cast<int>(lines.size()) * line);
        box.moveTop(cursorAbove ? area.bottom() + 1 - box.height() : area.top());
        // Nearly opaque: the tags of a split may lie under it.
        painter.fillRect(box, QColor(0, 0, 0, 210));
        painter.setPen(Qt::white);
        room.moveTop(box.top());
    } else {
        lines = {lines.front()};
    }
    for (const QString& each : lines) {
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, each);
        room.translate(0, line);
    }
}

}  // namespace qs::widgets
