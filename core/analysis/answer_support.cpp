#include "core/analysis/answer_support.h"

#include "core/analysis/rerun_speed.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

// At least 1, whichever of the two is the faster.
double distance(double ratio)
{
    return std::max(ratio, 1.0 / ratio);
}

// What stands beside the answer in the headline: what it beats or is beaten by. The baseline is one
// of speed.
const AnswerCandidate* rivalOf(const RunAnswer& answer, bool timed)
{
    if (timed && answer.isBaseline)
        return answer.nearest ? &answer.candidates[*answer.nearest] : nullptr;
    return answer.eligible > 1 ? &answer.candidates[1] : nullptr;
}

std::optional<double> claimedBy(const RunAnswer& answer, const CellSummary& best)
{
    if (!answer.isBaseline && best.speedup)
        return distance(*best.speedup);
    const AnswerCandidate* rival = rivalOf(answer, true);
    return rival != nullptr && rival->besideBest ? std::optional(distance(rival->besideBest->value))
                                                 : std::nullopt;
}

bool isTie(const RunAnswer& answer, const CellSummary& best, bool timed)
{
    if (timed && !answer.isBaseline && best.claim)
        return best.claim->verdict == Verdict::Same;
    const AnswerCandidate* rival = rivalOf(answer, timed);
    return rival != nullptr && rival->tied;
}

bool isJudged(const RunAnswer& answer, const CellSummary& best, bool timed)
{
    if (timed && !answer.isBaseline && best.claim)
        return best.claim->verdict == Verdict::Faster || best.claim->verdict == Verdict::Slower;
    const AnswerCandidate* rival = rivalOf(answer, timed);
    return rival != nullptr && rival->besideBest && rival->besideBest->interval;
}

// Its quality will be known when the reference, or the last run of its noise floor, is there.
bool waits(const AnswerCandidate& candidate, const Analysis& analysis)
{
    switch (candidate.candidacy) {
    case Candidacy::FloorUnknown:
        return true;
    case Candidacy::NotCompared:
    case Candidacy::NotComparedHere:
        break;
    case Candidacy::Eligible:
    case Candidacy::Impossible:
    case Candidacy::NotMeasured:
    case Candidacy::Failed:
    case Candidacy::Doubtful:
    case Candidacy::OtherEnvironment:
    case Candidacy::OtherSample:
    case Candidacy::OtherBatch:
    case Candidacy::OtherMemory:
    case Candidacy::NoFigure:
    case Candidacy::BeyondLimit:
        return false;
    }
    const CellSummary* reference =
        analysis.find(analysis.find(candidate.cellId)->cell->referenceId);
    // One that has a row and is not measured has failed.
    return reference != nullptr && !reference->measured && reference->environmentId.empty();
}

// Those that did better and are not eligible.
std::vector<const AnswerCandidate*> betterThanBest(const RunAnswer& answer,
                                                   AnswerObjective objective)
{
    const double best = *answer.best()->value;
    std::vector<const AnswerCandidate*> better;
    for (const AnswerCandidate& each : answer.candidates) {
        if (each.value &&
            (objective == AnswerObjective::Throughput ? *each.value > best : *each.value < best))
            better.push_back(&each);
    }
    return better;
}

std::optional<NoAnswerYet> unjudged(const RunAnswer& answer, const Analysis& analysis,
                                    AnswerObjective objective)
{
    const auto better = betterThanBest(answer, objective);
    const auto any = [&](auto is) { return std::any_of(better.begin(), better.end(), is); };
    if (!answer.progress.complete)
        return any([&](const AnswerCandidate* each) { return waits(*each, analysis); })
                   ? std::optional(NoAnswerYet::ReferencePending)
                   : std::nullopt;
    // Of two judged cells one is the better, whatever else there is.
    if (!answer.isBaseline)
        return std::nullopt;
    const auto is = [](Candidacy candidacy) {
        return [=](const AnswerCandidate* each) { return each->candidacy == candidacy; };
    };
    if (any(is(Candidacy::FloorUnknown)))
        return NoAnswerYet::FloorMissing;
    if (any(is(Candidacy::NotCompared)) || any(is(Candidacy::NotComparedHere)))
        return NoAnswerYet::NotCompared;
    return std::nullopt;
}

// References are measured first: what they beat is not known before anything else is.
bool isBaselineAlone(const RunAnswer& answer, const Analysis& analysis)
{
    if (answer.progress.complete)
        return false;
    return std::all_of(answer.candidates.begin(), answer.candidates.end(),
                       [&](const AnswerCandidate& each) {
                           const CellSummary& cell = *analysis.find(each.cellId);
                           return !each.value || cell.baselineId == cell.cellId;
                       });
}

// That nothing beats the baseline is claimed of ties as well.
bool rerunsDenyIt(const AnswerSupport& support, bool isBaseline)
{
    if (!(support.rerunSpread > 1.0))
        return false;
    return support.claimed ? support.rerunSpread >= *support.claimed : isBaseline;
}

}  // namespace

AnswerSupport supportOf(const RunAnswer& answer, const Analysis& analysis,
                        AnswerObjective objective)
{
    AnswerSupport support;
    if (answer.best() == nullptr)
        return support;
    const bool timed = isOfTime(objective);
    const CellSummary& best = *analysis.find(answer.best()->cellId);
    const auto measured = std::count_if(
        answer.candidates.begin(), answer.candidates.end(), [](const AnswerCandidate& each) {
            return each.value.has_value() && each.candidacy != Candidacy::OtherSample;
        });
    const bool tie = isTie(answer, best, timed);
    if (timed) {
        support.claimed = tie ? std::nullopt : claimedBy(answer, best);
        support.rerunSpread = largestRerunRatio(analysis);
    }
    if (measured == 1)
        support.open = NoAnswerYet::OneCell;
    else if (timed && isBaselineAlone(answer, analysis))
        support.open = NoAnswerYet::BaselineAlone;
    else if (const auto why = unjudged(answer, analysis, objective))
        support.open = why;
    else if (rerunsDenyIt(support, answer.isBaseline))
        support.open = NoAnswerYet::RerunsDiffer;
    if (support.open)
        return support;
    const bool shared = answer.eligible > 1 && answer.candidates[1].tied;
    // Peaks are the same in every round: nothing needs to be repeated for them.
    const bool firm =
        !tie && !shared && (objective == AnswerObjective::Memory || isJudged(answer, best, timed));
    support.standing = firm ? AnswerStanding::Decided : AnswerStanding::Unsure;
    return support;
}

}  // namespace qs::core
