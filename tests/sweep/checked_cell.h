#pragma once

#include "core/lower/compiled_work.h"
#include "core/lower/eager_stage.h"
#include "core/lower/fused/kernel_notes.h"
#include "core/sweep/validity.h"

#include <optional>
#include <utility>
#include <vector>

// What the planner says of one cell, made from the rules and a Program of its own.
namespace qs::core {

// Whether and how a cell can run on a device.
struct Validity {
    std::optional<Note> impossible;  // the first reason why it cannot
    std::vector<Note> notes;  // of a possible cell: paddings, reference paths, stages left out

    [[nodiscard]] bool possible() const { return !impossible; }
};

inline Validity checkCell(const CellConfig& cell, const Model& model, const Recipe& recipe,
                          const DeviceDescription& device)
{
    Validity validity;
    validity.impossible = whyImpossible(cell, model, recipe, device);
    if (!validity.possible())
        return validity;
    const auto program = lower(
        *model.family,
        {recipe, {cell.batch, cell.sizes}, parseCompileModes(cell.compile, recipe.size()).value()});
    if (!program.ok()) {
        validity.impossible = remark(program.error().message);
        return validity;
    }
    validity.impossible = whyNotCompiled(program.value(), recipe, device);
    if (!validity.possible())
        return validity;
    const auto stages = stagesAsRun(program.value(), device);
    if (!stages.ok()) {
        validity.impossible = remark(stages.error().message);
        return validity;
    }
    validity.notes = notesAsRun(program.value(), stages.value(), device);
    for (Note& note : notesOnStages(cell, model, recipe))
        validity.notes.push_back(std::move(note));
    return validity;
}

}  // namespace qs::core
