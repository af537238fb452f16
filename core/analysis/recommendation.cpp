#include "core/analysis/recommendation.h"

#include "core/analysis/answer.h"
#include "core/analysis/rerun_speed.h"
#include "core/analysis/time_notes.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

bool awaitsVerdict(const CellSummary& summary)
{
    return !summary.claim || summary.claim->verdict == Verdict::Ambiguous ||
           summary.claim->verdict == Verdict::TooFewRounds;
}

// Whether equal work has differed by more than this cell claims; see Note [Rerun].
bool isDrowned(const CellSummary& summary, double spread)
{
    return spread > 0.0 && summary.speedup && std::abs(std::log(*summary.speedup)) <= spread;
}

bool isFar(const CellSummary& summary)
{
    return (summary.noiseMultiple && *summary.noiseMultiple > kNoiseLimit) ||
           (summary.worstNoiseMultiple && *summary.worstNoiseMultiple > kNoiseLimit);
}

// Outputs that are told from the floor, yet as near to it as an answer has to be, are no reason
// against a cell: the answer of the run may be such a one.
bool isWorse(const CellSummary& summary)
{
    return *summary.qualityVerdict == QualityVerdict::Worse &&
           (!summary.noiseMultiple || isFar(summary));
}

bool isBeyond(const CellSummary& summary)
{
    const bool judged =
        summary.qualityVerdict && (*summary.qualityVerdict == QualityVerdict::Worse ||
                                   *summary.qualityVerdict == QualityVerdict::Same);
    return summary.cell->trained && isFar(summary) && !judged;
}

void addCell(const CellSummary& summary, double spread, FamilyAdvice& advice)
{
    const std::int64_t batch = summary.cell->config.batch;
    if (!summary.measured || !summary.doubts.empty()) {
        advice.failed.push_back(batch);
        return;
    }
    if (isHostBound(summary))
        advice.hostBound.push_back(batch);
    if (summary.cell->trained && summary.qualityVerdict) {
        advice.qualityKnown = true;
        if (isWorse(summary))
            advice.worse.push_back(batch);
    }
    if (isBeyond(summary))
        advice.beyond.push_back(batch);
    if (summary.cellId == summary.baselineId) {
        advice.isBaseline = true;
        return;
    }
    if (summary.speedup && (advice.best == nullptr || *summary.speedup > *advice.best->speedup))
        advice.best = &summary;
    if (awaitsVerdict(summary) || isDrowned(summary, spread)) {
        advice.open.push_back(batch);
        return;
    }
    switch (summary.claim->verdict) {
    case Verdict::Faster:
        advice.faster.push_back(batch);
        break;
    case Verdict::Slower:
        advice.slower.push_back(batch);
        break;
    case Verdict::Same:
        advice.same.push_back(batch);
        break;
    case Verdict::Ambiguous:
    case Verdict::TooFewRounds:
        break;
    }
}

bool holds(const std::vector<std::int64_t>& batches, std::int64_t batch)
{
    return std::find(batches.begin(), batches.end(), batch) != batches.end();
}

// A batch that is faster has to be one whose outputs are not worse.
bool fasterAndGood(const FamilyAdvice& advice)
{
    return std::any_of(advice.faster.begin(), advice.faster.end(), [&](std::int64_t batch) {
        return !holds(advice.worse, batch) && !holds(advice.beyond, batch);
    });
}

Advice adviceOn(const FamilyAdvice& advice, bool anyMeasured)
{
    if (!anyMeasured)
        return Advice::Unusable;
    if (!advice.faster.empty())
        return fasterAndGood(advice) ? Advice::Recommended : Advice::FasterButWorse;
    const bool compared = advice.best != nullptr;
    if (!compared)
        return advice.isBaseline ? Advice::Baseline : Advice::Open;
    if (!advice.same.empty())
        return Advice::NoGain;
    return advice.slower.empty() ? Advice::Open : Advice::Slower;
}

// Whether the advice is given for the sake of this batch; of one that nothing decides it is of
// none.
bool carries(const FamilyAdvice& advice, std::int64_t batch)
{
    switch (advice.advice) {
    case Advice::Recommended:
        return holds(advice.faster, batch) && !holds(advice.worse, batch) &&
               !holds(advice.beyond, batch);
    case Advice::FasterButWorse:
        return holds(advice.faster, batch);
    case Advice::NoGain:
        return holds(advice.same, batch);
    case Advice::Slower:
        return holds(advice.slower, batch);
    case Advice::Unusable:
    case Advice::Open:
    case Advice::Baseline:
        break;
    }
    return false;
}

