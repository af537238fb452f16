#pragma once

#include "app/gui/settings.h"

class QApplication;

namespace qs::app {

// System leaves style and palette as the desktop gives them, and Fusion on our grid where it gives
// no style; the others use the Fusion style, the only one that takes any palette everywhere.
void applyTheme(QApplication& application, Theme theme);

}  // namespace qs::app
