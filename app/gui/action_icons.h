#pragma once

#include <QIcon>

class QPalette;

namespace qs::app {

enum class ActionIcon { Pause, Skip, StopAfterCell, StopNow };

// Painted in the text colour of the palette: the icons of some styles are black on every theme.
[[nodiscard]] QIcon actionIcon(ActionIcon icon, const QPalette& palette);

}  // namespace qs::app
