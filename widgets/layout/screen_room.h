#pragma once

#include <QSize>

class QWidget;

namespace qs::widgets {

// Gives a window of its own the size that it usually has, or what the screen has room for.
void resizeWithinScreen(QWidget& window, QSize usual);

}  // namespace qs::widgets
