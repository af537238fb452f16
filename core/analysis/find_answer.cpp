#include "core/analysis/find_answer.h"

#include "core/analysis/answer_support.h"
#include "core/analysis/batch_family.h"
#include "core/analysis/speed_baseline.h"
#include "core/analysis/speed_ratio.h"
#include "core/sweep/cell_workload.h"

#include <algorithm>
#include <map>
#include <set>

namespace qs::core {

namespace {

bool isReference(const CellSummary& summary)
{
    return summary.cell->role == CellRole::QualityReference ||
           summary.cell->referenceId == summary.cellId;
}

// A cell that failed is not measured again; one that was cancelled is.
bool hasFailed(const CellSummary& summary)
{
    return !summary.environmentId.empty() && summary.status != CellStatus::Ok &&
           summary.status != CellStatus::Cancelled;
}

AnswerProgress progressOf(const Analysis& analysis)
{
    AnswerProgress progress{.complete = true};
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell == nullptr || !summary.cell->possible())
            continue;
        ++progress.possible;
        progress.measured += summary.measured ? 1 : 0;
        progress.complete =
            progress.complete && (hasFailed(summary) || summary.roundsOk >= summary.roundsPlanned);
    }
    return progress;
}

// Fills what can be asked about, and what of it is.
void chooseSample(RunAnswer& answer, const Analysis& analysis, const AnswerQuestion& question)
{
    int most = 0;
    for (const SampleKind& kind : sampleKinds(analysis)) {
        answer.samples.push_back(kind.sample);
        if (kind.cells > most) {
            most = kind.cells;
            answer.sample = kind.sample;
        }
    }
    const auto& samples = answer.samples;
    if (std::find(samples.begin(), samples.end(), question.sample) != samples.end())
        answer.sample = question.sample;
}

// What a process takes of the computer is no figure beside what another takes of a GPU.
bool isOfOtherMemory(const CellSummary& summary, bool onGpu)
{
    return onGpu && summary.cell != nullptr && summary.cell->config.device == "cpu";
}

bool anyOnGpu(const Analysis& analysis)
{
    return std::any_of(analysis.cells.begin(), analysis.cells.end(), [](const auto& cell) {
        return cell.measured && cell.cell != nullptr && cell.cell->config.device != "cpu";
    });
}

class Judge final
{
public:
    Judge(const Analysis& analysis, const AnswerQuestion& question, std::string sample)
        : m_question(question),
          m_labels(analysis.labels),
          m_sample(std::move(sample)),
          m_environment(analysis.mainEnvironment()),
          m_onGpu(anyOnGpu(analysis)),
          m_allocated(allocatedPeakKnown(analysis))
    {
        // Most runs compare every cell, and ten thousand families take their time.
        const bool someWithout = std::any_of(
            analysis.cells.begin(), analysis.cells.end(), [](const CellSummary& summary) {
                return summary.measured && !summary.quality && !isReference(summary);
            });
        for (const CellSummary& summary : analysis.cells) {
            if (someWithout && summary.cell != nullptr && summary.quality)
                m_compared[batchFamilyKey(summary.cell->config)].insert(summary.cell->config.batch);
        }
        for (const NoiseFloor& floor : analysis.floors) {
            if (floor.complete() && floor.environmentId == m_environment)
                m_floors.insert(floor.referenceId);
        }
    }

    [[nodiscard]] AnswerCandidate candidate(const CellSummary& summary) const
    {
        AnswerCandidate candidate{.cellId = summary.cellId,
                                  .candidacy = candidacy(summary),
                                  .value = value(summary),
                                  .interval = interval(summary),
                                  .besideBest = {},
                                  .comparedBatches = {}};
        if (candidate.candidacy == Candidacy::NotComparedHere) {
            const auto& batches = m_compared.at(batchFamilyKey(summary.cell->config));
            candidate.comparedBatches.assign(batches.begin(), batches.end());
        }
        return candidate;
    }

    // Whether `a` is strictly the better value.
    [[nodiscard]] bool better(const AnswerCandidate& a, const AnswerCandidate& b) const
    {
        return m_question.objective == AnswerObjective::Throughput ? *a.value > *b.value
                                                                   : *a.value < *b.value;
    }

private:
    [[nodiscard]] Candidacy candidacy(const CellSummary& summary) const
    {
        if (!summary.measured)
            return unmeasured(summary);
        if (!summary.doubts.empty())
            return Candidacy::Doubtful;
        if (summary.environmentId != m_environment)
            return Candidacy::OtherEnvironment;
        if (m_labels.sample(*summary.cell) != m_sample)
            return Candidacy::OtherSample;
        if (m_question.objective == AnswerObjective::Latency && summary.cell->config.batch != 1)
            return Candidacy::OtherBatch;
        if (m_question.objective == AnswerObjective::Memory && isOfOtherMemory(summary, m_onGpu))
            return Candidacy::OtherMemory;
        return value(summary) ? quality(summary) : Candidacy::NoFigure;
    }

