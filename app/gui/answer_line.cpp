#include "app/gui/answer_line.h"

#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

#include <QEvent>
#include <QStyle>

#include <algorithm>

namespace qs::app {

AnswerLine::AnswerLine(QWidget* parent)
    : QWidget(parent),
      m_headline(new widgets::ElidedParagraph(1, this)),
      m_detail(new widgets::ElidedParagraph(1, this))
{
    m_headline->setObjectName(QStringLiteral("answerHeadline"));
    QFont bold;  // all else is that of the window
    bold.setBold(true);
    m_headline->setFont(bold);
    m_detail->setObjectName(QStringLiteral("answerDetail"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void AnswerLine::setTexts(const QString& headline, const QString& detail, const QString& figure)
{
    m_headline->setText(headline);
    m_detail->setText(detail);
    m_figure = figure;
    place();
}

void AnswerLine::setWhole(const QString& text)
{
    for (QWidget* label : {m_headline, m_detail})
        label->setToolTip(widgets::plainTip(text));
}

QSize AnswerLine::sizeHint() const
{
    return minimumSizeHint();
}

QSize AnswerLine::minimumSizeHint() const
{
    return {0, std::max(m_headline->sizeHint().height(), m_detail->sizeHint().height())};
}

void AnswerLine::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        place();
}

void AnswerLine::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

// The headline is as wide as what it says, as long as there is room; the detail has the rest.
void AnswerLine::place()
{
    const int gap = fontMetrics().averageCharWidth();
    const QString least =
        m_figure.isEmpty() || m_figure == m_detail->text() ? m_figure : m_figure + QChar(0x2026);
    // A pixel more: widths are rounded.
    const int kept = least.isEmpty() ? 0 : fontMetrics().horizontalAdvance(least) + 1 + gap;
    const int first = std::clamp(width() - kept, 0, m_headline->sizeHint().width());
    const auto put = [this](QWidget& label, int left, int wide) {
        const int height = label.sizeHint().height();
        const QRect place(left, (this->height() - height) / 2, std::max(0, wide), height);
        label.setGeometry(QStyle::visualRect(layoutDirection(), rect(), place));
    };
    put(*m_headline, 0, first);
    put(*m_detail, first + gap, width() - first - gap);
}

}  // namespace qs::app
