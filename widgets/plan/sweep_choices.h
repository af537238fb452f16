#pragma once

#include "widgets/plan/choice_list.h"

namespace qs::widgets {

// What the lists of the sweep offer, each value with a sentence about it.
[[nodiscard]] QList<ChoiceList::Choice> compileChoices();
// A mode that no list offers: regions that were chosen, stages with modes of their own.
[[nodiscard]] ChoiceList::Choice otherCompileChoice(const QString& value);
[[nodiscard]] QList<ChoiceList::Choice> attentionChoices();
[[nodiscard]] QList<ChoiceList::Choice> inputChoices();

}  // namespace qs::widgets
