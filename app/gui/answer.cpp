#include "app/gui/answer.h"

#include "app/gui/answer_reason.h"
#include "core/analysis/find_answer.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/time_notes.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace qs::app {

namespace {

using core::AnswerCandidate;
using core::AnswerObjective;
using core::Candidacy;
using core::CellSummary;
using widgets::significantText;

struct AnswerText {
    Q_DECLARE_TR_FUNCTIONS(Answer)
};

QString bracketed(double lower, double upper)
{
    return QStringLiteral("[%1, %2]").arg(significantText(lower, 3), significantText(upper, 3));
}

class Wording final
{
public:
    Wording(const core::RunData& data, const core::Analysis& analysis, const QString& baseline,
            const core::AnswerQuestion& question, bool running)
        : m_analysis(analysis),
          m_question(question),
          m_running(running),
          m_baseline(widgets::baselineText(analysis, baseline)),
          m_partial(data.leftOut.isLoss())
    {
    }

    [[nodiscard]] Answer words() const;

private:
    [[nodiscard]] QString headline(const core::RunAnswer& found, const CellSummary& best) const;
    [[nodiscard]] QString detail(const core::RunAnswer& found, const CellSummary& best) const;
    // Before there is an answer: why not, and what leads so far.
    [[nodiscard]] QString openHeadline(const core::RunAnswer& found, const CellSummary& best) const;
    [[nodiscard]] QString openDetail(const core::RunAnswer& found, const CellSummary& best) const;
    [[nodiscard]] QString nameOf(const std::string& cellId) const;
    [[nodiscard]] ObjectiveText valueOf(const AnswerCandidate& best) const;
    [[nodiscard]] QString ratioText(const CellSummary& best) const;
    [[nodiscard]] QString memoryRatioText(const CellSummary& best) const;
    [[nodiscard]] QString energyRatioText(const CellSummary& best) const;
    [[nodiscard]] QString hostBoundText(const CellSummary& best) const;
    [[nodiscard]] QString nearestText(const core::RunAnswer& found) const;
    [[nodiscard]] QString tiesText(const core::RunAnswer& found) const;
    [[nodiscard]] QString qualityText(const CellSummary& best) const;
    [[nodiscard]] QString nothingText(const core::RunAnswer& found) const;
    [[nodiscard]] QString progressText(const core::RunAnswer& found, const CellSummary* best) const;
    [[nodiscard]] QString explanation(const core::RunAnswer& found, const CellSummary& best) const;

