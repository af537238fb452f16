#include "widgets/compile/total_time.h"

#include "core/analysis/cell_label.h"
#include "core/sweep/cell_member.h"

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr double kFewestPasses = 100.0;
constexpr double kMostPasses = 1e9;  // what wins later never does for anybody
// A crossing is seen with what comes after it.
constexpr double kBeyondCrossing = 10.0;

bool belongsTo(const core::CellSummary& summary, const std::string& baseline)
{
    return summary.seconds > 0.0 && (summary.cellId == baseline || summary.baselineId == baseline);
}

TotalTimeLine lineOf(const core::CellSummary& summary, const core::CellLabels& labels,
                     const std::string& baseline, core::CompileStart start)
{
    const core::CellConfig& config = summary.cell->config;
    TotalTimeLine line{.cellId = QString::fromStdString(summary.cellId),
                       .name = QString::fromStdString(labels.withBatch(*summary.cell)),
                       .precision = QString::fromStdString(core::precisionText(config)),
                       .compile = QString::fromStdString(config.compile),
                       .isBaseline = summary.cellId == baseline,
                       .begin = core::beginSeconds(summary, start),
                       .seconds = summary.seconds,
                       .breakEven = {}};
    if (summary.compileCost)
        line.breakEven = summary.compileCost->breakEven(start);
    return line;
}

double mostPassesOf(const std::vector<TotalTimeLine>& lines)
{
    double most = kFewestPasses;
    for (const TotalTimeLine& line : lines) {
        if (!line.breakEven || !line.breakEven->passes)
            continue;
        const auto& interval = line.breakEven->interval;
        most = std::max(most, kBeyondCrossing * *line.breakEven->passes);
        if (interval)
            most = std::max(most, interval->upper);
    }
    return std::min(most, kMostPasses);
}

}  // namespace

QString plottedWith(const core::CellSummary& summary)
{
    return QString::fromStdString(summary.baselineId.empty() ? summary.cellId : summary.baselineId);
}

QStringList compiledBaselines(const core::Analysis& analysis)
{
    QStringList baselines;
    for (const core::CellSummary& summary : analysis.cells) {
        if (!summary.compileCost || summary.seconds <= 0.0)
            continue;
        if (const QString with = plottedWith(summary); !baselines.contains(with))
            baselines << with;
    }
    return baselines;
}

TotalTimes totalTimesOf(const core::Analysis& analysis, const QString& baseline,
                        core::CompileStart start)
{
    const core::CellLabels& labels = analysis.labels;
    const std::string id = baseline.toStdString();
    TotalTimes times;
    for (const core::CellSummary& summary : analysis.cells) {
        if (belongsTo(summary, id))
            times.lines.push_back(lineOf(summary, labels, id, start));
    }
    std::stable_partition(times.lines.begin(), times.lines.end(),
                          [](const TotalTimeLine& line) { return line.isBaseline; });
    times.mostPasses = mostPassesOf(times.lines);
    return times;
}

}  // namespace qs::widgets
