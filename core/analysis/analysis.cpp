#include "core/analysis/analysis.h"

#include "core/analysis/across_devices.h"
#include "core/analysis/cell_times.h"
#include "core/analysis/claims.h"
#include "core/analysis/cost.h"
#include "core/analysis/counted_rounds.h"
#include "core/analysis/doubts.h"
#include "core/analysis/noise_floors.h"
#include "core/analysis/quality_summary.h"
#include "core/analysis/speed_baseline.h"
#include "core/analysis/speed_verdicts.h"
#include "core/analysis/time_notes.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace qs::core {

namespace {

// The pictures of one round were compared; those of another may not equal the reference.
void withdrawDeterminism(const NoiseFloor* floor, CellSummary& summary)
{
    const bool luck =
        summary.repeatable == false || (floor != nullptr && floor->referenceRepeats == false);
    if (luck && summary.noiseResult == NoiseResult::Deterministic)
        summary.noiseResult = summary.noiseMultiple ? NoiseResult::AtFloor : NoiseResult::Unknown;
}

// Hundreds of cells look for theirs.
class FloorIndex
{
public:
    explicit FloorIndex(const std::vector<NoiseFloor>& floors)
    {
        for (const NoiseFloor& floor : floors)
            m_floors.emplace(std::pair(floor.referenceId, floor.environmentId), &floor);
    }

    [[nodiscard]] const NoiseFloor* find(const std::string& referenceId,
                                         const std::string& environmentId) const
    {
        const auto found = m_floors.find({referenceId, environmentId});
        return found == m_floors.end() ? nullptr : found->second;
    }

private:
    std::map<std::pair<std::string, std::string>, const NoiseFloor*> m_floors;
};

// By reference: what shares a reference has the same model, seed and shape.
std::unordered_map<std::string, std::string> goldenRuns(const Plan& plan)
{
    std::unordered_map<std::string, std::string> goldens;
    for (const PlannedCell& cell : plan.cells) {
        if (isGoldenRun(cell))
            goldens.emplace(cell.referenceId, cell.id);
    }
    return goldens;
}

// Whose products have kernels of its own.
bool isNewChip(const DeviceDescription* device)
{
    return device != nullptr && device->computeMajor >= 9;
}

// What the rows of each cell alone tell, on several threads: a run may have ten thousand cells.
std::vector<CellSummary> timesOfCells(const Plan& plan, const CountedRounds& rounds)
{
    std::vector<CellSummary> summaries(plan.cells.size());
    inParallel(summaries.size(), [&](std::size_t i) {
        const PlannedCell& cell = plan.cells[i];
        CellSummary& summary = summaries[i];
        summary.cellId = cell.id;
        summary.cell = &cell;
        summary.roundsPlanned = cell.possible() ? plan.roundsOf(cell) : 0;
        fillTimes(cell, rounds, i, summary);
    });
    return summaries;
}

void fillMemoryOverheads(Analysis& analysis)
{
    for (CellSummary& summary : analysis.cells) {
        const CellSummary* baseline = analysis.find(summary.baselineId);
        if (baseline == nullptr || baseline == &summary ||
            baseline->environmentId != summary.environmentId)
            continue;
        const auto overhead =
            [&](std::optional<std::int64_t> MemoryFigures::*peak) -> std::optional<double> {
            const auto before = baseline->memory.*peak;
            const auto now = summary.memory.*peak;
            if (before.value_or(0) <= 0 || !now)
                return std::nullopt;
            return static_cast<double>(*now) / static_cast<double>(*before) - 1.0;
        };
        summary.memoryOverhead = overhead(&MemoryFigures::allocatedPeak);
        summary.reservedOverhead = overhead(&MemoryFigures::reservedPeak);
    }
}

Analysis withBaseline(const RunData& data, const RunFigures& figures, const std::string& baseline)
{
    const CountedRounds rounds(data.plan, figures);
    const QualityIndex qualities(data.qualities);
    const MeasuredDevices devices(data);
    SpeedBaseline speed(data.plan, rounds, baseline);
    Analysis analysis;
    analysis.floors = noiseFloors(data.plan, rounds, qualities);
    analysis.outputs = figures.outputs();
    analysis.rows = figures.outline();
    const FloorIndex floors(analysis.floors);
    const auto goldens = goldenRuns(data.plan);
    analysis.labels = distinguish(data.plan.cells);
    analysis.cells = timesOfCells(data.plan, rounds);
    for (std::size_t i = 0; i < data.plan.cells.size(); ++i) {
        const PlannedCell& cell = data.plan.cells[i];
        CellSummary& summary = analysis.cells[i];
        speed.fill(i, summary);
        const std::string environment = rounds.environmentOf(i);
        const auto golden = goldens.find(cell.referenceId);
        const NoiseFloor* floor = floors.find(cell.referenceId, environment);
        fillQuality(cell, qualities,
                    {.environmentId = environment,
                     .floor = floor,
                     .goldenId = golden == goldens.end() ? std::string() : golden->second},
                    summary);
        withdrawDeterminism(floor, summary);
        summary.doubts = doubtsAbout(summary, devices);
        noteTimeDivision(isNewChip(devices.device(environment, cell.config.device)), summary);
        analysis.places.emplace(cell.id, i);
    }
    fillMemoryOverheads(analysis);
    noteSameKernels(analysis.cells);
    judgeSpeeds(analysis.cells, data.plan.looks);
    compareWithCpu(analysis.cells);
    fillCompileCosts(devices, analysis);
    judgeQualities(analysis.cells, [&](std::size_t cell) {
        return outputsText(rounds.rounds(cell, rounds.environmentOf(cell)));
    });
    fillCosts(data.plan.preset.price, figures, analysis.cells);
    return analysis;
}

}  // namespace

Analysis analyse(const RunData& data, const std::string& baseline)
{
    return analyse(data, RunFigures(data.measurements), baseline);
}

Analysis analyse(const RunData& data, const RunFigures& figures, const std::string& baseline)
{
    Analysis analysis = withBaseline(data, figures, baseline);
    // Claims name their own speed baselines.
    std::map<std::string, Analysis> others;
    analysis.claims = evaluateClaims(data, [&](const std::string& wanted) -> const Analysis& {
        if (wanted == baseline)
            return analysis;
        const auto known = others.find(wanted);
        return known != others.end()
                   ? known->second
                   : others.emplace(wanted, withBaseline(data, figures, wanted)).first->second;
    });
    return analysis;
}

}  // namespace qs::core
