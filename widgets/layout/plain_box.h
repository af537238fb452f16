#pragma once

#include <QFontMetrics>
#include <QGridLayout>
#include <QLabel>
#include <QMessageBox>

#include <algorithm>

namespace qs::widgets {

// A box makes itself so narrow that its title cannot be read and a sentence has three words a line.
inline void giveRoom(QMessageBox& box)
{
    constexpr int kLeastLetters = 56;
    // The name of the program and the buttons of the window beside its title, in letters.
    constexpr int kBesideTitle = 20;
    const QFontMetrics metrics = box.fontMetrics();
    const int least = std::max(kLeastLetters * metrics.averageCharWidth(),
                               metrics.horizontalAdvance(box.windowTitle()) +
                                   kBesideTitle * metrics.averageCharWidth());
    // A box sets its own size when it is shown, from what lies in it.
    if (auto* grid = qobject_cast<QGridLayout*>(box.layout()))
        grid->addItem(new QSpacerItem(least, 0), grid->rowCount(), 0, 1, grid->columnCount());
}

// Every text of the box is shown as it is. The box has a setting for one of its labels only, and
// would take a name from a file for HTML in the other. To be called once, when all texts are set.
inline void showPlainly(QMessageBox& box)
{
    for (QLabel* label : box.findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
    giveRoom(box);
}

}  // namespace qs::widgets
