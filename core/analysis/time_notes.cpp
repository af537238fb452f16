#include "core/analysis/time_notes.h"

#include "core/lower/compile_mode.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <map>
#include <string>

namespace qs::core {

namespace {

// What a compiler was asked for, recorded or not; the same for modes that share their packages.
std::string compilerText(const CellSummary& summary)
{
    const PlannedCell& cell = *summary.cell;
    const auto modes = parseCompileModes(cell.config.compile, cell.config.precision.size());
    std::string text;
    if (!modes.ok())
        return text;
    for (const CompileMode& mode : modes.value())
        text += compilerOf(mode) + "/";
    return text;
}

bool usesCompiler(const std::string& compiler)
{
    return std::any_of(compiler.begin(), compiler.end(), [](char c) { return c != '/'; });
}

// All of a cell but how it is compiled.
std::string keyWithoutCompiling(const CellSummary& summary)
{
    CellConfig config = summary.cell->config;
    config.compile = "none";
    return cellKey(config) + summary.environmentId;
}

}  // namespace

bool isHostBound(const CellSummary& summary)
{
    return summary.division && summary.cell != nullptr && summary.cell->config.device != "cpu" &&
           summary.division->gapShare(summary.seconds) >= kHostBoundGaps;
}

HostBoundSide hostBoundSide(const Analysis& analysis, const CellSummary& summary)
{
    if (isHostBound(summary))
        return HostBoundSide::Cell;
    const CellSummary* baseline = analysis.find(summary.baselineId);
    return baseline != nullptr && isHostBound(*baseline) ? HostBoundSide::Baseline
                                                         : HostBoundSide::Neither;
}

void noteTimeDivision(bool newChip, CellSummary& summary)
{
    if (isHostBound(summary))
        summary.notes.push_back(
            {NoteCode::HostBound,
             {summary.division->gapShare(summary.seconds), summary.division->launches}});
    if (newChip && summary.division && !summary.division->olderProduct.empty() &&
        summary.seconds > 0.0)
        summary.notes.push_back(
            {NoteCode::OlderKernels,
             {summary.division->olderSeconds / summary.seconds, summary.division->olderProduct}});
}

void noteSameKernels(std::vector<CellSummary>& summaries)
{
    std::map<std::string, std::vector<CellSummary*>> alike;
    for (CellSummary& summary : summaries) {
        if (summary.division && summary.cell != nullptr)
            alike[keyWithoutCompiling(summary) + summary.division->fingerprint].push_back(&summary);
    }
    for (const auto& [key, cells] : alike) {
        for (CellSummary* summary : cells) {
            const std::string compiler = compilerText(*summary);
            const auto other = std::find_if(cells.begin(), cells.end(), [](const auto* each) {
                return !usesCompiler(compilerText(*each));
            });
            if (usesCompiler(compiler) && other != cells.end())
                summary->notes.push_back({NoteCode::SameKernels, {(*other)->cell->config.compile}});
        }
    }
}

}  // namespace qs::core
