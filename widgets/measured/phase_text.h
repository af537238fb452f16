#pragma once

#include <QString>

#include <string>

namespace qs::widgets {

// The window's word for a phase: "warm-up", "first call".
[[nodiscard]] QString phaseText(const std::string& name);
// What happens in a phase, for tool tips; empty for one that is not known.
[[nodiscard]] QString phaseExplanation(const std::string& name);

}  // namespace qs::widgets