    [[nodiscard]] static Candidacy unmeasured(const CellSummary& summary)
    {
        if (!summary.cell->possible())
            return Candidacy::Impossible;
        const bool noRow = summary.environmentId.empty() ||
                           summary.status == CellStatus::Cancelled ||
                           summary.status == CellStatus::Skipped;
        return noRow ? Candidacy::NotMeasured : Candidacy::Failed;
    }

    // Unknown quality is not good quality: outputs that were not compared keep no limit.
    [[nodiscard]] Candidacy quality(const CellSummary& summary) const
    {
        if (m_question.limit == QualityLimit::None || !summary.cell->trained ||
            isReference(summary) || summary.identical())
            return Candidacy::Eligible;
        if (!summary.quality)
            return m_compared.contains(batchFamilyKey(summary.cell->config))
                       ? Candidacy::NotComparedHere
                       : Candidacy::NotCompared;
        if (m_question.limit == QualityLimit::MinimumLikeness)
            return summary.quality->mean(metricRegistry().likenessOf(summary.cell->output).name)
                               .value_or(0.0) >= m_question.minimumLikeness
                       ? Candidacy::Eligible
                       : Candidacy::BeyondLimit;
        return m_floors.contains(summary.cell->referenceId) ? withinNoise(summary)
                                                            : Candidacy::FloorUnknown;
    }

    [[nodiscard]] static Candidacy withinNoise(const CellSummary& summary)
    {
        const auto keeps = [](const std::optional<double>& multiple) {
            return multiple && *multiple <= kNoiseLimit;
        };
        return keeps(summary.noiseMultiple) && keeps(summary.worstNoiseMultiple)
                   ? Candidacy::Eligible
                   : Candidacy::BeyondLimit;
    }

    [[nodiscard]] std::optional<double> value(const CellSummary& summary) const
    {
        if (!summary.measured || !(summary.seconds > 0.0))
            return std::nullopt;
        switch (m_question.objective) {
        case AnswerObjective::Throughput:
            return summary.throughput;
        case AnswerObjective::Latency:
            return summary.seconds;
        case AnswerObjective::Energy:
            return summary.joulesPerUnit();
        case AnswerObjective::Memory:
            break;
        }
        const auto& bytes = m_allocated ? summary.memory.allocatedPeak : summary.memory.processPeak;
        return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
    }

    [[nodiscard]] std::optional<Interval> interval(const CellSummary& summary) const
    {
        switch (m_question.objective) {
        case AnswerObjective::Throughput:
            return summary.throughputInterval();
        case AnswerObjective::Latency:
            return summary.secondsInterval;
        case AnswerObjective::Energy:
            return energyInterval(summary);
        case AnswerObjective::Memory:
            break;
        }
        return std::nullopt;
    }

    [[nodiscard]] static std::optional<Interval> energyInterval(const CellSummary& summary)
    {
        const DeviceFigures& device = summary.device;
        const auto perPass = device.joulesOfRounds.size() < kRoundsForInterval
                                 ? std::nullopt
                                 : positiveInterval(device.joulesOfRounds);
        if (!perPass)
            return std::nullopt;
        // The median of rounds may lie outside of the interval of their mean.
        const auto units = static_cast<double>(summary.cell->unitsPerPass);
        return Interval{std::min(perPass->lower, *device.joulesPerPass) / units,
                        std::max(perPass->upper, *device.joulesPerPass) / units};
    }

    AnswerQuestion m_question;
    const CellLabels& m_labels;
    std::string m_sample;
    std::string m_environment;
    bool m_onGpu;  // some cell was measured there
    bool m_allocated;
    // Batches by family; only where some cell was not compared.
    std::map<std::string, std::set<std::int64_t>> m_compared;
    std::set<std::string> m_floors;  // references whose noise floor is known
};

// Per unit of work, so that batches can be compared.
Estimate besideRounds(const CellSummary& best, const CellSummary& other)
{
    Estimate ratio = speedRatio(best, other);
    const double units = static_cast<double>(other.cell->unitsPerPass) /
                         static_cast<double>(best.cell->unitsPerPass);
    ratio.value *= units;
    if (ratio.interval)
        ratio.interval = {ratio.interval->lower * units, ratio.interval->upper * units};
    return ratio;
}

// Energy per unit of work. Rounds are paired where every one of both cells tells its energy; else
// there is no interval.
Estimate energyBesideRounds(const CellSummary& best, const CellSummary& other)
{
    std::vector<double> ofBest = best.device.joulesOfRounds;
    std::vector<double> ofOther = other.device.joulesOfRounds;
    const auto inEveryRound = [](const CellSummary& cell) {
        return cell.device.joulesOfRounds.size() == cell.roundSeconds.size();
    };
    const bool sameRounds = std::equal(
        best.roundSeconds.begin(), best.roundSeconds.end(), other.roundSeconds.begin(),
        other.roundSeconds.end(), [](const auto& a, const auto& b) { return a.round == b.round; });
    if (!sameRounds || !inEveryRound(best) || !inEveryRound(other))
        return {
            .value = *best.joulesPerUnit() / *other.joulesPerUnit(), .interval = {}, .count = 1};
    for (double& joules : ofBest)
        joules /= static_cast<double>(best.cell->unitsPerPass);
    for (double& joules : ofOther)
        joules /= static_cast<double>(other.cell->unitsPerPass);
    Estimate ratio = pairedRatio(ofBest, ofOther);
    if (ofBest.size() < kRoundsForInterval)
        ratio.interval.reset();
    return ratio;
}

