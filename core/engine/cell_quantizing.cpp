#include "core/engine/cell_quantizing.h"

#include "core/engine/cell_sampling.h"
#include "core/engine/phase_timer.h"
#include "core/engine/weights/storage_audit.h"
#include "core/measure/sampler.h"
#include "core/sweep/cell_workload.h"

#include <array>
#include <optional>
#include <utility>

namespace qs::engine {

using core::CellResult;
using core::PassSample;
using core::Phase;
using core::Result;
using core::Status;

namespace {

constexpr std::array<Phase, 3> kPhasesOfSample{Phase::Load, Phase::Calibrate, Phase::Quantize};
static_assert(kPhasesOfSample.size() == core::kQuantizingParts.size());

double secondsOf(const CellResult& result, Phase phase)
{
    const core::PhaseTime* time = result.phase(phase);
    return time == nullptr ? 0.0 : time->seconds;
}

std::optional<core::AllocatorFigures> allocatorFigures(const core::MemoryFigures& memory)
{
    if (!memory.allocatedPeak || !memory.reservedPeak || !memory.reserved)
        return std::nullopt;
    return core::AllocatorFigures{*memory.allocatedPeak, *memory.reservedPeak, *memory.reserved};
}

// Quantizes anew for each sample; of the last one all that a row tells is kept.
class QuantizingSamples final
{
public:
    QuantizingSamples(const WeightsDemand& demand, CellWeights& weights)
        : m_demand(demand), m_weights(weights), m_request(demand.request)
    {
        m_request.cacheFolder.clear();
    }

    Result<PassSample> run()
    {
        m_last = CellResult{};
        m_last.began = m_demand.result.began;
        m_weights.release();
        const double begin = secondsNow();
        QS_RETURN_IF_ERROR(m_weights.provide({m_demand.cell, m_request, m_demand.pictures,
                                              m_demand.backend, m_demand.observer, m_last}));
        PassSample sample;
        sample.hostSeconds = secondsNow() - begin;
        if (!std::exchange(m_hasSampled, true))
            m_first = allocatorFigures(m_demand.backend.memory());
        for (const Phase phase : kPhasesOfSample)
            sample.stageSeconds.push_back(secondsOf(m_last, phase));
        return sample;
    }

    [[nodiscard]] CellResult& last() { return m_last; }
    [[nodiscard]] const std::optional<core::AllocatorFigures>& first() const { return m_first; }
    [[nodiscard]] std::vector<core::LargeTensor> tensors() const
    {
        return largeTensors(*m_demand.cell.model->family, m_weights.stages());
    }

private:
    const WeightsDemand& m_demand;
    CellWeights& m_weights;
    core::CellRequest m_request;  // without a cache
    CellResult m_last;
    std::optional<core::AllocatorFigures> m_first;  // none without an allocator that counts
    bool m_hasSampled = false;
};

void takeQuantizing(const core::SamplingOutcome& outcome, CellResult& last, CellResult& result)
{
    for (const std::string_view part : core::kQuantizingParts)
        result.stages.push_back({std::string(part), {}, std::nullopt});
    takeSamples(outcome, result);
    for (const Phase phase : kPhasesOfSample) {
        if (const core::PhaseTime* time = last.phase(phase))
            result.phases.push_back(*time);
    }
    result.memory.loadAllocatedPeak = last.memory.loadAllocatedPeak;
    result.calibration = std::move(last.calibration);
    result.storage = std::move(last.storage);
    for (core::Note& note : last.notes)
        result.notes.push_back(std::move(note));
}

}  // namespace

Status sampleQuantizing(const WeightsDemand& demand, CellWeights& weights)
{
    CellResult& result = demand.result;
    QuantizingSamples samples(demand, weights);
    std::optional<PartTimer> timer(std::in_place, Phase::Warmup, result);
    core::SamplingHooks hooks;
    hooks.runPass = [&] { return samples.run(); };
    hooks.now = secondsNow;
    hooks.progress = [&](Phase, double) { return demand.observer.progressed(1.0); };
    hooks.sampled = [&](double seconds) { demand.observer.sampled(seconds); };
    hooks.warm = [&] {
        timer.reset();
        timer.emplace(Phase::Measure, result);
    };
    QS_TRY(const core::SamplingOutcome outcome,
           core::samplePasses(demand.request.measurement, hooks));
    timer.reset();
    takeQuantizing(outcome, samples.last(), result);
    result.memory.firstSample = samples.first();
    result.storage.tensors = samples.tensors();
    return {};
}

}  // namespace qs::engine
