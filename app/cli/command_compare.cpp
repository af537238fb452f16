#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/run_warnings.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/measured_run.h"
#include "core/base/enum_names.h"
#include "core/base/files.h"
#include "core/report/comparison_report.h"
#include "core/report/words/comparison_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

namespace qs::app {

namespace {

using core::Status;

enum class Regression { Slower, Quality, Memory, Broken, Missing, Undecided };
constexpr auto kRegressions = core::enumNames<Regression>({{Regression::Slower, "slower"},
                                                           {Regression::Quality, "quality"},
                                                           {Regression::Memory, "memory"},
                                                           {Regression::Broken, "broken"},
                                                           {Regression::Missing, "missing"},
                                                           {Regression::Undecided, "undecided"}});

struct Wanted {
    Regression regression;
    // Of quality alone: how far the mean likeness to the reference may fall, whatever the verdict.
    std::optional<double> limit = {};
};

struct ReadRun {
    core::MeasuredRun run;
    core::Analysis analysis;

    [[nodiscard]] core::RunSide side() const
    {
        return {.data = &run.data, .figures = &run.figures, .analysis = &analysis};
    }
};

// Where it lies must not change: summaries point into its plan.
core::Result<std::unique_ptr<ReadRun>> readRun(const std::string& folder)
{
    QS_TRY(core::MeasuredRun run, core::readMeasuredRun(folder, core::RowPlace::InJournal));
    auto read = std::make_unique<ReadRun>(ReadRun{.run = std::move(run), .analysis = {}});
    printWarnings(read->run.data);
    read->analysis =
        core::analyse(read->run.data, read->run.figures, read->run.data.plan.preset.speedBaseline);
    return read;
}

core::Result<double> limitFrom(const std::string& text, const std::string& value)
{
    double limit = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
    if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(limit) ||
        limit < 0.0)
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--fail-on " + text + ": \"" + value +
                               "\" is no limit; expected a number of at least 0, such as "
                               "quality=0.005"};
    return limit;
}

core::Result<std::vector<Wanted>> regressionsFrom(const std::vector<std::string>& texts)
{
    std::vector<Wanted> wanted;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const auto regression = kRegressions.find(text.substr(0, equals));
        const bool limited = equals != std::string::npos;
        if (!regression || (limited && *regression != Regression::Quality))
            return core::Error{core::ErrorCode::InvalidArgument,
                               "--fail-on " + text +
                                   ": expected slower, quality, quality=LIMIT, memory, broken, "
                                   "missing or undecided"};
        Wanted each{.regression = *regression};
        if (limited) {
            QS_TRY(each.limit, limitFrom(text, text.substr(equals + 1)));
        }
        wanted.push_back(each);
    }
    return wanted;
}

int countOf(Regression regression, const core::RunComparison& comparison)
{
    const core::ComparisonCounts counts = core::countChanges(comparison);
    switch (regression) {
    case Regression::Slower:
        return counts.slower;
    case Regression::Quality:
        return counts.worse;
    case Regression::Memory:
        return counts.moreMemory;
    case Regression::Broken:
        return counts.broken;
    case Regression::Missing:
        return static_cast<int>(comparison.onlyBefore.size());
    case Regression::Undecided:
        return counts.undecided;
    }
    return 0;
}

void complainOfCells(const core::NamedComparison& other, std::string_view what, std::size_t count)
{
    complain(other.name + ": " + std::string(what) + ": " + std::to_string(count) + " of " +
             std::to_string(other.comparison.cells.size()) + " cells");
}

// What nobody compared has not been shown to be as good.
bool qualityFalls(const core::NamedComparison& other, const std::optional<double>& limit)
{
    const auto open = core::unjudged(other.comparison);
    if (!open.empty())
        complainOfCells(other,
                        "quality cannot be compared, because the inputs are others or the later "
                        "run has no figures",
                        open.size());
    if (!limit)
        return !open.empty();
    const auto fallen = core::fallenBy(other.comparison, *limit);
    for (const core::MatchedCell* cell : fallen)
        complain(fmt::format("{}: quality: {}: {} fell by {:.3g}, more than {:g}", other.name,
                             other.side.analysis->labels.withBatch(*cell->after->cell),
                             core::metricRegistry().distanceOf(cell->after->cell->output).title,
                             -cell->quality->evidence.closer.value, *limit));
    return !open.empty() || !fallen.empty();
}

// True if any is there. Without a cell in common nothing was checked, which is no success.
bool anyRegression(const core::ComparedRuns& runs, const std::vector<Wanted>& wanted)
{
    bool fails = false;
    for (const core::NamedComparison& other : runs.others) {
        if (!wanted.empty() && other.comparison.cells.empty()) {
            complain(other.name + ": no cell is in both runs");
            fails = true;
        }
        for (const auto& [regression, limit] : wanted) {
            if (regression == Regression::Quality)
                fails = qualityFalls(other, limit) || fails;
            const int count = limit ? 0 : countOf(regression, other.comparison);
            if (count == 0)
                continue;
            complainOfCells(other, kRegressions.of(regression), static_cast<std::size_t>(count));
            fails = true;
        }
    }
    return fails;
}

Status writeText(const std::string& path, const std::string& text)
{
    if (path.empty())
        return {};
    QS_RETURN_IF_ERROR(core::writeFileAtomically(core::FilePlace(path), text));
    say("written to {}\n", path);
    return {};
}

core::Result<int> compare(const CompareCommand& command)
{
    QS_TRY(const std::vector<Wanted> wanted, regressionsFrom(command.failOn));
    std::vector<std::unique_ptr<ReadRun>> read;
    bool loss = false;
    for (const std::string& folder : command.runs) {
        QS_TRY(std::unique_ptr<ReadRun> run, readRun(folder));
        loss = loss || run->run.data.leftOut.isLoss();
        read.push_back(std::move(run));
    }
    core::ComparedRuns runs{
        .baseName = command.runs.front(), .base = read.front()->side(), .others = {}};
    for (std::size_t i = 1; i < read.size(); ++i)
        runs.others.push_back(
            {command.runs[i], read[i]->side(), core::compareRuns(runs.base, read[i]->side())});
    QS_RETURN_IF_ERROR(writeText(command.markdown, core::comparisonMarkdown(runs)));
    QS_RETURN_IF_ERROR(writeText(command.csv, core::comparisonCsv(runs)));
    if (!command.json.empty())
        QS_RETURN_IF_ERROR(
            writeText(command.json, core::jsonText(core::comparisonJson(runs), 1) + "\n"));
    if (command.markdown.empty() && command.csv.empty() && command.json.empty())
        sayText(core::comparisonMarkdown(runs));
    return anyRegression(runs, wanted) || loss ? kExitCellFailed : kExitOk;
}

}  // namespace

int compareCommand(const CompareCommand& command)
{
    const core::Result<int> code = compare(command);
    if (code.ok())
        return code.value();
    return fail(code.error());
}

}  // namespace qs::app
