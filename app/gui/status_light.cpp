#include "app/gui/status_light.h"

#include "widgets/models/plain_tip.h"

#include <QPainter>

namespace qs::app {

namespace {

// Seen on light and on dark windows.
QColor colourOf(core::AnswerStanding standing)
{
    switch (standing) {
    case core::AnswerStanding::Decided:
        return {46, 160, 67};
    case core::AnswerStanding::Unsure:
        return {214, 138, 0};
    case core::AnswerStanding::Open:
        break;
    }
    return {128, 128, 128};
}

}  // namespace

StatusLight::StatusLight(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("answerLight"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setStanding(core::AnswerStanding::Open);
}

void StatusLight::setStanding(core::AnswerStanding standing)
{
    m_standing = standing;
    QString text;
    switch (standing) {
    case core::AnswerStanding::Decided:
        text = tr("Decided: the repeats tell the answer from what it is compared with");
        break;
    case core::AnswerStanding::Unsure:
        text = tr("A tie, or too few repeats for a verdict");
        break;
    case core::AnswerStanding::Open:
        text = tr("No answer yet");
        break;
    }
    setAccessibleName(text);
    setToolTip(widgets::plainTip(text));
    update();
}

QSize StatusLight::sizeHint() const
{
    const int side = fontMetrics().height();
    return {side, side};
}

void StatusLight::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor colour = colourOf(m_standing);
    const QRectF disc = QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5);
    painter.setPen(QPen(colour, 2.0));
    painter.drawEllipse(disc);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    if (m_standing == core::AnswerStanding::Decided)
        painter.drawEllipse(disc);
    else if (m_standing == core::AnswerStanding::Unsure)
        painter.drawPie(disc, 90 * 16, 180 * 16);
}

}  // namespace qs::app

#include "moc_status_light.cpp"
