#pragma once

#include "widgets/layout/toggle_button.h"

#include <QString>

class QComboBox;

namespace qs::widgets {

[[nodiscard]] QComboBox* makeChooser(const QString& name, const QString& accessible,
                                     const QString& tip);
// Names and describes `button`, and returns it.
QToolButton* makeButton(QToolButton* button, const QString& name, const QString& text,
                        const QString& tip);

}  // namespace qs::widgets
