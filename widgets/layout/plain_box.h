#pragma once

#include <QLabel>
#include <QMessageBox>

namespace qs::widgets {

// Every text of the box is shown as it is. The box has a setting for one of its labels only, and
// would take a name from a file for HTML in the other. To be called when all texts are set.
inline void showPlainly(QMessageBox& box)
{
    for (QLabel* label : box.findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
}

}  // namespace qs::widgets
