#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

namespace qs::app {

// Prints what readers must know of the whole run: what of it is missing, the warnings of its
// sessions …
void printWarnings(const core::RunData& data);
// … and that equal work differs in speed, or that others took processor time from cells, if so.
void printTimeWarnings(const core::Analysis& analysis);
// How the claims of the preset fared, each on a line; nothing without any.
void printClaims(const core::Analysis& analysis);

}  // namespace qs::app
