#include "core/report/words/answer_text.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/find_answer.h"
#include "core/analysis/time_notes.h"
#include "core/base/format.h"
#include "core/report/markdown_text.h"
#include "core/report/words/verdict_text.h"
#include "core/stats/summary.h"

#include <algorithm>

namespace qs::core {

namespace {

std::string questionText(const AnswerQuestion& question, const std::string& sample)
{
    std::string text;
    switch (question.objective) {
    case AnswerObjective::Throughput:
        text = "Highest throughput";
        break;
    case AnswerObjective::Latency:
        text = "Lowest latency at batch 1";
        break;
    case AnswerObjective::Memory:
        text = "Least memory";
        break;
    case AnswerObjective::Energy:
        text = "Least energy";
        break;
    }
    switch (question.limit) {
    case QualityLimit::None:
        break;
    case QualityLimit::WithinNoise:
        text += ", outputs within " + formatSignificant(kNoiseLimit, 1) + "× the noise floor";
        break;
    case QualityLimit::MinimumLikeness:
        text += ", outputs like the reference by at least " +
                formatSignificant(question.minimumLikeness, 4);
        break;
    }
    if (!sample.empty())
        text += " (" + sample + ")";
    return text;
}

std::string valueText(const AnswerCandidate& candidate, AnswerObjective objective,
                      const CellSummary& summary)
{
    if (isToldAsTime(objective, summary))
        return formatSeconds(summary.seconds);
    const WorkUnit unit = summary.cell->unit;
    switch (objective) {
    case AnswerObjective::Throughput:
        return withInterval(*candidate.value, candidate.interval) + " " + std::string(name(unit)) +
               "s/s";
    case AnswerObjective::Latency:
        return formatSeconds(
            *candidate.value,
            candidate.interval ? std::min(3, supportedDigits(*candidate.value, *candidate.interval))
                               : 3);
    case AnswerObjective::Energy:
        return withInterval(*candidate.value, candidate.interval) + " J/" + std::string(name(unit));
    case AnswerObjective::Memory:
        break;
    }
    return formatBytes(*candidate.value);
}

std::string ratioText(double value, const std::optional<Interval>& interval)
{
    const int digits = interval ? std::min(3, supportedDigits(value, *interval)) : 3;
    std::string text = formatSignificant(value, digits) + "×";
    if (interval)
        text += " [" + formatSignificant(interval->lower, digits) + ", " +
                formatSignificant(interval->upper, digits) + "]";
    return text;
}

class Speaker final
{
public:
    Speaker(const Analysis& analysis, const AnswerQuestion& question)
        : m_analysis(analysis), m_question(question), m_answer(findAnswer(analysis, question))
    {
    }

    [[nodiscard]] const RunAnswer& answer() const { return m_answer; }

    [[nodiscard]] AnswerLine line() const
    {
        AnswerLine line{.question = questionText(m_question, m_answer.sample),
                        .answer = text(),
                        .standing = m_answer.support.standing,
                        .cellId = {}};
        if (m_answer.best() != nullptr && !m_answer.support.open)
            line.cellId = m_answer.best()->cellId;
        return line;
    }

private:
    [[nodiscard]] std::string labelOf(const std::string& cellId) const
    {
        return m_analysis.labels.withBatch(*m_analysis.find(cellId)->cell);
    }

    [[nodiscard]] std::string withValue(const AnswerCandidate& candidate) const
    {
        return labelOf(candidate.cellId) + ": " +
               valueText(candidate, m_question.objective, *m_analysis.find(candidate.cellId));
    }

    [[nodiscard]] std::string text() const
    {
        if (m_answer.best() == nullptr)
            return "no cell qualifies";
        if (m_answer.support.open)
            return openText(*m_answer.support.open);
        const AnswerCandidate& best = *m_answer.best();
        const bool timed = isOfTime(m_question.objective);
        std::string text;
        if (timed && m_answer.isBaseline)
            text = m_answer.support.standing == AnswerStanding::Decided
                       ? "nothing beats the baseline "
                       : "nothing clearly beats the baseline ";
        text += withValue(best);
        if (timed)
            text += besideBaseline(best) + hostBound(best);
        return text + ties();
    }

