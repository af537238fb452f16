#include "widgets/compare/generated_texts.h"

#include "widgets/compare/value_table.h"

#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr int kMostTextLines = 14;

}  // namespace

GeneratedTexts::GeneratedTexts(QWidget* parent) : QTextEdit(parent)
{
    setObjectName(QStringLiteral("generatedTexts"));
    setAccessibleName(tr("Generated texts"));
    setReadOnly(true);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setAutoFillBackground(false);
}

void GeneratedTexts::setTexts(const std::vector<DividedText>& texts)
{
    clear();
    QTextCursor cursor(document());
    QTextCharFormat plain;
    QTextCharFormat heading;
    heading.setFontWeight(QFont::Bold);
    QTextCharFormat mark = heading;
    mark.setBackground(markColour(ValueMark::FirstDifferent).value<QColor>());
    for (const DividedText& text : texts) {
        if (cursor.position() > 0)
            cursor.insertBlock();
        cursor.insertText(text.title.isEmpty() ? text.heading
                                               : tr("%1 (%2)").arg(text.heading, text.title),
                          heading);
        cursor.insertBlock();
        cursor.insertText(text.common, plain);
        if (!text.divergence.isEmpty())
            cursor.insertText(marked(text.divergence, ValueMark::FirstDifferent), mark);
        cursor.insertText(text.rest, plain);
    }
    moveCursor(QTextCursor::Start);
    fitHeight();
}

void GeneratedTexts::resizeEvent(QResizeEvent* event)
{
    QTextEdit::resizeEvent(event);
    fitHeight();
}

void GeneratedTexts::fitHeight()
{
    const int wanted = static_cast<int>(std::ceil(document()->size().height()));
    const int most = kMostTextLines * fontMetrics().lineSpacing();
    setFixedHeight(std::min(wanted, most) + 2 * frameWidth());
}

}  // namespace qs::widgets
