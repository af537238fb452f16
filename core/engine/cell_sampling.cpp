#include "core/engine/cell_sampling.h"

#include "core/engine/cell_outputs.h"
#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/core_pin.h"
#include "core/engine/phase_timer.h"
#include "core/measure/clock_steps.h"
#include "core/measure/sampler.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace qs::engine {

using core::CellRequest;
using core::CellResult;
using core::Result;
using core::Status;

namespace {

// Samples of one pass each that tell how long it takes, before blocks are planned.
constexpr int kPassesToPlanBlocks = 5;
// One is enough if a pass so many times as fast would be a block by itself.
constexpr double kClearly = 10.0;

bool asksForColdCache(const SamplingSetup& setup)
{
    return setup.request.measurement.cache == core::CacheState::Cold;
}

// The passes take turns with as many batches as were asked for and as there are inputs for.
Status feedBatches(const SamplingSetup& setup)
{
    const CellRequest& request = setup.request;
    CellResult& result = setup.result;
    QS_TRY(const core::InputResidency residency, core::parseInputResidency(request.config.inputs));
    const std::int64_t batch = request.config.batch;
    const int asked = request.measurement.distinctBatches;
    result.distinctBatches =
        static_cast<int>(std::min<std::int64_t>(asked, setup.inputs.batches(batch)));
    if (result.distinctBatches < asked)
        result.notes.push_back(
            {core::NoteCode::FewerDistinctBatches,
             {double(asked), double(result.distinctBatches), double(setup.inputs.count())}});
    return setup.pipeline.feedFrom(residency, result.distinctBatches, [&](int number) {
        return setup.inputs.prepared(setup.family, number * batch, batch);
    });
}

// Decides how samples are taken: what a pass finds, and how many of them make a block.
Status prepareSampling(const SamplingSetup& setup)
{
    Pipeline& pipeline = setup.pipeline;
    CellResult& result = setup.result;
    const bool timesDevice = setup.backend.hasDeviceClock();
    QS_RETURN_IF_ERROR(feedBatches(setup));
    const bool cold = timesDevice && asksForColdCache(setup);
    pipeline.setConditions(1, cold);
    // Fed passes come one by one: their copies are part of what is measured.
    if (timesDevice && pipeline.conditions()->inputs == core::InputResidency::Device) {
        double shortest = pipeline.sample().seconds();
        for (int i = 1; i < kPassesToPlanBlocks && core::passesPerBlock(shortest / kClearly) > 1;
             ++i)
            shortest = std::min(shortest, pipeline.sample().seconds());
        // Warm, at the clock of later on, a pass may take half as long.
        result.passesPerSample = core::passesPerBlock(0.5 * shortest);
        pipeline.setConditions(result.passesPerSample, cold);
    }
    result.conditions = pipeline.conditions();
    if (!timesDevice && asksForColdCache(setup))
        result.notes.push_back({core::NoteCode::ColdCacheNeedsGpu});
    return {};
}

// What was planned may not have held: see StreamGate.
void confirmConditions(const Pipeline& pipeline, CellResult& result)
{
    const auto conditions = pipeline.conditions();
    if (conditions != result.conditions)
        result.notes.push_back({core::NoteCode::GateGivenUp});
    result.conditions = conditions;
}

core::SamplingHooks samplingHooks(const SamplingSetup& setup)
{
    core::SamplingHooks hooks;
    hooks.passesPerSample = setup.result.passesPerSample;
    hooks.runPass = [&pipeline = setup.pipeline]() -> Result<core::PassSample> {
        return pipeline.sample();
    };
    hooks.now = secondsNow;
    hooks.progress = [&observer = setup.observer](core::Phase, double fraction) {
        return observer.progressed(fraction);
    };
    hooks.sampled = [&observer = setup.observer](double seconds) { observer.sampled(seconds); };
    return hooks;
}

Status measure(const SamplingSetup& setup)
{
    CellResult& result = setup.result;
    std::optional<PhaseTimer> timer(std::in_place, core::Phase::Warmup, result, setup.observer);
    core::SamplingHooks hooks = samplingHooks(setup);
    hooks.warm = [&] {
        timer.reset();
        timer.emplace(core::Phase::Measure, result, setup.observer);
    };
    QS_TRY(const core::SamplingOutcome outcome,
           core::samplePasses(setup.request.measurement, hooks));
    timer.reset();
    takeSamples(outcome, result);
    confirmConditions(setup.pipeline, result);
    for (core::Note& note : core::clockStepNotes(result))
        result.notes.push_back(std::move(note));
    return {};
}

// Passes for the energy counter, which the supervising process reads meanwhile.
Status spendEnergy(const SamplingSetup& setup)
{
    CellResult& result = setup.result;
    const double seconds = setup.request.measurement.energySeconds;
    if (seconds <= 0.0)
        return {};
    if (!setup.backend.hasDeviceClock()) {
        result.notes.push_back({core::NoteCode::NoEnergyOnCpu});
        return {};
    }
    if (asksForColdCache(setup)) {
        // What empties the cache before each pass would count as the work's.
        result.notes.push_back({core::NoteCode::NoEnergyColdCache});
        return {};
    }
    const PhaseTimer timer(core::Phase::Energy, result, setup.observer);
    QS_TRY(result.energy, core::repeatPasses(seconds, samplingHooks(setup)));
    result.energy->start -= result.began;
    return {};
}

}  // namespace

void takeSamples(const core::SamplingOutcome& outcome, CellResult& result)
{
    for (const core::PassSample& sample : outcome.samples) {
        result.hostSeconds.push_back(sample.hostSeconds);
        result.sampleStart.push_back(sample.start - result.began);
        if (sample.endToEndSeconds > 0.0)
            result.endToEndSeconds.push_back(sample.endToEndSeconds);
        if (sample.copySeconds > 0.0)
            result.copySeconds.push_back(sample.copySeconds);
        if (sample.deviceSeconds > 0.0)
            result.deviceSeconds.push_back(sample.deviceSeconds);
        // None where the whole pass was recorded as one.
        for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
            if (sample.stageSeconds.size() == result.stages.size())
                result.stages[stage].seconds.push_back(sample.stageSeconds[stage]);
        }
    }
    result.warmupSeconds = outcome.warmupSamples;
    result.firstSampleSeconds = outcome.firstSample;
    result.warmupPasses = outcome.warmupPasses;
    result.warmupEnd = outcome.warmupEnd;
    result.stopReason = outcome.stopReason;
}

Status sampleCell(const SamplingSetup& setup)
{
    std::optional<CorePin> pin;
    if (setup.backend.hasDeviceClock() && setup.request.measurement.pinCore)
        pin.emplace();
    QS_RETURN_IF_ERROR(prepareSampling(setup));
    QS_RETURN_IF_ERROR(measure(setup));
    if (pin && setup.result.conditions)
        setup.result.conditions->core = pin->core();
    return spendEnergy(setup);
}

}  // namespace qs::engine
