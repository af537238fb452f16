#include "widgets/compare/generated_texts.h"

#include "widgets/compare/value_table.h"
#include "widgets/models/plain_tip.h"

#include <QKeyEvent>
#include <QTextCursor>

#include <algorithm>
#include <cmath>
#include <utility>

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

void GeneratedTexts::setTexts(std::vector<DividedText> texts)
{
    m_texts = std::move(texts);
    if (m_alone && *m_alone >= m_texts.size())
        m_alone.reset();
    write();
    fitHeight();
}

void GeneratedTexts::blink(int step)
{
    if (m_texts.size() < 2)
        return;
    const auto count = static_cast<int>(m_texts.size());
    const int from = m_alone ? static_cast<int>(*m_alone) : step > 0 ? -1 : 0;
    m_alone = static_cast<std::size_t>((from + step + count) % count);
    write();
}

bool GeneratedTexts::showAll()
{
    if (!m_alone)
        return false;
    m_alone.reset();
    write();
    return true;
}

void GeneratedTexts::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (plain && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        blink(event->key() == Qt::Key_Left ? -1 : 1);
    else if (!(plain && event->key() == Qt::Key_Escape && showAll()))
        QTextEdit::keyPressEvent(event);
}

void GeneratedTexts::write()
{
    clear();
    for (std::size_t i = 0; i < m_texts.size(); ++i) {
        if (!m_alone || *m_alone == i)
            write(m_texts[i]);
    }
    moveCursor(QTextCursor::Start);
}

void GeneratedTexts::write(const DividedText& text)
{
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    const QTextCharFormat plain;
    QTextCharFormat heading;
    heading.setFontWeight(QFont::Bold);
    QTextCharFormat mark = heading;
    mark.setBackground(markColour(ValueMark::FirstDifferent).value<QColor>());
    if (cursor.position() > 0)
        cursor.insertBlock();
    cursor.insertText(
        text.title.isEmpty() ? text.heading : tr("%1 (%2)").arg(text.heading, text.title), heading);
    cursor.insertBlock();
    for (const TextPiece& piece : text.pieces) {
        QTextCharFormat format;
        if (const QVariant colour = distanceColour(piece.distance); colour.isValid())
            format.setBackground(colour.value<QColor>());
        format.setToolTip(plainTip(distanceText(piece.distance)));
        cursor.insertText(piece.text, format);
    }
    if (text.pieces.empty())
        cursor.insertText(text.common, plain);
    if (!text.divergence.isEmpty())
        cursor.insertText(marked(text.divergence, ValueMark::FirstDifferent), mark);
    cursor.insertText(text.rest, plain);
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

#include "moc_generated_texts.cpp"
