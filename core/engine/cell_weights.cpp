#include "core/engine/cell_weights.h"

#include "core/engine/execute/attention_choice.h"
#include "core/engine/phase_timer.h"
#include "core/engine/quantize/calibrator.h"
#include "core/engine/weights/lay_out_weights.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/engine/weights/storage_audit.h"
#include "core/quant/calibration.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

// With the content, because the file behind a path may have changed since. What is calibrated
// depends on the sizes as well.
std::string keyOf(const LoweredCell& cell, const core::CellRequest& request)
{
    std::string key = cell.model->contentId + "|" + core::weightsKey(request.config);
    // Not all shapes run all stages.
    key += "|" + std::to_string(cell.program.stages.size()) + " stages";
    if (padsRows(cell.program, cell.device))
        key += "|rows of 128 bytes";
    if (calibratedStages(cell.program).empty())
        return key;
    for (const core::NamedSize& size : request.config.sizes)
        key += "|" + size.name + "=" + std::to_string(size.value);
    return key + "|" + request.runFolder + "|" + request.inputFile + "|" +
           core::jsonText(core::toJson(request.feeding)) + "|" + request.calibrationFolder + "|" +
           core::jsonText(core::toJson(request.calibration));
}

GivenSamples givenBy(const SampleSet* set, const core::ModelFamily& family)
{
    if (set == nullptr)
        return {};
    return {set->count(),
            [set, &family](std::int64_t number) { return set->prepared(family, number, 1); }};
}

Result<SampleSet> ownSet(const WeightsDemand& demand)
{
    if (demand.request.calibration.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "set=own needs a calibration set, and none is given"};
    return SampleSet::calibration(demand.request, *demand.cell.model->family, demand.cell.program);
}

}  // namespace

Status CellWeights::provide(const WeightsDemand& demand)
{
    core::CellResult& result = demand.result;
    std::string key = keyOf(demand.cell, demand.request);
    if (m_loaded && m_loaded->key == key) {
        result.notes.push_back({core::NoteCode::WeightsKept});
    } else {
        m_loaded.reset();
        demand.backend.releaseCache();
        demand.backend.resetPeaks();
        m_loaded = Loaded{std::move(key)};
        QS_RETURN_IF_ERROR(load(demand));
        QS_TRY(const std::size_t done, calibrate(demand));
        QS_RETURN_IF_ERROR(quantize(done, demand));
        if (padsRows(demand.cell.program, demand.cell.device))
            padRows(m_loaded->stages);
        result.memory.loadAllocatedPeak = demand.backend.memory().allocatedPeak;
        demand.backend.releaseCache();
    }
    result.calibration = m_loaded->calibration;
    for (core::Note& note : calibrationNotes(result.calibration))
        result.notes.push_back(std::move(note));
    result.storage = reportStorage(*demand.cell.model, demand.cell.recipe, m_loaded->stages);
    return {};
}

Status CellWeights::load(const WeightsDemand& demand)
{
    const PhaseTimer timer(core::Phase::Load, demand.result, demand.observer);
    const core::Model& model = *demand.cell.model;
    const core::Program& program = demand.cell.program;
    const c10::Device device = demand.backend.device();
    QS_TRY(WeightLoader loader, WeightLoader::create(model, device));
    const double stageCount = static_cast<double>(program.stages.size());
    // What files hold quantized is not solved again.
    const bool solves = model.quantized.empty();
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        const auto progressed = [&](std::int64_t done, std::int64_t total) {
            const double part = static_cast<double>(done) / static_cast<double>(total);
            return demand.observer.progressed((static_cast<double>(stage) + part) / stageCount);
        };
        QS_TRY(StageWeights weights,
               loader.load(stage, program.stages[stage].workingType, progressed,
                           solves ? solvedWeights(*model.family, program, stage)
                                  : std::set<std::string>{}));
        QS_RETURN_IF_ERROR(
            restoreWeights(weights, model, program, stage, WeightsToRestore::Unquantized, device));
        QS_RETURN_IF_ERROR(foldWeights(weights, program.stages[stage], device));
        m_loaded->stages.push_back(std::move(weights));
    }
    demand.backend.synchronize();
    return {};
}

Result<std::size_t> CellWeights::calibrate(const WeightsDemand& demand)
{
    const LoweredCell& cell = demand.cell;
    // What files hold quantized needs no calibration.
    if (calibratedStages(cell.program).empty() || !cell.model->quantized.empty())
        return std::size_t{0};
    const PhaseTimer timer(core::Phase::Calibrate, demand.result, demand.observer);
    // Cells share what is calibrated, whatever kernel they attend with.
    chooseAttention(core::AttentionKernel::Auto);
    const core::ModelFamily& family = *cell.model->family;
    std::optional<SampleSet> own;
    if (core::anyCalibratesOn(core::CalibrationSet::Own, demand.request.config.precision)) {
        QS_TRY(SampleSet set, ownSet(demand));
        own.emplace(std::move(set));
    }
    Calibrator calibrator(
        {*cell.model, cell.recipe, demand.request.config, cell.device, demand.backend.device(),
         givenBy(demand.pictures, family), givenBy(own ? &*own : nullptr, family),
         CalibrationCache(cacheOf(demand.request, "calibration")), cell.rounders});
    QS_TRY(const std::size_t done, calibrator.run(m_loaded->stages, [&](double fraction) {
        return demand.observer.progressed(fraction);
    }));
    m_loaded->calibration = calibrator.made();
    demand.backend.synchronize();
    return done;
}

Status CellWeights::quantize(std::size_t first, const WeightsDemand& demand)
{
    const PhaseTimer timer(core::Phase::Quantize, demand.result, demand.observer);
    const core::Program& program = demand.cell.program;
    for (std::size_t stage = first; stage < program.stages.size(); ++stage) {
        const std::size_t owner = core::weightOwner(*demand.cell.model->family, stage);
        const QuantizedStage shared{program.stages[owner], m_loaded->stages[owner]};
        QS_RETURN_IF_ERROR(quantizeWeights(
            m_loaded->stages[stage], program.stages[stage], demand.backend.device(),
            [&](double fraction) { return demand.observer.progressed(fraction); },
            owner == stage ? nullptr : &shared));
    }
    demand.backend.synchronize();
    return {};
}

}  // namespace qs::engine
