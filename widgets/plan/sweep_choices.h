#pragma once

#include "widgets/plan/choice_list.h"

namespace qs::widgets {

// What the lists of the sweep offer, each value with a sentence about it.
[[nodiscard]] QList<ChoiceList::Choice> compileChoices();
[[nodiscard]] QList<ChoiceList::Choice> attentionChoices();
[[nodiscard]] QList<ChoiceList::Choice> inputChoices();

}  // namespace qs::widgets
