#include "core/analysis/cell_times.h"

#include "core/analysis/note_words.h"
#include "core/analysis/speed_baseline.h"
#include "core/measure/sampler.h"
#include "core/measure/sentinel.h"
#include "core/stats/moments.h"
#include "core/stats/outliers.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

// From harmless to bad; the last one that occurred is the status of the cell.
constexpr std::array<CellStatus, 11> kSeverity{
    CellStatus::Ok,          CellStatus::Skipped,      CellStatus::Cancelled, CellStatus::Unstable,
    CellStatus::Differs,     CellStatus::NonFinite,    CellStatus::Timeout,   CellStatus::Oom,
    CellStatus::Unsupported, CellStatus::CompileError, CellStatus::Crashed};

std::size_t severity(CellStatus status)
{
    return static_cast<std::size_t>(std::find(kSeverity.begin(), kSeverity.end(), status) -
                                    kSeverity.begin());
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
    keepLargest(largest.processPeak, memory.processPeak);
    keepLargest(largest.loadAllocatedPeak, memory.loadAllocatedPeak);
    keepLargest(largest.weightsResident, memory.weightsResident);
    keepLargest(largest.allocationRetries, memory.allocationRetries);
    largest.sentinel = worseSelfTest(largest.sentinel, memory.sentinel);
}

// Each round says the same with its own figures; the first stands for all.
void addNote(std::vector<std::string>& notes, const std::string& note)
{
    if (std::none_of(notes.begin(), notes.end(),
                     [&](const std::string& each) { return sayTheSame(each, note); }))
        notes.push_back(note);
}

void fillStatus(const std::vector<CountedRound>& rounds, CellSummary& summary)
{
    summary.status = CellStatus::Ok;
    for (const CountedRound& each : rounds) {
        if (each.row->ok())
            ++summary.roundsOk;
        if (severity(each.row->status) > severity(summary.status)) {
            summary.status = each.row->status;
            summary.reason = each.row->texts->reason;
        }
    }
    summary.measured = summary.roundsOk > 0;
}

// Samples of all rounds, each round reduced to one number per quantity.
struct RoundMedians {
    std::vector<double> pass;
    std::vector<double> host;
    std::vector<double> variation;
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

// What ran, and on what.
void addEvidence(const RowTexts& texts, CellSummary& summary)
{
    if (!texts.modelContent.empty()) {
        summary.modelChanged = summary.modelChanged || (!summary.modelContent.empty() &&
                                                        summary.modelContent != texts.modelContent);
        summary.modelContent = texts.modelContent;
    }
    if (summary.storageObjection.empty())
        summary.storageObjection = texts.storageObjection;
    if (!summary.executed.empty() && summary.executed != texts.executed)
        addNote(summary.notes,
                "what ran differs between rounds: " + summary.executed + "; " + texts.executed);
    summary.executed = texts.executed;
    summary.quantizer = texts.quantizer;
    summary.attention = texts.attention;
    for (const std::string& note : texts.notes)
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
    medians.devices.push_back(&row.device);
    if (row.passes.size() > 1)
        medians.variation.push_back(momentsOf(row.passes).coefficientOfVariation());
    addStages(row, medians, summary);
    addMemory(summary.memory, row.memory);
    keepLargest(summary.othersCores, row.othersCores);
    if (row.weightsFileBytes > 0)
        keepLargest(summary.weightsFileBytes, std::optional(row.weightsFileBytes));
    if (row.memory.allocationRetries > 0)
        addNote(summary.notes, "memory was short: the allocator had to give back its cache and try "
                               "again, which takes time");
    if (row.warmupTimedOut)
        addNote(summary.notes, "warm-up ended by its time limit: passes were not steady yet");
    addEvidence(*row.texts, summary);
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

void fillFrom(const RoundMedians& medians, CellSummary& summary)
{
    for (const std::vector<double>& stage : medians.stages)
        summary.stageSeconds.push_back(median(stage));
    if (!medians.host.empty())
        summary.hostSeconds = median(medians.host);
    if (!medians.variation.empty())
        summary.withinRoundVariation = median(medians.variation);
    summary.variationInterval = overRounds(medians.variation);
    if (medians.pass.empty())
        return;
    summary.seconds = median(medians.pass);
    summary.throughput = static_cast<double>(summary.cell->config.batch) / summary.seconds;
    summary.secondsInterval = overRounds(medians.pass);
}

void fillRepeatable(const std::vector<CountedRound>& rounds, CellSummary& summary)
{
    summary.repeatable = outputsRepeat(rounds);
    if (summary.repeatable == false)
        addNote(summary.notes,
                "outputs differ between rounds: its results are not repeatable bit by bit");
}

void noteOutliers(CellSummary& summary)
{
    if (!summary.distribution)
        return;
    const auto severe = static_cast<double>(summary.distribution->outliers.severe);
    if (severe > kSevereOutlierShare * static_cast<double>(summary.distribution->count))
        addNote(summary.notes, "more than 5 % of the samples are severe outliers: something "
                               "disturbed the measurement");
}

void noteOtherEnvironments(const RoundsByEnvironment& all, CellSummary& summary)
{
    if (all.size() < 2)
        return;
    summary.notes.push_back("measured in " + std::to_string(all.size()) +
                            " environments; the figures are of one of them");
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
        summary.reason = cell.possible() ? "not measured yet" : cell.impossible;
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