Estimate beside(const CellSummary& best, const CellSummary& other, AnswerObjective objective)
{
    return objective == AnswerObjective::Energy ? energyBesideRounds(best, other)
                                                : besideRounds(best, other);
}

// What a process on a CPU holds was up to 4 % more in some repeats of a cell than in others.
constexpr double kTiedProcesses = 1.0 / 1.05;

// Fills what the candidates are beside the first of them.
void compareWithBest(RunAnswer& answer, const Analysis& analysis, AnswerObjective objective)
{
    const CellSummary& best = *analysis.find(answer.candidates.front().cellId);
    for (std::size_t i = 1; i < answer.eligible; ++i) {
        AnswerCandidate& candidate = answer.candidates[i];
        if (objective == AnswerObjective::Memory) {
            // Peaks of the allocator are the same in every round: there is nothing to estimate.
            const double ratio = *answer.candidates.front().value / *candidate.value;
            candidate.besideBest = Estimate{.value = ratio, .interval = {}, .count = 1};
            candidate.tied = ratio >= (allocatedPeakKnown(analysis) ? 1.0 : kTiedProcesses);
            continue;
        }
        const Estimate ratio = beside(best, *analysis.find(candidate.cellId), objective);
        if (ratio.count == 0)
            continue;
        candidate.besideBest = ratio;
        candidate.tied = ratio.interval && ratio.interval->upper >= 1.0;
    }
    answer.isBaseline = best.baselineId == best.cellId;
    if (!answer.isBaseline && best.speedup)
        answer.belowBaseline =
            (best.speedupInterval ? best.speedupInterval->upper : *best.speedup) < 1.0;
    for (std::size_t i = 1; answer.isBaseline && i < answer.eligible; ++i) {
        const CellSummary& other = *analysis.find(answer.candidates[i].cellId);
        if (other.baselineId == other.cellId)
            continue;
        const bool otherPrecision = other.cell->config.precision != best.cell->config.precision;
        answer.nearestOfOthers = otherPrecision && answer.nearest;
        if (otherPrecision || !answer.nearest)
            answer.nearest = i;
        if (otherPrecision)
            break;
    }
}

}  // namespace

std::vector<SampleKind> sampleKinds(const Analysis& analysis)
{
    std::vector<SampleKind> kinds;
    for (const CellSummary& summary : analysis.cells) {
        // A reference of another workload than what is compared with it is no subject.
        if (summary.cell == nullptr || !summary.cell->possible() ||
            summary.cell->role != CellRole::Swept)
            continue;
        const std::string sample = analysis.labels.sample(*summary.cell);
        auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const SampleKind& each) { return each.sample == sample; });
        if (kind == kinds.end())
            kind = kinds.insert(kinds.end(), {sample});
        ++kind->cells;
    }
    return kinds;
}

RunAnswer findAnswer(const Analysis& analysis, const AnswerQuestion& question)
{
    RunAnswer answer;
    chooseSample(answer, analysis, question);
    const Judge judge(analysis, question, answer.sample);
    answer.progress = progressOf(analysis);
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell == nullptr || summary.cell->role == CellRole::NoiseFloor)
            continue;
        answer.trained = answer.trained || summary.cell->trained;
        answer.energyKnown = answer.energyKnown || summary.joulesPerUnit().has_value();
        answer.candidates.push_back(judge.candidate(summary));
    }
    const auto end = std::stable_partition(
        answer.candidates.begin(), answer.candidates.end(),
        [](const auto& candidate) { return candidate.candidacy == Candidacy::Eligible; });
    answer.eligible = static_cast<std::size_t>(end - answer.candidates.begin());
    std::stable_sort(answer.candidates.begin(), end,
                     [&](const auto& a, const auto& b) { return judge.better(a, b); });
    if (answer.eligible > 0)
        compareWithBest(answer, analysis, question.objective);
    answer.support = supportOf(answer, analysis, question.objective);
    return answer;
}

std::vector<std::int64_t> comparedBatches(const Analysis& analysis, const CellSummary& cell)
{
    std::set<std::int64_t> batches;
    const std::string family = batchFamilyKey(cell.cell->config);
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell != nullptr && summary.quality &&
            batchFamilyKey(summary.cell->config) == family)
            batches.insert(summary.cell->config.batch);
    }
    return {batches.begin(), batches.end()};
}

bool isToldAsTime(AnswerObjective objective, const CellSummary& cell)
{
    return objective == AnswerObjective::Throughput && isQuantizing(cell.cell->config);
}

bool allocatedPeakKnown(const Analysis& analysis)
{
    const bool onGpu = anyOnGpu(analysis);
    return std::all_of(analysis.cells.begin(), analysis.cells.end(), [&](const auto& cell) {
        return !cell.measured || isOfOtherMemory(cell, onGpu) ||
               cell.memory.allocatedPeak.has_value();
    });
}

}  // namespace qs::core
