#include "app/gui/answer.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace qs::app {

namespace {

using core::CellSummary;
using widgets::significantText;

constexpr double kNoiseLimit = 2.0;
constexpr double kSsimLimit = 0.99;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Answer)
};

bool isReference(const CellSummary& summary)
{
    return summary.cell->role == core::CellRole::QualityReference ||
           summary.cell->referenceId == summary.cellId;
}

// Unknown quality is not good quality: outputs that were not compared keep no limit.
bool keepsLimit(const CellSummary& summary, QualityLimit limit)
{
    if (limit == QualityLimit::None || !summary.cell->trained || isReference(summary) ||
        summary.identical)
        return true;
    if (limit == QualityLimit::WithinNoise)
        return summary.noiseMultiple && *summary.noiseMultiple <= kNoiseLimit;
    return summary.ssimMean && *summary.ssimMean >= kSsimLimit;
}

// Reruns for the noise floor repeat what is there; a cell that ran something else is no answer to
// what was asked.
bool mayAnswer(const CellSummary& summary)
{
    return summary.measured && summary.cell != nullptr &&
           summary.cell->role != core::CellRole::NoiseFloor && summary.throughput > 0.0 &&
           !widgets::ranSomethingElse(summary);
}

QString intervalText(const core::Interval& interval)
{
    return QStringLiteral("[%1, %2]")
        .arg(significantText(interval.lower, 3), significantText(interval.upper, 3));
}

QString ratioText(const CellSummary& summary, const QString& baselineName)
{
    if (!summary.speedup)
        return Text::tr("no ratio: %1 is not measured yet").arg(baselineName);
    const QString ratio = significantText(*summary.speedup, 3) + QStringLiteral("×");
    if (!summary.speedupInterval)
        return Text::tr("%1 the speed of %2 (no interval with fewer than three repeats)")
            .arg(ratio, baselineName);
    const core::Interval& interval = *summary.speedupInterval;
    const QString verdict = interval.lower > 1.0   ? Text::tr("faster")
                            : interval.upper < 1.0 ? Text::tr("slower")
                                                   : Text::tr("not settled");
    return Text::tr("%1 %2 the speed of %3: %4")
        .arg(ratio, intervalText(interval), baselineName, verdict);
}

// The answer is the baseline: what came next. Null if nothing else was measured.
const CellSummary* nearestTo(const core::Analysis& analysis, const CellSummary& best)
{
    const CellSummary* nearest = nullptr;
    for (const CellSummary& summary : analysis.cells) {
        if (mayAnswer(summary) && summary.speedup && summary.baselineId != summary.cellId &&
            summary.cellId != best.cellId &&
            (nearest == nullptr || summary.throughput > nearest->throughput))
            nearest = &summary;
    }
    return nearest;
}

// In images per second: its ratio is formed at its own batch, where it may well be the faster one.
QString nearestText(const CellSummary* nearest, const QString& baselineName)
{
    const QString itself = Text::tr("%1 itself, nothing else is faster").arg(baselineName);
    if (nearest == nullptr)
        return itself;
    return Text::tr("%1; next: %2 with %3 images/s")
        .arg(itself, widgets::cellTitle(nearest->cell->config),
             significantText(nearest->throughput, 4));
}

QString qualityText(const CellSummary& summary)
{
    if (!summary.cell->trained)
        return Text::tr("untrained weights: nothing is said about quality");
    if (isReference(summary))
        return Text::tr("the quality reference itself");
    if (summary.identical)
        return Text::tr("pictures identical to the reference");
    if (!summary.ssimMean)
        return Text::tr("pictures not compared yet");
    QString text =
        Text::tr("mean SSIM %1 to bf16").arg(QLocale().toString(*summary.ssimMean, 'f', 4));
    if (summary.noiseMultiple)
        text += Text::tr(", %1× noise floor").arg(significantText(*summary.noiseMultiple, 2));
    return text;
}

struct Counts {
    int possible = 0;
    int measured = 0;
    bool complete = true;  // every possible cell has an end in every round
};

// How far a cell has come. A cell that failed is not measured again; one that was cancelled is.
struct CellProgress {
    std::set<int> okRounds;
    bool failed = false;
};

Counts countCells(const core::RunData& data)
{
    std::map<std::string, CellProgress> progress;
    for (const core::Measurement& row : data.measurements) {
        CellProgress& cell = progress[row.cellId];
        if (row.ok())
            cell.okRounds.insert(row.round);
        else
            cell.failed = cell.failed || row.status != core::CellStatus::Cancelled;
    }
    Counts counts;
    for (const core::PlannedCell& cell : data.plan.cells) {
        if (!cell.possible())
            continue;
        const CellProgress& rows = progress[cell.id];
        const int ok = static_cast<int>(rows.okRounds.size());
        ++counts.possible;
        counts.measured += ok > 0 ? 1 : 0;
        counts.complete = counts.complete && (rows.failed || ok >= data.plan.preset.rounds);
    }
    return counts;
}

