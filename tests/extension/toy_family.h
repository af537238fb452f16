#pragma once

namespace qs::tests {

// "toynet:CLASSES": rows of a table by whole numbers, averaged, scaled and multiplied. Two inputs,
// one of them whole and one without a batch; a state that counts passes; logits. Its size "steps"
// is an axis that no file of the product knows.
void registerToyFamily();

}  // namespace qs::tests
