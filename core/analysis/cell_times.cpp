#include "core/analysis/cell_times.h"

#include "core/analysis/speed_baseline.h"
#include "core/measure/sampler.h"
#include "core/stats/moments.h"
#include "core/stats/outliers.h"
#include "core/stats/quantiles.h"

#include <algorithm>

namespace qs::core {

namespace {

// From harmless to bad; the worst that occurred is the status of the cell.
int severity(CellStatus status)
{
    switch (status) {
    case CellStatus::Ok:
        return 0;
    case CellStatus::Skipped:
        return 1;
    case CellStatus::Cancelled:
        return 2;
    case CellStatus::NonFinite:
    case CellStatus::Differs:
        return 3;
    case CellStatus::Timeout:
        return 4;
    case CellStatus::Oom:
        return 5;
    case CellStatus::Unsupported:
        return 6;
    case CellStatus::CompileError:
        return 7;
    case CellStatus::Failed:
        return 8;
    case CellStatus::Crashed:
        return 9;
    }
    QS_ASSERT(false);
    return 9;
}

template <typename Value>
void keepLargest(Value& largest, const Value& candidate)
{
    // An empty optional is smaller than any value.
    largest = std::max(largest, candidate);
}

void addMemory(MemoryFigures& largest, const MemoryFigures& memory)
{
    keepLargest(largest.allocatedPeak, memory.allocatedPeak);
    keepLargest(largest.reservedPeak, memory.reservedPeak);
    keepLargest(largest.reserved, memory.reserved);
    keepLargest(largest.firstSample, memory.firstSample);
    keepLargest(largest.graphPool, memory.graphPool);
    keepLargest(largest.processPeak, memory.processPeak);
    keepLargest(largest.loadAllocatedPeak, memory.loadAllocatedPeak);
    keepLargest(largest.weightsResident, memory.weightsResident);
    keepLargest(largest.statesResident, memory.statesResident);
    keepLargest(largest.allocationRetries, memory.allocationRetries);
    if (memory.selfTest.severity() > largest.selfTest.severity())
        largest.selfTest = memory.selfTest;
}

// What the figures of a round say of it.
void addNotes(const RowFigures& row, std::vector<Note>& notes)
{
    if (row.memory.allocationRetries > 0)
        addNote(notes, {NoteCode::AllocatorRetried});
    if (row.warmupEnd == WarmupEnd::TimeLimit)
        addNote(notes, {NoteCode::WarmupNotSteady});
    const SelfTest& test = row.memory.selfTest;
    if (test.result != SelfTestResult::NotRun && !test.passed())
        addNote(notes, {NoteCode::NoMemoryFigures});
    if (test.passed() && test.attempts > 1)
        addNote(notes, {NoteCode::SelfTestRepeated, {double(test.attempts)}});
    if (test.passed() && test.processCounter == ProcessCounter::WholeDevice)
        addNote(notes, {NoteCode::WholeDeviceMemory});
}

void fillStatus(const std::vector<CountedRound>& rounds, CellSummary& summary)
{
    summary.status = CellStatus::Ok;
    for (const CountedRound& each : rounds) {
        if (each.row->ok())
            ++summary.roundsOk;
        if (severity(each.row->status()) > severity(summary.status)) {
            summary.status = each.row->status();
            summary.failure = each.row->evidence->failure;
        }
    }
    summary.measured = summary.roundsOk > 0;
}

// Samples of all rounds, each round reduced to one number per quantity.
struct RoundMedians {
    std::vector<double> pass;
    std::vector<double> host;
    std::vector<double> variation;
    std::vector<double> start;
    std::vector<double> firstSample;
    std::vector<std::vector<double>> stages;  // in order of the names in the summary
    std::vector<const RowDeviceFigures*> devices;
};

void addStages(const RowFigures& row, RoundMedians& medians, CellSummary& summary)
{
    for (const StageFigures& stage : row.stages) {
        const auto place =
            std::find(summary.stageNames.begin(), summary.stageNames.end(), stage.stage);
        const auto index = static_cast<std::size_t>(place - summary.stageNames.begin());
        if (place == summary.stageNames.end()) {
            summary.stageNames.push_back(stage.stage);
            summary.stagePeakBytes.emplace_back();
            medians.stages.emplace_back();
        }
        medians.stages[index].push_back(stage.seconds);
        keepLargest(summary.stagePeakBytes[index], stage.peakBytes);
    }
}

// Of several rounds the one that compiled longest; the distance is the largest of all.
void addCompiles(const std::vector<StageCompile>& stages, CellSummary& summary)
{
    auto cost = compileCostOf(stages);
    const auto& before = summary.compileCost;
    if (before && before->stages.size() == stages.size()) {
        if (!std::equal(stages.begin(), stages.end(), before->stages.begin(),
                        [](const StageCompile& a, const StageCompile& b) {
                            return sameChoices(a.kernels, b.kernels);
                        }))
            addNote(summary.notes, {NoteCode::RanDifferently});
        const bool longer = cost->coldSeconds > before->coldSeconds;
        std::vector<StageCompile> kept = longer ? cost->stages : before->stages;
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i].distanceToEager =
                std::max(stages[i].distanceToEager, before->stages[i].distanceToEager);
        cost = compileCostOf(kept);
    }
    summary.compileCost = std::move(cost);
}

// What ran, and on what.
void addEvidence(const RowEvidence& evidence, CellSummary& summary)
{
    if (!evidence.modelContent.empty()) {
        summary.modelChanged =
            summary.modelChanged ||
            (!summary.modelContent.empty() && summary.modelContent != evidence.modelContent);
        summary.modelContent = evidence.modelContent;
    }
    if (!evidence.compiles.empty())
        addCompiles(evidence.compiles, summary);
    if (summary.storage.offenderCount == 0)
        summary.storage = evidence.storage;
    if (!summary.executed.empty() && summary.executed != evidence.executed)
        addNote(summary.notes, {NoteCode::RanDifferently});
    summary.executed = evidence.executed;
    summary.attention = evidence.attention;
    for (const Note& note : evidence.notes)
        addNote(summary.notes, note);
}

void addRound(const RowFigures& row, RoundMedians& medians, CellSummary& summary)
{
    summary.samples += row.passes.size();
    if (row.seconds > 0.0) {
        medians.pass.push_back(row.seconds);
        summary.roundSeconds.push_back({row.round, row.seconds, row.beganAt});
    }
    if (row.hostSeconds)
        medians.host.push_back(*row.hostSeconds);
    if (row.startSeconds)
        medians.start.push_back(*row.startSeconds);
    if (row.firstSampleSeconds)
        medians.firstSample.push_back(*row.firstSampleSeconds);
    medians.devices.push_back(&row.device);
    if (row.passes.size() > 1)
        medians.variation.push_back(momentsOf(row.passes).coefficientOfVariation());
    addStages(row, medians, summary);
    addMemory(summary.memory, row.memory);
    keepLargest(summary.othersCores, row.othersCores);
    if (row.weightsFileBytes > 0)
        keepLargest(summary.weightsFileBytes, std::optional(row.weightsFileBytes));
    if (!summary.division && row.division)
        summary.division = *row.division;
    addNotes(row, summary.notes);
    addEvidence(*row.evidence, summary);
}

// The median of rounds may lie outside of the interval of their mean if one is far off.
Interval holding(const Interval& interval, double value)
{
    return {.lower = std::min(interval.lower, value), .upper = std::max(interval.upper, value)};
}

// Of a figure that each round has; needs as many rounds as every interval over rounds.
std::optional<Interval> overRounds(const std::vector<double>& values)
{
    if (values.size() < kRoundsForInterval)
        return std::nullopt;
    const auto ofMean = positiveInterval(values);
    return ofMean ? std::optional(holding(*ofMean, median(values))) : std::nullopt;
}

// A stage may take no time that its clock can tell.
double meanOf(const std::vector<double>& seconds)
{
    const bool positive =
        std::all_of(seconds.begin(), seconds.end(), [](double each) { return each > 0.0; });
    return positive ? geometricMean(seconds) : median(seconds);
}

void fillFrom(const RoundMedians& medians, CellSummary& summary)
{
    for (const std::vector<double>& stage : medians.stages)
        summary.stageSeconds.push_back(meanOf(stage));
    if (!medians.host.empty())
        summary.hostSeconds = meanOf(medians.host);
    if (!medians.variation.empty())
        summary.withinRoundVariation = median(medians.variation);
    if (!medians.start.empty())
        summary.startSeconds = median(medians.start);
    if (!medians.firstSample.empty())
        summary.firstSampleSeconds = median(medians.firstSample);
    summary.variationInterval = overRounds(medians.variation);
    if (medians.pass.empty())
        return;
    summary.seconds = geometricMean(medians.pass);
    summary.throughput = static_cast<double>(summary.cell->unitsPerPass) / summary.seconds;
    if (medians.pass.size() >= kRoundsForInterval)
        summary.secondsInterval = positiveInterval(medians.pass);
}

void fillRepeatable(const std::vector<CountedRound>& rounds, CellSummary& summary)
{
    summary.repeatable = outputsRepeat(rounds);
    if (summary.repeatable == false)
        addNote(summary.notes, {NoteCode::OutputsDiffer});
}

void noteOutliers(CellSummary& summary)
{
    if (!summary.distribution)
        return;
    const auto severe = static_cast<double>(summary.distribution->outliers.severe);
    if (severe > kSevereOutlierShare * static_cast<double>(summary.distribution->count))
        addNote(summary.notes, {NoteCode::SevereOutliers});
}

void noteOtherEnvironments(const RoundsByEnvironment& all, CellSummary& summary)
{
    if (all.size() < 2)
        return;
    summary.notes.push_back({NoteCode::OtherEnvironments, {double(all.size())}});
}

}  // namespace

void fillTimes(const PlannedCell& cell, const CountedRounds& rounds, std::size_t index,
               CellSummary& summary)
{
    summary.notes = cell.notes;
    const std::string environment = rounds.environmentOf(index);
    const std::vector<CountedRound>& counted = rounds.rounds(index, environment);
    if (counted.empty()) {
        summary.status = CellStatus::Skipped;
        return;
    }
    summary.environmentId = environment;
    fillStatus(counted, summary);
    RoundMedians medians;
    for (const CountedRound& each : counted) {
        if (each.row->ok())
            addRound(*each.row, medians, summary);
    }
    fillFrom(medians, summary);
    fillRepeatable(counted, summary);
    summary.distribution = sampleFigures(counted);
    noteOutliers(summary);
    summary.device = deviceFigures(medians.devices);
    noteOtherEnvironments(rounds.ofCell(index), summary);
}

}  // namespace qs::core
