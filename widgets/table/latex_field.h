#pragma once

#include <QString>

namespace qs::widgets {

// A text as a cell of a LaTeX table shows it, whichever the encodings of the document.
[[nodiscard]] QString latexField(const QString& text);

}  // namespace qs::widgets
