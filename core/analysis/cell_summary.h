#pragma once

#include "core/analysis/cell_label.h"
#include "core/analysis/claim_outcome.h"
#include "core/analysis/compile_cost.h"
#include "core/analysis/device_figures.h"
#include "core/analysis/quality_figures.h"
#include "core/analysis/row_outline.h"
#include "core/analysis/sample_figures.h"
#include "core/analysis/time_division.h"
#include "core/record/output_places.h"
#include "core/record/run_data.h"
#include "core/stats/interval.h"
#include "core/stats/paired_difference.h"
#include "core/stats/verdict.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// The median of one round, in seconds per pass.
struct RoundSeconds {
    int round = 0;
    double seconds = 0.0;
    std::optional<std::int64_t> beganAt = {};  // seconds since 1970, if the row tells

    bool operator==(const RoundSeconds&) const = default;
};

// Whether a speed-up is one. See Note [Verdicts] in core/stats/verdict.h.
struct SpeedClaim {
    RatioEvidence evidence;
    std::optional<RatioEvidence> cycles;  // if the clock is known in every round that is compared
    double pValue = 1.0;  // of the claim, corrected over all comparisons and looks of the run
    Verdict verdict = Verdict::TooFewRounds;
    int look = 0;              // how often rounds were added to settle it; 0 for the run as planned
    bool provisional = false;  // rounds of this cell are still to come
    std::optional<Outlook> outlook = {};  // of a comparison that is not settled

    bool operator==(const SpeedClaim&) const = default;
};

// Whether a loss of quality is one. See Note [Quality verdicts] in core/stats/paired_difference.h.
struct QualityClaim {
    QualityEvidence evidence;
    double pValue = 1.0;  // of the claim, corrected over all tests of the run
    int cells = 1;        // whose outputs are the same bit by bit: they are one test

    bool operator==(const QualityClaim&) const = default;
};

// How much faster a cell of a GPU is than the processor; see Note [Across devices].
struct CpuRatio {
    std::string cpuId;  // the cell of the processor
    Estimate ratio;     // seconds of the processor / seconds of the GPU

    bool operator==(const CpuRatio&) const = default;
};

// What the noise floor says about the outputs of a cell.
enum class NoiseResult {
    Unknown,        // no outputs, no floor or only a part of it, or the reference itself
    Deterministic,  // every output equals the reference bit by bit, and in all rounds itself
    AtFloor,        // no farther than mere rounding goes, in the mean and in the worst output
    AboveFloor,
};
// "deterministic", "at the noise floor", "above the noise floor"; empty for Unknown.
[[nodiscard]] const char* toString(NoiseResult result);

// Against the outputs of the fp32 golden run.
struct GoldenDistance {
    std::string cellId;  // of the golden run
    QualityFigures figures;

    bool operator==(const GoldenDistance&) const = default;
};

// What a cell cost by the price of the preset, in its currency.
struct CellCost {
    double run = 0.0;  // of all its rows, from start to end of each, failed ones too
    // Of a million units of work: at the end-to-end throughput where it was measured, else at the
    // time per pass; empty if the cell was not timed.
    std::optional<double> perMillionUnits;

    bool operator==(const CellCost&) const = default;
};

// What a table shows of one cell over all its rounds. Times in seconds per pass (one batch).
struct CellSummary {
    std::string cellId;
    const PlannedCell* cell = nullptr;   // into the plan of the RunData
    CellStatus status = CellStatus::Ok;  // of the worst round that counts; Skipped before any row
    bool measured = false;               // at least one ok row
    std::optional<Failure> failure;      // of that round
    int roundsOk = 0;
    int roundsPlanned = 0;

    // Geometric mean over rounds of the rounds' medians, as the stages and the host have it, too:
    // the quotient of two cells that were timed in the same rounds is their speed-up.
    double seconds = 0.0;
    // 95 % over rounds, see positiveInterval(); needs three.
    std::optional<Interval> secondsInterval;
    std::vector<RoundSeconds> roundSeconds;  // ascending, those that were timed
    std::string environmentId;               // where all figures come from; empty without rows
    double hostSeconds = 0.0;
    std::vector<double> stageSeconds;  // in order of the stages
    std::vector<std::string> stageNames;
    std::vector<std::optional<std::int64_t>> stagePeakBytes;  // largest over rounds
    double throughput = 0.0;                                  // units of work per second
    std::size_t samples = 0;                                  // of all rounds
    std::optional<double> withinRoundVariation;  // CV inside the rounds, the median of them
    std::optional<Interval> variationInterval;   // of it over rounds, as that of the seconds
    std::optional<SampleFigures> distribution;   // of all samples
    std::optional<TimeDivision> division;        // of the first round that has a profile
    DeviceFigures device;                        // what it did meanwhile

    std::string baselineId;         // the cell that the ratio is formed with
    std::optional<double> speedup;  // baseline seconds / seconds; above 1 is faster
    // Geometric mean of paired rounds; needs three. By the variance that the run's comparisons
    // share.
    std::optional<Interval> speedupInterval;
    // What the paired rounds allow to claim; none for the baseline itself and without pairs.
    std::optional<SpeedClaim> claim;
    std::optional<CpuRatio> againstCpu;  // of cells on a GPU

    // Of the throughput: that of the seconds turned over.
    [[nodiscard]] std::optional<Interval> throughputInterval() const;
    // Energy of one image, token or sample; nothing without a counter.
    [[nodiscard]] std::optional<double> joulesPerUnit() const;
    // Units per second with the way of the input; nothing where it was not measured.
    [[nodiscard]] std::optional<double> endToEndThroughput() const;

