#pragma once

#include "core/device/description.h"
#include "core/engine/quantize/calibration_cache.h"
#include "core/engine/quantize/column_rounder.h"
#include "core/engine/quantize/sample_run.h"
#include "core/lower/program.h"
#include "core/measure/calibration_record.h"
#include "core/model/model.h"
#include "core/quant/calibration.h"
#include "core/sweep/cell.h"

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::engine {

// Samples that are not made here.
struct GivenSamples {
    std::int64_t count = 0;
    SampleSource source = {};
};

// What calibration works with; all of it outlives it.
struct CalibrationSetup {
    const core::Model& model;
    const core::Recipe& recipe;
    const core::CellConfig& config;
    const core::DeviceDescription& description;
    c10::Device device;
    GivenSamples inputs;  // of the run
    GivenSamples own;     // those of set=own
    CalibrationCache cache;
    const ColumnRounders& rounders;  // that the schemes ask for
};

// Note [Calibration]
// Stage after stage: what its schemes have to know of the inputs of its layers is gathered from
// samples that have passed the stages before as those are quantized, then its weights are
// quantized. Samples go one at a time, whatever the batch of the cell is, so that cells of every
// batch have the same weights. Weights that a stage shares with an earlier one under the same
// scheme are taken from there.
class Calibrator final
{
public:
    explicit Calibrator(CalibrationSetup setup) : m_setup(std::move(setup)) {}

    // Quantizes the stages up to the last one that needs calibration, in place, and says how many
    // they are.
    [[nodiscard]] core::Result<std::size_t> run(std::vector<StageWeights>& weights,
                                                const Progress& progress);
    [[nodiscard]] const std::vector<core::StageCalibration>& made() const { return m_made; }

private:
    [[nodiscard]] core::Status runStage(std::size_t stage, std::vector<StageWeights>& weights,
                                        const Progress& progress);
    // SHA-256 of all that decides what the stage is given.
    [[nodiscard]] core::Result<std::string> contentOf(std::size_t stage);
    [[nodiscard]] core::Result<StageFindings> makeFindings(std::size_t stage,
                                                           const std::vector<StageWeights>& weights,
                                                           const Progress& progress);
    [[nodiscard]] core::Status placeSamples(const core::Scheme& scheme, std::size_t stage,
                                            const std::vector<StageWeights>& weights,
                                            const Progress& progress);
    [[nodiscard]] core::Result<SampleSource> sourceOf(const core::CalibrationSettings& settings);

    CalibrationSetup m_setup;
    core::Program m_program;  // of a batch of 1
    std::optional<SampleRun> m_run;
    core::CalibrationSettings m_filled;  // what the samples of the run are
    std::vector<core::StageCalibration> m_made;
};

// The stages of a program whose weights cannot be quantized without calibration, in their order.
[[nodiscard]] std::vector<std::size_t> calibratedStages(const core::Program& program);

// Weights of a stage that a solver turns before anything else reads them, in every stage that
// shares them: they may wait on the host.
[[nodiscard]] std::set<std::string> solvedWeights(const core::ModelFamily& family,
                                                  const core::Program& program, std::size_t stage);

// What a row says of it.
[[nodiscard]] std::vector<core::Note>
calibrationNotes(const std::vector<core::StageCalibration>& made);

}  // namespace qs::engine