    [[nodiscard]] std::string besideBaseline(const AnswerCandidate& best) const
    {
        if (m_answer.isBaseline) {
            if (!m_answer.nearest)
                return {};
            const AnswerCandidate& nearest = m_answer.candidates[*m_answer.nearest];
            std::string text =
                m_answer.nearestOfOthers ? "; nearest of another precision is " : "; nearest is ";
            text += labelOf(nearest.cellId);
            if (nearest.besideBest)
                text += ", " + ratioText(nearest.besideBest->value, nearest.besideBest->interval) +
                        " its speed";
            return text;
        }
        const CellSummary& summary = *m_analysis.find(best.cellId);
        if (!summary.speedup || summary.baselineId.empty())
            return {};
        std::string text = "; " + ratioText(*summary.speedup, summary.speedupInterval) +
                           " the speed of " + labelOf(summary.baselineId);
        const std::string verdict = summary.claim ? verdictText(*summary.claim) : std::string();
        return verdict.empty() ? text : text + " (" + verdict + ")";
    }

    [[nodiscard]] std::string hostBound(const AnswerCandidate& best) const
    {
        switch (hostBoundSide(m_analysis, *m_analysis.find(best.cellId))) {
        case HostBoundSide::Neither:
            return {};
        case HostBoundSide::Cell:
            return "; host-bound";
        case HostBoundSide::Baseline:
            return "; the speed baseline is host-bound";
        }
        return {};
    }

    [[nodiscard]] std::string ties() const
    {
        const auto count =
            std::count_if(m_answer.candidates.begin(), m_answer.candidates.end(),
                          [](const AnswerCandidate& candidate) { return candidate.tied; });
        return count == 0 ? std::string()
                          : "; tied with " + std::to_string(count) +
                                (count == 1 ? " other cell" : " other cells");
    }

    [[nodiscard]] std::string openText(NoAnswerYet reason) const
    {
        switch (reason) {
        case NoAnswerYet::OneCell:
            return "one cell measured: " + withValue(*m_answer.best());
        case NoAnswerYet::BaselineAlone:
            return "no answer yet: nothing but the speed baseline was measured";
        case NoAnswerYet::ReferencePending:
            return "no answer yet: better cells wait to be compared with their quality reference";
        case NoAnswerYet::FloorMissing:
            return "no answer: better cells cannot be judged, as the run has no noise floor";
        case NoAnswerYet::NotCompared:
            return "no answer: better cells cannot be judged, as their outputs were not compared";
        case NoAnswerYet::RerunsDiffer:
            break;
        }
        return "no answer yet: reruns of one cell differ " +
               formatSignificant(m_answer.support.rerunSpread, 2) + "× in speed, more than the " +
               formatSignificant(m_answer.support.claimed.value_or(1.0), 3) +
               "× that would be claimed";
    }

