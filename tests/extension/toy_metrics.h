#pragma once

namespace qs::tests {

// "toy_gap" of logits, the difference of the largest scores, and "toy_rows" of cells, how many rows
// the run has.
void registerToyMetrics();

}  // namespace qs::tests
