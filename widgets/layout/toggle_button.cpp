#include "widgets/layout/toggle_button.h"

#include <QCoreApplication>
#include <QPainter>

namespace qs::widgets {

void ToggleButton::paintEvent(QPaintEvent* event)
{
    QToolButton::paintEvent(event);
    if (!isChecked() || !isEnabled())
        return;
    QPainter painter(this);
    painter.fillRect(QRect(4, height() - 4, width() - 8, 2), palette().color(QPalette::Highlight));
}

LargeButton::LargeButton(const QString& name)
{
    setObjectName(name);
    setAccessibleName(QCoreApplication::translate("LargeButton", "Whole window"));
    setFocusPolicy(Qt::TabFocus);
    setMinimumWidth(sizeHint().height() * 3 / 2);
}

void LargeButton::paintEvent(QPaintEvent* event)
{
    ToggleButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText),
        1.4));
    const QPointF middle = QRectF(rect()).center();
    const double reach = fontMetrics().height() * 0.36;
    for (const double side : {1.0, -1.0}) {
        const QPointF tip = middle + QPointF(side * reach, -side * reach);
        painter.drawLine(middle + QPointF(side, -side), tip);
        painter.drawLine(tip, tip - QPointF(side * reach * 0.8, 0));
        painter.drawLine(tip, tip + QPointF(0, side * reach * 0.8));
    }
}

}  // namespace qs::widgets
