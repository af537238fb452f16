#pragma once

#include "core/measure/cell_result.h"

#include <string>
#include <vector>

namespace qs::core {

// Note [Clock steps]
// The events of a GPU tell time in steps. Short passes are timed in blocks, so that a step is
// nothing beside a block (Note [Blocks] in core/measure/sampler.h). But passes with a cold cache,
// passes whose inputs are copied, and stages lie each between events of their own.
inline constexpr double kEventStepSeconds = 0.5e-6;
// Of a stretch; a step that is less of it needs no word. Stages only tell where the time of a pass
// goes, and no verdict is formed on them.
inline constexpr double kNegligibleStep = 0.0005;
inline constexpr double kNegligibleStageStep = 0.005;

// What a row has to say of stretches that are short beside the steps: one note for passes, one for
// stages; none on a CPU, whose clock is finer.
[[nodiscard]] std::vector<Note> clockStepNotes(const CellResult& result);

}  // namespace qs::core
