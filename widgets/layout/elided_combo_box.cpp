#include "widgets/layout/elided_combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace qs::widgets {

QString ElidedComboBox::shownText() const
{
    constexpr int kMargins = 4;  // of the text in its field
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const int room =
        style()
            ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this)
            .width() -
        kMargins;
    return fontMetrics().elidedText(currentText(), Qt::ElideRight, room);
}

void ElidedComboBox::paintEvent(QPaintEvent* /*event*/)
{
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shownText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace qs::widgets

#include "moc_elided_combo_box.cpp"