    const Analysis& m_analysis;
    AnswerQuestion m_question;
    RunAnswer m_answer;
};

bool hasFigures(const RunAnswer& answer)
{
    return std::any_of(answer.candidates.begin(), answer.candidates.end(),
                       [](const AnswerCandidate& each) { return each.value.has_value(); });
}

// The usual questions about samples of one kind.
void addLines(std::vector<AnswerLine>& lines, const Analysis& analysis, const std::string& sample)
{
    const Speaker throughput(analysis, {.sample = sample});
    const bool trained = throughput.answer().trained;
    const QualityLimit limit = trained ? QualityLimit::WithinNoise : QualityLimit::None;
    const auto add = [&](const Speaker& speaker) {
        if (hasFigures(speaker.answer()))
            lines.push_back(speaker.line());
    };
    const Speaker limited(analysis, {.limit = limit, .sample = sample});
    add(limited);
    if (trained && limited.line().cellId != throughput.line().cellId)
        add(throughput);
    for (const AnswerObjective objective :
         {AnswerObjective::Latency, AnswerObjective::Memory, AnswerObjective::Energy})
        add(Speaker(analysis, {.objective = objective, .limit = limit, .sample = sample}));
}

std::string batchesText(const char* what, const std::vector<std::int64_t>& batches)
{
    if (batches.empty())
        return {};
    std::string text = std::string("; ") + what + " at batch ";
    for (std::size_t i = 0; i < batches.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(batches[i]);
    return text;
}

// What the cells are held against, by what tells it from them: "bf16 is faster here", "eager is
// faster here".
std::string fasterHereText(const FamilyAdvice& advice, const Analysis& analysis)
{
    const CellSummary* baseline =
        advice.best == nullptr ? nullptr : analysis.find(advice.best->baselineId);
    if (baseline == nullptr)
        return "slower";
    const CellConfig& faster = baseline->cell->config;
    const CellConfig& own = advice.best->cell->config;
    if (faster.precision != own.precision)
        return precisionText(faster) + " is faster here";
    if (faster.compile != own.compile)
        return (faster.compile == "none" ? "eager" : faster.compile) + " is faster here";
    return "slower";
}

}  // namespace

std::vector<AnswerLine> answerLines(const Analysis& analysis)
{
    std::vector<AnswerLine> lines;
    for (const SampleKind& kind : sampleKinds(analysis))
        addLines(lines, analysis, kind.sample);
    return lines;
}

std::string progressText(const Analysis& analysis)
{
    const AnswerProgress progress = findAnswer(analysis, {}).progress;
    if (progress.complete)
        return {};
    if (progress.measured == progress.possible)
        return "Not complete: every cell was measured, but not in every repeat.";
    return "Not complete: " + std::to_string(progress.measured) + " of " +
           std::to_string(progress.possible) + " cells were measured.";
}

std::string adviceGradeText(const FamilyAdvice& advice, const Analysis& analysis)
{
    switch (gradeOf(advice)) {
    case AdviceGrade::Recommended:
        return "recommended";
    case AdviceGrade::Marginal:
        return "marginal";
    case AdviceGrade::SafeDefault:
        return "safe default";
    case AdviceGrade::Baseline:
        return "speed baseline";
    case AdviceGrade::Undecided:
        return "undecided";
    case AdviceGrade::Avoid:
        break;
    }
    switch (advice.advice) {
    case Advice::FasterButWorse:
        return "avoid: outputs differ";
    case Advice::Unusable:
        return "avoid: no usable result";
    case Advice::Recommended:
    case Advice::NoGain:
    case Advice::Slower:
    case Advice::Open:
    case Advice::Baseline:
        break;
    }
    return "avoid: " + fasterHereText(advice, analysis);
}

std::string adviceGainText(const FamilyAdvice& advice)
{
    if (advice.best == nullptr)
        return {};
    return ratioText(*advice.best->speedup, advice.best->speedupInterval) + " at batch " +
           std::to_string(advice.best->cell->config.batch);
}

std::string adviceText(const FamilyAdvice& advice)
{
    const std::string beyond =
        "outputs beyond " + formatSignificant(kNoiseLimit, 1) + "× the noise floor";
    const std::string text =
        batchesText("faster", advice.faster) + batchesText("same", advice.same) +
        batchesText("slower", advice.slower) + batchesText("undecided", advice.open) +
        batchesText("worse outputs", advice.worse) + batchesText(beyond.c_str(), advice.beyond) +
        batchesText("not measured", advice.failed) +
        batchesText("least memory", advice.leastMemory) +
        batchesText("host-bound", advice.hostBound);
    return text.empty() ? text : text.substr(2);
}

}  // namespace qs::core
