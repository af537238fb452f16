#include "widgets/layout/menu_button.h"

#include <QStyleOptionToolButton>

namespace qs::widgets {

namespace {

constexpr QChar kArrow(0x25BE);

QString arrow()
{
    return QLatin1Char(' ') + kArrow;
}

}  // namespace

MenuButton::MenuButton(QWidget* parent) : QToolButton(parent)
{
    setPopupMode(QToolButton::InstantPopup);
}

QSize MenuButton::sizeHint() const
{
    return QToolButton::sizeHint() + QSize(fontMetrics().horizontalAdvance(arrow()), 0);
}

void MenuButton::initStyleOption(QStyleOptionToolButton* option) const
{
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::HasMenu;
    option->text += arrow();
}

}  // namespace qs::widgets

#include "moc_menu_button.cpp"
