#pragma once

#include "core/base/note.h"
#include "core/device/description.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"
#include "core/sweep/cell.h"

#include <optional>
#include <vector>

namespace qs::core {

// Why the cell cannot run on the device that it names: the first reason, or nothing.
// `recipe` belongs to the model and comes from the texts of the cell. Makes no Program.
[[nodiscard]] std::optional<Note> whyImpossible(const CellConfig& cell, const Model& model,
                                                const Recipe& recipe,
                                                const DeviceDescription& device);

// Why a recipe that quantizes would quantize no layer at all: its filter hits none, or its
// precision takes none of those; nothing if it quantizes one.
[[nodiscard]] std::optional<Note> whyNoLayer(const CellConfig& cell, const Model& model,
                                             const Recipe& recipe);

// One note for each stage that is to be quantized and of which the layer filter hits no layer, or
// of which the precision cannot take every layer that the filter hits.
// For recipes that whyImpossible accepts.
[[nodiscard]] std::vector<Note> notesOnStages(const CellConfig& cell, const Model& model,
                                              const Recipe& recipe);

}  // namespace qs::core
