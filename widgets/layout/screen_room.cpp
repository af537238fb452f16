#include "widgets/layout/screen_room.h"

#include <QScreen>
#include <QWidget>

namespace qs::widgets {

void resizeWithinScreen(QWidget& window, QSize usual)
{
    constexpr int kFrame = 48;  // what a window manager puts above and below a window
    window.resize(usual.boundedTo(window.screen()->availableSize() - QSize(0, kFrame)));
}

}  // namespace qs::widgets
