#pragma once

#include "core/base/note.h"
#include "core/lower/program.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"
#include "core/sweep/calibration_sets.h"
#include "core/sweep/cell.h"
#include "core/sweep/estimate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What calibration means for a cell before it runs.

// SHA-256 of the files that the samples of all stages come from; empty where they are generated. A
// cell that is calibrated on others is another cell.
[[nodiscard]] std::string calibrationContent(const Model& model, const Recipe& recipe,
                                             CalibrationSets& sets);
// Why the statistics of a stage cannot be gathered: no set, one that does not fit the model, too
// few samples.
[[nodiscard]] std::optional<Note> whyNotCalibrated(const CellConfig& cell, const Model& model,
                                                   const Recipe& recipe, CalibrationSets& sets);
// Of a cell that can be calibrated: samples that quality is judged on as well.
[[nodiscard]] std::vector<Note> notesOnSamples(const CellConfig& cell, const Model& model,
                                               const Recipe& recipe, CalibrationSets& sets);
// Layers whose weights are solved for with fewer rows of inputs than a row has values: their second
// moments have not full rank. Of a program with batches of so many.
[[nodiscard]] std::vector<Note> notesOnRows(const Model& model, const Recipe& recipe,
                                            const Program& program, std::int64_t batch);
// Seconds of all stages, 0 without calibration; `sampleSeconds` is a pass with a batch of 1.
[[nodiscard]] double calibrationSeconds(const ModelFamily& family, const Recipe& recipe,
                                        const DeviceDescription& device, double sampleSeconds);

}  // namespace qs::core
