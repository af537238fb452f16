#include "app/gui/runs/run_summary.h"

#include "app/gui/answer.h"
#include "core/analysis/analysis.h"
#include "core/analysis/measured_run.h"

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <system_error>

namespace qs::app {

namespace {

namespace fs = std::filesystem;

QString modelsOf(const core::RunData& data)
{
    QStringList texts;
    for (const core::PlannedCell& cell : data.plan.cells) {
        const QString model = QString::fromStdString(cell.config.model);
        // A path is long, and its end is what tells models apart.
        const QString text =
            model.startsWith(QLatin1Char('/')) ? model.section(QLatin1Char('/'), -1) : model;
        if (!texts.contains(text))
            texts << text;
    }
    return texts.join(QStringLiteral(", "));
}

bool isDone(const core::CellSummary& cell)
{
    if (!cell.cell->possible())
        return true;
    const bool failed = cell.status != core::CellStatus::Ok && cell.roundsOk == 0 &&
                        cell.status != core::CellStatus::Cancelled &&
                        cell.status != core::CellStatus::Skipped;
    return failed || cell.roundsOk >= cell.roundsPlanned;
}

BestCell bestOf(const core::RunData& data, const core::Analysis& analysis)
{
    using Standing = BestCell::Standing;
    const Answer answer =
        answerInWords(data, analysis, QString::fromStdString(data.plan.preset.speedBaseline),
                      core::AnswerQuestion(), false);
    BestCell best;
    best.headline = answer.headline;
    best.detail = answer.detail;
    const core::CellSummary* cell =
        answer.cellId.isEmpty() ? nullptr : analysis.find(answer.cellId.toStdString());
    // The list says of a cell what it is, and claims nothing of baselines.
    const auto open = answer.found.support.open;
    if (cell == nullptr ||
        (open && *open != core::NoAnswerYet::OneCell && *open != core::NoAnswerYet::BaselineAlone))
        return best;
    best.name = QString::fromStdString(analysis.labels.withBatch(*cell->cell));
    best.standing = Standing::Alone;
    if (answer.found.isBaseline && open != core::NoAnswerYet::OneCell)
        best.standing = Standing::Baseline;
    if (!cell->speedup || cell->baselineId == cell->cellId)
        return best;
    best.standing = Standing::Ratio;
    best.speedup = cell->speedup;
    best.interval = cell->speedupInterval;
    best.tone = widgets::speedTone(*cell);
    best.verdict = widgets::speedVerdictText(*cell);
    return best;
}

RunSummary summaryOf(const core::MeasuredRun& run)
{
    const core::RunData& data = run.data;
    RunSummary summary;
    summary.name = QString::fromStdString(data.plan.preset.name);
    summary.model = modelsOf(data);
    summary.device = devicesOf(data);
    summary.started = QDateTime::fromString(
        QString::fromStdString(run.figures.outline().firstStartedAt), Qt::ISODate);
    const core::Analysis analysis =
        core::analyse(data, run.figures, data.plan.preset.speedBaseline);
    summary.damaged = data.leftOut.isLoss();
    summary.cellsPossible = data.plan.possibleCells();
    summary.complete = true;
    for (const core::CellSummary& cell : analysis.cells) {
        summary.cellsMeasured += cell.measured ? 1 : 0;
        summary.complete = summary.complete && isDone(cell);
    }
    summary.best = bestOf(data, analysis);
    return summary;
}

RunSummary readSummary(const fs::path& folder)
{
    try {
        const core::Result<core::MeasuredRun> run =
            core::readMeasuredRun(folder, core::RowPlace::InJournal);
        if (run.ok())
            return summaryOf(run.value());
        RunSummary unreadable;
        unreadable.problem = QString::fromStdString(run.error().message);
        return unreadable;
    } catch (const std::exception& failure) {
        RunSummary unreadable;
        unreadable.problem = QString::fromUtf8(failure.what());
        return unreadable;
    }
}

}  // namespace

QString devicesOf(const core::RunData& data)
{
    std::set<std::string> wanted;
    for (const core::PlannedCell& cell : data.plan.cells)
        wanted.insert(cell.config.device);
    std::set<std::string> names;
    for (const core::Environment& environment : data.environments) {
        for (const core::DeviceDescription& device : environment.devices) {
            if (wanted.contains(device.id))
                names.insert(device.name);
        }
    }
    QStringList texts;
    for (const std::string& name : names)
        texts << QString::fromStdString(name);
    return texts.join(QStringLiteral(", "));
}

RunSummary summarizeRun(const fs::path& folder, bool example)
{
    RunSummary summary = readSummary(folder);
    summary.folder = folder;
    summary.example = example;
    if (summary.name.isEmpty())
        summary.name = QString::fromStdString(folder.filename().string());
    return summary;
}

QString runName(const fs::path& folder, const QString& presetName)
{
    if (folder.empty())
        return presetName;
    const auto label = core::readRunLabel(folder);
    return label.ok() && !label.value().name.empty() ? QString::fromStdString(label.value().name)
                                                     : presetName;
}

std::vector<fs::path> findRunFolders(const fs::path& parent)
{
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (fs::exists(entry->path() / "plan.json", ignored))
            folders.push_back(entry->path());
    }
    std::sort(folders.begin(), folders.end(), std::greater<>());
    return folders;
}

}  // namespace qs::app