    MemoryFigures memory;  // largest over rounds; of the self-tests the worst
    std::optional<std::int64_t> weightsFileBytes;  // on disk; nothing if they were generated
    StorageReport storage;  // of the first round in which something was wrong with it
    // Made ready to run and run once, without compiling: the median over rounds; 0 if no row tells.
    double startSeconds = 0.0;
    // That of the warm-up, which does not count: the median over rounds. Nothing where no row
    // tells.
    std::optional<double> firstSampleSeconds;
    std::optional<CompileCost> compileCost;  // nothing where nothing is compiled ahead
    std::string modelContent;                // what the weights were
    bool modelChanged = false;               // they were not the same in all rounds
    std::vector<ExecutedStage> executed;
    // The most that others took of the processor while a round ran; see HostLoad.
    std::optional<double> othersCores;
    std::string attention;
    // Every picture came out the same bit by bit in all rounds; unknown with one round.
    std::optional<bool> repeatable;
    std::vector<Note> notes;
    std::vector<Note> doubts;  // see core/analysis/doubts.h; empty for a sound cell

    // Against the quality reference; empty for the reference itself and without outputs.
    std::optional<QualityFigures> quality;
    // Worse than the noise floor, or the same; nothing is said without a floor, with few pictures
    // or while noise-floor runs are still to come.
    std::optional<QualityVerdict> qualityVerdict;
    std::optional<QualityClaim> qualityClaim;  // what the verdict is judged on
    // Distance from the reference over the noise floor, the larger one where outputs have a finer
    // distance as well; empty if that is unknown or zero.
    std::optional<double> noiseMultiple;
    std::optional<double> worstNoiseMultiple;  // the same of the worst output
    NoiseResult noiseResult = NoiseResult::Unknown;
    std::optional<CellCost> cost;  // empty without a price and for a cell without rows
    // Against the fp32 run of the same shape, where there is one: how far the arithmetic is from
    // what the model means, the bf16 reference included.
    std::optional<GoldenDistance> golden;
    // Against the input, only of images and with trained weights.
    std::optional<QualityFigures> reconstruction;
    // Of the labelled samples, with trained weights: of classes by the likeliest one, of embeddings
    // by their nearest neighbours.
    std::optional<double> rightShare;
    // Of the texts that are read, in nats a token.
    std::optional<double> textLoss;

    // Nothing for one that is not compiled.
    std::optional<FromUncompiled> fromUncompiled;

    // Allocated and reserved peak over those of the speed baseline, less 1; nothing for the
    // baseline itself and without counters.
    std::optional<double> memoryOverhead;
    std::optional<double> reservedOverhead;

    // Whether every output equals the reference bit by bit.
    [[nodiscard]] bool identical() const { return quality && quality->identical; }

    bool operator==(const CellSummary&) const = default;
};

// What a pass needs beside its weights: activations, inputs, outputs and scratch. Bytes; nothing
// where the peak or the weights are not known, as on a CPU without an allocator that counts.
[[nodiscard]] std::optional<std::int64_t> workspaceBytes(const MemoryFigures& memory);

struct FailedFloorRun {
    std::string cellId;
    CellStatus status = CellStatus::Failed;
    bool operator==(const FailedFloorRun&) const = default;
};

// The noise floor of the cells that share a reference and an environment: the largest distance
// among the noise-floor runs.
struct NoiseFloor {
    std::string referenceId;
    std::string environmentId = {};  // empty without rows
    double distance = 0.0;           // see OutputMetric::isDistanceOf
    double worstDistance = 0.0;      // of the worst output, the largest of all runs
    // The largest of all runs by what tells equal choices apart; nothing for other outputs.
    std::optional<FinerDistance> finer = {};
    std::string setBy = {};  // id of the run that sets it; empty if none has finished
    // Every noise-floor run equals the reference, and neither they nor it differ between rounds.
    bool deterministic = false;
    // Whether the reference gives the same outputs in all rounds: else equal pictures are luck, and
    // the floor is that of one of its outputs. Unknown with one round.
    std::optional<bool> referenceRepeats = {};
    // The largest distance of each output in any of its runs.
    std::map<int, double> samples = {};
    // Runs that have set it or can still raise it, and those of them whose pictures were compared.
    int planned = 0;
    int seen = 0;
    // Runs that failed and will not raise it.
    std::vector<FailedFloorRun> failed = {};

    // Until then the distance is only a lower bound: what lies above it is not above the floor.
    [[nodiscard]] bool complete() const { return seen > 0 && seen >= planned; }
};

struct Analysis {
    std::vector<CellSummary> cells;                       // in order of the plan
    std::unordered_map<std::string, std::size_t> places;  // of the cells, by id
    CellLabels labels;                                    // of the cells, by what tells them apart
    std::vector<NoiseFloor> floors;
    OutputPlaces outputs;  // where the pictures of a cell lie
    RowOutline rows;
    std::vector<ClaimOutcome> claims;  // of the preset, in their order

    [[nodiscard]] const CellSummary* find(const std::string& cellId) const;
    // That of a cell's reference, in the environment that its figures come from; null if the plan
    // has no noise-floor run for it.
    [[nodiscard]] const NoiseFloor* floorOf(const CellSummary& summary) const;
    // The environment of most of the measured cells, among equals the first in order; empty
    // without any.
    [[nodiscard]] std::string mainEnvironment() const;
};

}  // namespace qs::core