QString progressText(const Counts& counts, const CellSummary* best, bool running)
{
    if (!running && counts.complete)
        return {};
    const QLocale locale;
    if (best != nullptr && best->roundsPlanned > 1 && counts.measured == counts.possible)
        return Text::tr("so far, %1 of %2 repeats")
            .arg(locale.toString(best->roundsOk), locale.toString(best->roundsPlanned));
    const QString cells =
        Text::tr("%1 of %2 cells measured")
            .arg(locale.toString(counts.measured), locale.toString(counts.possible));
    if (!running)
        return Text::tr("stopped early, %1").arg(cells);
    return best == nullptr ? cells : Text::tr("so far, %1").arg(cells);
}

const CellSummary* fastest(const core::Analysis& analysis, QualityLimit limit)
{
    const CellSummary* best = nullptr;
    for (const CellSummary& summary : analysis.cells) {
        if (mayAnswer(summary) && keepsLimit(summary, limit) &&
            (best == nullptr || summary.throughput > best->throughput))
            best = &summary;
    }
    return best;
}

// Another model or size than the rest of the sweep is part of the answer.
QString shapeText(const core::RunData& data, const CellSummary& best)
{
    QStringList parts;
    const auto varies = [&](auto member) {
        return std::any_of(data.plan.cells.begin(), data.plan.cells.end(), [&](const auto& cell) {
            return cell.config.*member != best.cell->config.*member;
        });
    };
    if (varies(&core::CellConfig::imageSize))
        parts << Text::tr("%1 px").arg(QLocale().toString(qlonglong{best.cell->config.imageSize}));
    if (varies(&core::CellConfig::model))
        parts << QString::fromStdString(best.cell->config.model);
    if (varies(&core::CellConfig::device))
        parts << QString::fromStdString(best.cell->config.device);
    return parts.isEmpty() ? QString() : QStringLiteral(" · ") + parts.join(QStringLiteral(" · "));
}

QString nothingText(const core::Analysis& analysis, const Counts& counts, bool running)
{
    if (counts.possible == 0)
        return Text::tr("No cell of this run could be measured");
    const auto unknown = [](const CellSummary& summary) {
        return mayAnswer(summary) && !summary.ssimMean && !summary.identical;
    };
    const auto& cells = analysis.cells;
    if (running && std::any_of(cells.begin(), cells.end(), unknown))
        return Text::tr("Quality not known yet: the bf16 reference is still to be measured");
    if (std::any_of(cells.begin(), cells.end(), mayAnswer))
        return Text::tr("No measured cell keeps the quality limit");
    return running ? Text::tr("Nothing measured yet") : Text::tr("No cell was measured");
}

}  // namespace

Answer findAnswer(const core::RunData& data, const core::Analysis& analysis,
                  const QString& baseline, QualityLimit limit, bool running)
{
    const Counts counts = countCells(data);
    const CellSummary* best = fastest(analysis, limit);
    Answer answer;
    answer.trained = std::any_of(data.plan.cells.begin(), data.plan.cells.end(),
                                 [](const auto& cell) { return cell.trained; });
    answer.progress = progressText(counts, best, running);
    if (best == nullptr) {
        answer.headline = nothingText(analysis, counts, running);
        return answer;
    }
    const QString baselineName = widgets::baselineText(analysis, baseline);
    const bool isBaseline = best->baselineId == best->cellId;
    const CellSummary* nearest = isBaseline ? nearestTo(analysis, *best) : nullptr;
    answer.cellId = QString::fromStdString(best->cellId);
    if (!isBaseline)
        answer.otherId = QString::fromStdString(best->baselineId);
    else if (nearest != nullptr)
        answer.otherId = QString::fromStdString(nearest->cellId);
    answer.headline = widgets::cellTitle(best->cell->config) + shapeText(data, *best);
    answer.detail = QStringList{Text::tr("%1 images/s").arg(significantText(best->throughput, 4)),
                                isBaseline ? nearestText(nearest, baselineName)
                                           : ratioText(*best, baselineName),
                                qualityText(*best)}
                        .join(QStringLiteral(" · "));
    answer.explanation =
        Text::tr("The cell with the most images per second of all that were measured and keep the "
                 "quality limit. "
                 "Its ratio is the time of %1 at the same batch and size over its own time; "
                 "brackets hold the 95 % "
                 "interval over repeats, each in a process of its own. Samples: %2.")
            .arg(baselineName, QLocale().toString(static_cast<qulonglong>(best->samples)));
    return answer;
}

}  // namespace qs::app
