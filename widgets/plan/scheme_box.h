#pragma once

#include "core/quant/scheme.h"
#include "widgets/plan/reason_texts.h"

#include <QRect>
#include <QString>

class QCheckBox;
class QToolButton;
class QWidget;

// The parts of a line or a cell that stands for one value of an axis.
namespace qs::widgets {

// A box named "choice:" and the value.
[[nodiscard]] QCheckBox* newSchemeBox(const QString& value, QWidget* parent);
// "options:" and the value: it opens the parameters.
[[nodiscard]] QToolButton* newOptionsButton(const QString& value, QWidget* parent);

// Grey and slanted: what the box stands for cannot run, but can be chosen for a device that can.
void showImpossible(QCheckBox& box, bool impossible);
// What its tool tip says, and whether it can run.
void showScheme(QCheckBox& box, const core::Scheme& scheme, const Reasons& reasons);

// Of a widget.
[[nodiscard]] QRect placeOnScreen(const QWidget& widget);

}  // namespace qs::widgets
