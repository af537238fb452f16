#pragma once

#include "core/base/note.h"
#include "core/device/description.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"
#include "core/sweep/cell.h"

#include <string>
#include <vector>

namespace qs::core {

// Whether and how a cell can run on a device, in words for people.
struct Validity {
    std::string impossible;   // the first reason why it cannot; empty if it can
    std::vector<Note> notes;  // of a possible cell: paddings, reference paths, stages left out

    [[nodiscard]] bool possible() const { return impossible.empty(); }
};

// `recipe` belongs to the model and comes from the texts of the cell; `device` is the one that the
// cell names. Makes the whole Program for the notes: milliseconds.
[[nodiscard]] Validity checkCell(const CellConfig& cell, const Model& model, const Recipe& recipe,
                                 const DeviceDescription& device);

// The rules alone: the reason, or an empty text. Makes no Program.
[[nodiscard]] std::string whyImpossible(const CellConfig& cell, const Model& model,
                                        const Recipe& recipe, const DeviceDescription& device);

// One note for each stage that is to be quantized and of which the layer filter hits no layer.
// For recipes that whyImpossible accepts.
[[nodiscard]] std::vector<Note> notesOnStages(const CellConfig& cell, const Model& model,
                                              const Recipe& recipe);

}  // namespace qs::core
