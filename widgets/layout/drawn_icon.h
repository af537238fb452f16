#pragma once

#include <QIcon>

namespace qs::widgets {

// The one family of icons. Icons of a style are black on every theme, or of another family each.
enum class DrawnIcon {
    Pause,
    Skip,
    StopAfterCell,
    StopNow,
    Undo,
    Redo,
    Export,
    Warning,
    Information
};

// Drawn whenever it is painted, in the text colour of the application's palette then; a warning is
// amber on every ground. QIcon::name() of each begins with kIconFamily.
[[nodiscard]] QIcon drawnIcon(DrawnIcon icon);

inline constexpr const char* kIconFamily = "quantscope-";

}  // namespace qs::widgets
