#include "widgets/compare/compare_buttons.h"

#include "widgets/layout/elided_combo_box.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>

namespace qs::widgets {

QComboBox* makeChooser(const QString& name, const QString& accessible, const QString& tip)
{
    auto* chooser = new ElidedComboBox;
    chooser->setObjectName(name);
    chooser->setAccessibleName(accessible);
    chooser->setToolTip(plainTip(tip));
    // A click must not take the keys N, S, 0 … 9, + and - away from the panes; Tab still gets
    // there.
    chooser->setFocusPolicy(Qt::TabFocus);
    return chooser;
}

QToolButton* makeButton(QToolButton* button, const QString& name, const QString& text,
                        const QString& tip)
{
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(plainTip(tip));
    button->setAccessibleName(text);
    button->setAccessibleDescription(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace qs::widgets
