#pragma once

#include <QList>

class QWidget;

namespace qs::app {

// Gives the keyboard to the widget of the part that is meant to have it, or to the first that takes
// Tab. False if none does.
bool focusInto(QWidget& part);
// To the part after the one that has the keyboard, or before it, round and round; parts that are
// hidden or take no keyboard are passed over.
void focusNextPart(const QList<QWidget*>& parts, bool forward);

}  // namespace qs::app
