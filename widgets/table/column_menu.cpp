#include "widgets/table/column_menu.h"

#include <QKeyEvent>

namespace qs::widgets {

bool ColumnMenu::tick()
{
    QAction* action = activeAction();
    if (action == nullptr || !action->isCheckable() || !action->isEnabled())
        return false;
    action->trigger();
    return true;
}

void ColumnMenu::mouseReleaseEvent(QMouseEvent* event)
{
    if (!tick())
        QMenu::mouseReleaseEvent(event);
}

void ColumnMenu::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Space || !tick())
        QMenu::keyPressEvent(event);
}

}  // namespace qs::widgets
