#pragma once

#include "core/analysis/cell_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What the best cell of a run is the best in.
enum class AnswerObjective {
    Throughput,  // most pictures per second, at any batch
    Latency,     // shortest pass of one picture: cells of batch 1 alone
    Memory,      // smallest peak, at any batch
    Energy,      // least of a unit of work, at any batch
};

// Whether it is time that is asked about: only then the ratio to the speed baseline, and how far
// reruns differ in speed, say how good an answer is.
[[nodiscard]] constexpr bool isOfTime(AnswerObjective objective)
{
    switch (objective) {
    case AnswerObjective::Throughput:
    case AnswerObjective::Latency:
        return true;
    case AnswerObjective::Memory:
    case AnswerObjective::Energy:
        break;
    }
    return false;
}

// What a cell's pictures must be like for it to count. Without trained weights no limit can be
// asked for.
enum class QualityLimit {
    None,
    WithinNoise,  // at most kNoiseLimit times the noise floor, both the mean and the worst picture
    // Mean likeness to the quality reference at least AnswerQuestion::minimumLikeness: SSIM of
    // images, and of other outputs what MetricRegistry::likenessOf says.
    MinimumLikeness,
};

inline constexpr double kNoiseLimit = 2.0;

struct AnswerQuestion {
    AnswerObjective objective = AnswerObjective::Throughput;
    QualityLimit limit = QualityLimit::None;
    double minimumLikeness = 0.99;
    // Which samples, as CellLabels::sample says; empty or of no cell: those of most planned cells,
    // among equals the first.
    std::string sample = {};

    bool operator==(const AnswerQuestion&) const = default;
};

// Whether a cell may be the answer, and if not, why.
enum class Candidacy {
    Eligible,
    Impossible,        // the plan knew it
    NotMeasured,       // no row that counts yet
    Failed,            // rows, none of them ok
    Doubtful,          // see CellSummary::doubts
    OtherEnvironment,  // measured elsewhere than most of the run: numbers cannot be set side by
                       // side
    OtherSample,       // its samples are others: of another size, say
    OtherBatch,        // the objective asks for batch 1
    OtherMemory,       // of the computer, where others were measured in that of a GPU
    NoFigure,          // the objective's number was not recorded
    NotCompared,       // no outputs to judge, of this configuration at any batch
    NotComparedHere,   // not at this batch; at another one, which says nothing about this one
    FloorUnknown,      // no noise-floor run of its reference has finished
    BeyondLimit,       // its pictures are too far from the reference
};

// A cell that was asked about; the reruns of the noise floor repeat others and are none.
struct AnswerCandidate {
    std::string cellId;
    Candidacy candidacy = Candidacy::Eligible;
    // In the objective's unit: pictures per second, seconds, bytes, joules per unit of work. Only
    // eligible cells surely have one.
    std::optional<double> value;
    std::optional<Interval> interval;  // 95 % over rounds
    // How good it is beside the answer, 1 for as good, below 1 worse; over rounds of both.
    std::optional<Estimate> besideBest;
    // The rounds do not tell it from the answer.
    bool tied = false;
    std::vector<std::int64_t> comparedBatches;  // of NotComparedHere
};

// How far the run has come.
struct AnswerProgress {
    int possible = 0;
    int measured = 0;       // possible cells with an ok row
    bool complete = false;  // every possible cell has an end in every round
};

// Note [No answer yet]
// A headline is believed: it is not said before the run can bear it. Nothing is best of one cell
// alone, or of baselines alone while others are still to come; nothing is best while cells that did
// better still wait to be compared with their quality reference, and no baseline is while nobody
// knows whether what did better keeps the limit that was asked for; and no difference is one while
// equal work differs by more, see Note [Rerun]. A tie claims no difference and stands, but not
// where the headline would be that nothing beats the baseline.
enum class NoAnswerYet {
    OneCell,           // nothing else was measured
    BaselineAlone,     // all that was measured is what ratios are formed with
    ReferencePending,  // better cells wait for their quality reference or its noise floor
    FloorMissing,      // the run has no noise floor to hold better cells to
    NotCompared,       // the run has not compared the outputs of better cells
    RerunsDiffer,      // by more than the answer would claim
};

// How firm the answer is.
enum class AnswerStanding {
    Open,     // there is none, or none yet
    Unsure,   // a tie, with another candidate too, or too few repeats for a verdict
    Decided,  // the repeats tell it from what it is compared with, and from the next best
};

struct AnswerSupport {
    AnswerStanding standing = AnswerStanding::Open;
    std::optional<NoAnswerYet> open = {};  // why there is none yet, although cells were measured
    // Ratios of at least 1: what the answer would claim, if it claims a difference, and the largest
    // between equal cells that differ.
    std::optional<double> claimed = {};
    double rerunSpread = 1.0;
};

struct RunAnswer {
    // The eligible ones first, the best of them foremost; then the others in order of the plan.
    std::vector<AnswerCandidate> candidates;
    std::size_t eligible = 0;
    bool energyKnown = false;          // of some cell, so that it can be asked about
    std::vector<std::string> samples;  // what can be asked about, in order of the plan
    std::string sample;                // what was answered about
    // The answer is what its ratio is formed with: nothing beats the baseline.
    bool isBaseline = false;
    // The repeats say (or, too few for an interval, their mean does) that the answer is slower than
    // its baseline: the baseline is no candidate itself, as a run for the noise floor is none.
    bool belowBaseline = false;
    // If it is the baseline: the best candidate that is none itself, of another precision if there
    // is one, as an index.
    std::optional<std::size_t> nearest;
    bool nearestOfOthers = false;  // a cell of the baseline's own precision is nearer
    AnswerProgress progress;
    AnswerSupport support;
    bool trained = false;  // some cell has trained weights, so that a limit means something

    [[nodiscard]] const AnswerCandidate* best() const
    {
        return eligible == 0 ? nullptr : &candidates.front();
    }
};

}  // namespace qs::core