    const core::Analysis& m_analysis;
    const core::AnswerQuestion& m_question;
    bool m_running;
    QString m_baseline;
    bool m_partial;  // a part of what was measured cannot be read
};

Answer Wording::words() const
{
    Answer answer;
    answer.found = core::findAnswer(m_analysis, m_question);
    const core::RunAnswer& found = answer.found;
    const CellSummary* best =
        found.best() == nullptr ? nullptr : m_analysis.find(found.best()->cellId);
    answer.trained = found.trained;
    answer.progress = progressText(found, best);
    if (best == nullptr) {
        answer.headline = nothingText(found);
        return answer;
    }
    answer.cellId = QString::fromStdString(best->cellId);
    if (!found.isBaseline)
        answer.otherId = QString::fromStdString(best->baselineId);
    else if (found.nearest)
        answer.otherId = QString::fromStdString(found.candidates[*found.nearest].cellId);
    answer.headline = found.support.open ? openHeadline(found, *best) : headline(found, *best);
    answer.detail = found.support.open ? openDetail(found, *best) : detail(found, *best);
    if (!found.support.open || *found.support.open == core::NoAnswerYet::OneCell)
        answer.figure = valueOf(*found.best()).figure;
    answer.explanation = explanation(found, *best);
    return answer;
}

QString Wording::nameOf(const std::string& cellId) const
{
    return QString::fromStdString(m_analysis.labels.withBatch(*m_analysis.find(cellId)->cell));
}

QString Wording::headline(const core::RunAnswer& found, const CellSummary& best) const
{
    const QString name = nameOf(best.cellId);
    const bool timed = core::isOfTime(m_question.objective);
    if (found.isBaseline && timed)
        return (found.support.standing == core::AnswerStanding::Decided
                    ? AnswerText::tr("Nothing beats %1: %2")
                    : AnswerText::tr("Nothing clearly beats %1: %2"))
            .arg(m_baseline, name);
    if (found.belowBaseline && timed)
        return AnswerText::tr("Nothing beats %1: nearest is %2").arg(m_baseline, name);
    switch (m_question.objective) {
    case AnswerObjective::Throughput:
        return AnswerText::tr("Fastest: %1").arg(name);
    case AnswerObjective::Latency:
        return AnswerText::tr("Lowest latency: %1").arg(name);
    case AnswerObjective::Memory:
        return AnswerText::tr("Least memory: %1").arg(name);
    case AnswerObjective::Energy:
        return AnswerText::tr("Least energy: %1").arg(name);
    }
    return name;
}

QString Wording::detail(const core::RunAnswer& found, const CellSummary& best) const
{
    QStringList parts{valueOf(*found.best()).whole()};
    if (m_question.objective == AnswerObjective::Memory)
        parts << memoryRatioText(best);
    if (m_question.objective == AnswerObjective::Energy)
        parts << energyRatioText(best);
    parts << (found.isBaseline ? nearestText(found) : ratioText(best));
    if (core::isOfTime(m_question.objective))
        parts << hostBoundText(best);
    parts << qualityText(best) << tiesText(found);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString Wording::hostBoundText(const CellSummary& best) const
{
    switch (core::hostBoundSide(m_analysis, best)) {
    case core::HostBoundSide::Neither:
        break;
    case core::HostBoundSide::Cell:
        return AnswerText::tr("host-bound");
    case core::HostBoundSide::Baseline:
        return AnswerText::tr("the baseline is host-bound");
    }
    return {};
}

QString Wording::openHeadline(const core::RunAnswer& found, const CellSummary& best) const
{
    switch (*found.support.open) {
    case core::NoAnswerYet::OneCell:
        return AnswerText::tr("One cell measured: %1").arg(nameOf(best.cellId));
    case core::NoAnswerYet::BaselineAlone:
        return AnswerText::tr("No answer yet: only the speed baseline is measured");
    case core::NoAnswerYet::ReferencePending:
        return AnswerText::tr("No answer yet: better cells wait for their quality reference");
    case core::NoAnswerYet::FloorMissing:
        return AnswerText::tr("No answer: there is no noise floor to judge better cells by");
    case core::NoAnswerYet::NotCompared:
        return AnswerText::tr("No answer: outputs of better cells were not compared");
    case core::NoAnswerYet::RerunsDiffer:
        break;
    }
    return AnswerText::tr("No answer yet: reruns of one cell differ %1×, the best two cells %2×")
        .arg(significantText(found.support.rerunSpread, 2),
             significantText(found.support.claimed.value_or(1.0), 2));
}

QString Wording::openDetail(const core::RunAnswer& found, const CellSummary& best) const
{
    QStringList parts{valueOf(*found.best()).whole(), qualityText(best)};
    const auto open = *found.support.open;
    const bool ended =
        open == core::NoAnswerYet::FloorMissing || open == core::NoAnswerYet::NotCompared;
    if (ended)
        parts.prepend(AnswerText::tr("best of those judged: %1").arg(nameOf(best.cellId)));
    else if (open != core::NoAnswerYet::OneCell)
        parts.prepend(AnswerText::tr("leads so far: %1").arg(nameOf(best.cellId)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

ObjectiveText Wording::valueOf(const AnswerCandidate& best) const
{
    return objectiveText(m_analysis, m_question.objective, *m_analysis.find(best.cellId),
                         *best.value, best.interval);
}

QString Wording::ratioText(const CellSummary& best) const
{
    if (best.baselineId == best.cellId)
        return {};
    if (!best.speedup)
        return AnswerText::tr("no ratio: %1 is not measured").arg(m_baseline);
    const QString ratio = significantText(*best.speedup, 3) + QStringLiteral("×");
    if (!best.speedupInterval)
        return AnswerText::tr("%1 the speed of %2 (no interval with fewer than three repeats)")
            .arg(ratio, m_baseline);
    const core::Interval& interval = *best.speedupInterval;
    const QString verdict = best.claim ? widgets::verdictText(*best.claim) : QString();
    const QString text = AnswerText::tr("%1 %2 the speed of %3")
                             .arg(ratio, bracketed(interval.lower, interval.upper), m_baseline);
    return verdict.isEmpty() ? text : AnswerText::tr("%1: %2", "ratio: verdict").arg(text, verdict);
}

QString Wording::memoryRatioText(const CellSummary& best) const
{
    const CellSummary* baseline =
        best.baselineId == best.cellId ? nullptr : m_analysis.find(best.baselineId);
    if (baseline == nullptr || !baseline->measured)
        return {};
    const bool allocated = core::allocatedPeakKnown(m_analysis);
    const auto bytes = [&](const CellSummary& cell) {
        return allocated ? cell.memory.allocatedPeak : cell.memory.processPeak;
    };
    if (!bytes(best) || bytes(*baseline).value_or(0) <= 0)
        return {};
    return AnswerText::tr("%1× the memory of %2")
        .arg(significantText(
                 static_cast<double>(*bytes(best)) / static_cast<double>(*bytes(*baseline)), 3),
             m_baseline);
}

QString Wording::energyRatioText(const CellSummary& best) const
{
    const CellSummary* baseline =
        best.baselineId == best.cellId ? nullptr : m_analysis.find(best.baselineId);
    const auto ofBaseline = baseline == nullptr ? std::nullopt : baseline->joulesPerUnit();
    if (!ofBaseline || *ofBaseline <= 0.0 || !best.joulesPerUnit())
        return {};
    return AnswerText::tr("%1× the energy of %2")
        .arg(significantText(*best.joulesPerUnit() / *ofBaseline, 3), m_baseline);
}

QString Wording::nearestText(const core::RunAnswer& found) const
{
    if (!found.nearest) {
        const bool limited =
            std::any_of(found.candidates.begin(), found.candidates.end(), [](const auto& each) {
                return each.candidacy == core::Candidacy::BeyondLimit;
            });
        return limited ? AnswerText::tr("no other cell meets the quality limit")
                       : AnswerText::tr("no other cell to compare with");
    }
    const AnswerCandidate& nearest = found.candidates[*found.nearest];
    QString text = AnswerText::tr("nearest: %1 with %2")
                       .arg(nameOf(nearest.cellId),
                            objectiveText(m_analysis, m_question.objective,
                                          *m_analysis.find(nearest.cellId), *nearest.value)
                                .whole());
    if (nearest.besideBest) {
        text += QStringLiteral(", %1×").arg(significantText(nearest.besideBest->value, 3));
        if (const auto& interval = nearest.besideBest->interval)
            text += QLatin1Char(' ') + bracketed(interval->lower, interval->upper);
    }
    return found.nearestOfOthers ? AnswerText::tr("%1, of another precision").arg(text) : text;
}

QString Wording::tiesText(const core::RunAnswer& found) const
{
    constexpr qsizetype kNamed = 2;
    QStringList names;
    for (std::size_t i = 1; i < found.eligible; ++i) {
        if (found.candidates[i].tied)
            names << nameOf(found.candidates[i].cellId);
    }
    if (names.isEmpty())
        return {};
    const qsizetype more = names.size() - kNamed;
    QString text = QStringList(names.mid(0, kNamed)).join(QStringLiteral("; "));
    if (more > 0)
        text += AnswerText::tr(" and %1 more").arg(QLocale().toString(more));
    return AnswerText::tr("tied with %1").arg(text);
}

QString Wording::qualityText(const CellSummary& best) const
{
    if (!best.cell->trained)
        return AnswerText::tr("random weights or inputs: no quality verdict");
    if (best.cell->role == core::CellRole::QualityReference ||
        best.cell->referenceId == best.cellId)
        return AnswerText::tr("the quality reference itself");
    if (best.identical())
        return AnswerText::tr("outputs bit-identical to the reference");
    if (!best.quality) {
        const auto batches = core::comparedBatches(m_analysis, best);
        return batches.empty()
                   ? AnswerText::tr("outputs not compared yet")
                   : AnswerText::tr("outputs not compared at this batch (at batch %1 only)")
                         .arg(batchesText(batches));
    }
    const core::Metric& metric = *core::metricRegistry().find(
        core::meanOf(core::metricRegistry().distanceOf(best.cell->output).name));
    QString text =
        AnswerText::tr("%1 %2 to bf16")
            .arg(widgets::metricTitle(metric),
                 significantText(core::valueOf(metric, best).value_or(0.0), metric.digits));
    if (best.noiseResult == core::NoiseResult::AtFloor)
        text += AnswerText::tr(", at the noise floor (%1×)")
                    .arg(significantText(*best.noiseMultiple, 3));
    else if (best.noiseMultiple)
        text += AnswerText::tr(", %1× noise floor").arg(significantText(*best.noiseMultiple, 3));
    return text;
}

QString Wording::nothingText(const core::RunAnswer& found) const
{
    if (found.progress.possible == 0)
        return AnswerText::tr("No cell of this run could be measured");
    const auto any = [&](Candidacy candidacy) {
        return std::any_of(
            found.candidates.begin(), found.candidates.end(),
            [&](const AnswerCandidate& each) { return each.candidacy == candidacy; });
    };
    if (m_running && (any(Candidacy::NotCompared) || any(Candidacy::FloorUnknown)))
        return AnswerText::tr("Quality not known yet: the bf16 reference is not measured yet");
    if (any(Candidacy::BeyondLimit) || any(Candidacy::NotCompared) ||
        any(Candidacy::NotComparedHere) || any(Candidacy::FloorUnknown))
        return AnswerText::tr("No measured cell meets the quality limit");
    if (any(Candidacy::OtherBatch))
        return AnswerText::tr("No cell with batch 1 was measured, as latency needs");
    if (any(Candidacy::NoFigure))
        return m_question.objective == AnswerObjective::Energy
                   ? AnswerText::tr("No energy was recorded: the device has no counter of it, or "
                                    "passes were too short")
                   : AnswerText::tr("No memory was recorded");
    return m_running ? AnswerText::tr("Nothing measured yet")
                     : AnswerText::tr("No cell was measured");
}

QString Wording::progressText(const core::RunAnswer& found, const CellSummary* best) const
{
    const core::AnswerProgress& progress = found.progress;
    if (!m_running && progress.complete)
        return m_partial ? AnswerText::tr("from a damaged journal") : QString();
    const QLocale locale;
    if (best != nullptr && best->roundsPlanned > 1 && progress.measured == progress.possible &&
        !m_partial)
        return AnswerText::tr("so far, %1 of %2 repeats")
            .arg(locale.toString(best->roundsOk), locale.toString(best->roundsPlanned));
    const QString cells =
        AnswerText::tr("%1 of %2 cells measured")
            .arg(locale.toString(progress.measured), locale.toString(progress.possible));
    if (!m_running && m_partial)
        return AnswerText::tr("from a damaged journal, %1").arg(cells);
    if (!m_running)
        return AnswerText::tr("stopped early, %1").arg(cells);
    return best == nullptr ? cells : AnswerText::tr("so far, %1").arg(cells);
}

QString Wording::explanation(const core::RunAnswer& found, const CellSummary& best) const
{
    QString chosen;
    switch (m_question.objective) {
    case AnswerObjective::Throughput:
        chosen = AnswerText::tr(
            "The cell with the most images per second, at any batch, of all measured "
            "cells that meet the quality limit.");
        break;
    case AnswerObjective::Latency:
        chosen =
            AnswerText::tr("The cell with the shortest pass at batch 1, of all measured cells that "
                           "meet the quality limit.");
        break;
    case AnswerObjective::Memory:
        chosen =
            AnswerText::tr("The cell with the smallest memory peak, at any batch, of all measured "
                           "cells that meet the quality limit.");
        break;
    case AnswerObjective::Energy:
        chosen = AnswerText::tr("The cell that takes the least energy per unit of work, with what "
                                "the device takes when idle, at any batch, of all measured cells "
                                "that meet the quality limit.");
        break;
    }
    if (found.samples.size() > 1)
        chosen += QLatin1Char(' ') + AnswerText::tr("Only cells of %1 count: rates of different "
                                                    "sizes or workloads do not compare.")
                                         .arg(QString::fromStdString(found.sample));
    return chosen + QLatin1Char(' ') +
           AnswerText::tr(
               "Its ratio is the time of %1 at the same batch and size over its own time; "
               "brackets hold the 95 % interval over repeats, each in its own process. Tied "
               "cells cannot be distinguished from it by the repeats. Samples: %2.")
               .arg(m_baseline, QLocale().toString(static_cast<qulonglong>(best.samples)));
}

}  // namespace

Answer answerInWords(const core::RunData& data, const core::Analysis& analysis,
                     const QString& baseline, const core::AnswerQuestion& question, bool running)
{
    return Wording(data, analysis, baseline, question, running).words();
}

}  // namespace qs::app
