#include "app/gui/answer_reason.h"

#include "core/analysis/find_answer.h"
#include "core/analysis/metric_values.h"
#include "core/base/format.h"
#include "core/stats/summary.h"
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

struct AnswerReasonText {
    Q_DECLARE_TR_FUNCTIONS(AnswerReason)
};

// The value as the window shows it: time in milliseconds, memory in GiB, energy in joules.
double shownValue(AnswerObjective objective, double value)
{
    switch (objective) {
    case AnswerObjective::Throughput:
    case AnswerObjective::Energy:
        return value;
    case AnswerObjective::Latency:
        return value * 1e3;
    case AnswerObjective::Memory:
        return value / widgets::kBytesPerGibibyte;
    }
    return value;
}

}  // namespace

QString batchesText(const std::vector<std::int64_t>& batches)
{
    QStringList texts;
    for (const std::int64_t batch : batches)
        texts << QLocale().toString(qlonglong{batch});
    return texts.join(QStringLiteral(", "));
}

namespace {

QString withUnit(const core::Analysis& analysis, AnswerObjective objective, const QString& number)
{
    switch (objective) {
    case AnswerObjective::Throughput:
        return QStringLiteral("%1 %2").arg(number,
                                           widgets::unitsPerSecond(widgets::workUnitOf(analysis)));
    case AnswerObjective::Latency:
        return AnswerReasonText::tr("%1 ms").arg(number);
    case AnswerObjective::Memory:
        return AnswerReasonText::tr("%1 GiB").arg(number);
    case AnswerObjective::Energy:
        return QStringLiteral("%1 %2").arg(
            number, widgets::metricUnit(*core::metricRegistry().find("energy"),
                                        widgets::workUnitOf(analysis)));
    }
    return number;
}

}  // namespace

ObjectiveText objectiveText(const core::Analysis& analysis, AnswerObjective objective,
                            const core::CellSummary& cell, double value,
                            const std::optional<core::Interval>& interval)
{
    if (core::isToldAsTime(objective, cell))
        return {QString::fromStdString(core::formatSeconds(cell.seconds)), {}};
    constexpr int kUsualDigits = 4;
    const int digits =
        interval ? std::max(2, core::supportedDigits(value, *interval)) : kUsualDigits;
    const auto number = [&](double each) {
        return significantText(shownValue(objective, each), digits);
    };
    return {withUnit(analysis, objective, number(value)),
            interval
                ? QStringLiteral("[%1, %2]").arg(number(interval->lower), number(interval->upper))
                : QString()};
}

QString candidacyText(Candidacy candidacy)
{
    switch (candidacy) {
    case Candidacy::Eligible:
        return AnswerReasonText::tr("Eligible, but worse");
    case Candidacy::Impossible:
        return AnswerReasonText::tr("Cannot run here");
    case Candidacy::NotMeasured:
        return AnswerReasonText::tr("Not measured");
    case Candidacy::Failed:
        return AnswerReasonText::tr("Failed");
    case Candidacy::Doubtful:
        return AnswerReasonText::tr("Results with a warning");
    case Candidacy::OtherEnvironment:
        return AnswerReasonText::tr("Measured in a different environment from most of the run");
    case Candidacy::OtherSample:
        return AnswerReasonText::tr("Samples of another kind: rates do not compare");
    case Candidacy::OtherBatch:
        return AnswerReasonText::tr("Batch size is not 1");
    case Candidacy::OtherMemory:
        return AnswerReasonText::tr("Memory of the computer, not of a GPU: peaks do not compare");
    case Candidacy::NoFigure:
        return AnswerReasonText::tr("The quantity asked for was not recorded");
    case Candidacy::NotCompared:
        return AnswerReasonText::tr("Images not compared with the reference");
    case Candidacy::NotComparedHere:
        return AnswerReasonText::tr("Images not compared at this batch");
    case Candidacy::FloorUnknown:
        return AnswerReasonText::tr("Noise floor not known");
    case Candidacy::BeyondLimit:
        return AnswerReasonText::tr("Beyond the quality limit");
    }
    return {};
}

QString candidateReason(const AnswerCandidate& candidate, const CellSummary& summary,
                        const core::AnswerQuestion& question)
{
    switch (candidate.candidacy) {
    case Candidacy::Impossible:
    case Candidacy::Failed:
    case Candidacy::Doubtful:
        return widgets::cellReason(summary);
    case Candidacy::NotComparedHere:
        return AnswerReasonText::tr("compared at batch %1 only")
            .arg(batchesText(candidate.comparedBatches));
    case Candidacy::Eligible:
    case Candidacy::NotMeasured:
    case Candidacy::OtherEnvironment:
    case Candidacy::OtherSample:
    case Candidacy::OtherBatch:
    case Candidacy::OtherMemory:
    case Candidacy::NoFigure:
    case Candidacy::NotCompared:
    case Candidacy::FloorUnknown:
        return {};
    case Candidacy::BeyondLimit:
        break;
    }
    if (question.limit == core::QualityLimit::MinimumLikeness) {
        const core::OutputMetric& likeness =
            core::metricRegistry().likenessOf(summary.cell->output);
        const std::string mean = core::meanOf(likeness.name);
        return AnswerReasonText::tr("mean %1 %2 < %3")
            .arg(QString::fromStdString(likeness.title),
                 QLocale().toString(core::valueOf(mean, summary).value_or(0.0), 'f', 4),
                 QLocale().toString(question.minimumLikeness));
    }
    if (!summary.noiseMultiple || !summary.worstNoiseMultiple)
        return AnswerReasonText::tr("differs, although the noise-floor runs are identical");
    return AnswerReasonText::tr("%1× the noise floor in the mean, %2× in the worst output")
        .arg(significantText(*summary.noiseMultiple, 3),
             significantText(*summary.worstNoiseMultiple, 3));
}

}  // namespace qs::app