// Of the batches that carry the advice: a larger gain of another may be chance.
void keepBest(FamilyAdvice& advice)
{
    const CellSummary* best = nullptr;
    for (const CellSummary* summary : advice.row->cells) {
        if (summary != nullptr && carries(advice, summary->cell->config.batch) &&
            (best == nullptr || *summary->speedup > *best->speedup))
            best = summary;
    }
    if (best != nullptr)
        advice.best = best;
}

std::optional<std::int64_t> peakOf(const CellSummary* summary)
{
    const bool sound = summary != nullptr && summary->measured && summary->doubts.empty();
    return sound ? summary->memory.allocatedPeak : std::nullopt;
}

bool doSameWork(const CellConfig& a, const CellConfig& b)
{
    return a.model == b.model && a.device == b.device && a.sizes == b.sizes &&
           a.workload == b.workload;
}

// Less than each of the others that do the same work at that batch, of which there is one at least.
bool takesLeastMemory(const PivotRow& row, std::size_t column, const Pivot& pivot)
{
    const CellSummary* own = row.cells[column];
    bool compared = false;
    for (const PivotRow& each : pivot.rows) {
        const CellSummary* other = each.cells[column];
        if (other == own || !peakOf(other) || !doSameWork(own->cell->config, other->cell->config))
            continue;
        compared = true;
        if (*peakOf(other) <= *peakOf(own))
            return false;
    }
    return compared;
}

void addLeastMemory(const Pivot& pivot, FamilyAdvice& advice)
{
    for (std::size_t column = 0; column < pivot.batches.size(); ++column) {
        if (peakOf(advice.row->cells[column]) && takesLeastMemory(*advice.row, column, pivot))
            advice.leastMemory.push_back(pivot.batches[column]);
    }
}

bool comesFirst(const FamilyAdvice& a, const FamilyAdvice& b)
{
    if (a.advice != b.advice)
        return a.advice < b.advice;
    return a.best != nullptr && b.best != nullptr && *a.best->speedup > *b.best->speedup;
}

}  // namespace

AdviceGrade gradeOf(const FamilyAdvice& advice)
{
    const bool reference = std::any_of(
        advice.row->cells.begin(), advice.row->cells.end(), [](const CellSummary* summary) {
            return summary != nullptr && summary->cellId == summary->cell->referenceId;
        });
    const bool ran = advice.advice != Advice::Unusable && advice.advice != Advice::Open;
    if (reference && ran && advice.advice != Advice::Recommended)
        return AdviceGrade::SafeDefault;
    switch (advice.advice) {
    case Advice::Recommended:
        return *advice.best->speedup < kWorthwhileSpeedup ? AdviceGrade::Marginal
                                                          : AdviceGrade::Recommended;
    case Advice::NoGain:
        return AdviceGrade::Marginal;
    case Advice::FasterButWorse:
    case Advice::Slower:
    case Advice::Unusable:
        return AdviceGrade::Avoid;
    case Advice::Baseline:
        return AdviceGrade::Baseline;
    case Advice::Open:
        break;
    }
    return AdviceGrade::Undecided;
}

std::vector<FamilyAdvice> adviceOf(const Analysis& analysis, const Pivot& pivot)
{
    const double spread = std::log(largestRerunRatio(analysis));
    std::vector<FamilyAdvice> all;
    for (const PivotRow& row : pivot.rows) {
        FamilyAdvice advice{.row = &row};
        bool anyMeasured = false;
        bool anyTried = false;
        for (const CellSummary* summary : row.cells) {
            if (summary == nullptr)
                continue;
            // What has no row yet says nothing, and no promise is made of it.
            if (summary->cell->possible() && summary->environmentId.empty())
                continue;
            anyTried = true;
            anyMeasured = anyMeasured || (summary->measured && summary->doubts.empty());
            addCell(*summary, spread, advice);
        }
        addLeastMemory(pivot, advice);
        advice.advice = anyTried ? adviceOn(advice, anyMeasured) : Advice::Open;
        keepBest(advice);
        all.push_back(std::move(advice));
    }
    std::stable_sort(all.begin(), all.end(), comesFirst);
    return all;
}

}  // namespace qs::core
