#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/run_warnings.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/measured_run.h"
#include "core/base/enum_names.h"
#include "core/base/files.h"
#include "core/report/comparison_report.h"
#include "core/report/words/comparison_text.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <set>
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

core::Result<std::set<Regression>> regressionsFrom(const std::vector<std::string>& texts)
{
    std::set<Regression> wanted;
    for (const std::string& text : texts) {
        const auto regression = kRegressions.find(text);
        if (!regression)
            return core::Error{core::ErrorCode::InvalidArgument,
                               "--fail-on " + text +
                                   ": expected slower, quality, memory, broken, missing or "
                                   "undecided"};
        wanted.insert(*regression);
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

// True if any is there. Without a cell in common nothing was checked, which is no success.
bool anyRegression(const core::ComparedRuns& runs, const std::set<Regression>& wanted)
{
    bool fails = false;
    for (const core::NamedComparison& other : runs.others) {
        if (!wanted.empty() && other.comparison.cells.empty()) {
            complain(other.name + ": no cell is in both runs");
            fails = true;
        }
        for (const Regression regression : wanted) {
            const int count = countOf(regression, other.comparison);
            if (count == 0)
                continue;
            complain(other.name + ": " + std::string(kRegressions.of(regression)) + ": " +
                     std::to_string(count) + " of " +
                     std::to_string(other.comparison.cells.size()) + " cells");
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
    QS_TRY(const std::set<Regression> wanted, regressionsFrom(command.failOn));
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
