#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace qs::widgets {

// Says what is wrong with the editor above it. Its line is kept while there is nothing to say: what
// stands below may not move while one types.
[[nodiscard]] QLabel* newMessageLine(const QString& name, QWidget* parent);
// In one line, the whole of it in the tool tip; empty: nothing is wrong.
void showMessage(QLabel& line, const QString& message);

}  // namespace qs::widgets
