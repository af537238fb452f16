#include "widgets/compare/saved_images.h"

#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace qs::widgets {

namespace {

// The nearest are looked at first; who asks waits for the file system.
constexpr std::size_t kMostLooksToSave = 300;

// How unlike two cells are: the larger, the less one can stand for the other. Another batch changes
// hardly anything in an image, another precision is what one wants to see.
double unlikeness(const core::CellConfig& a, const core::CellConfig& b)
{
    double sum = 0.0;
    for (const std::string& axis : core::axisNames()) {
        if (core::memberText(a, axis) == core::memberText(b, axis))
            continue;
        if (axis == "batch")
            sum += std::abs(std::log2(static_cast<double>(a.batch) / static_cast<double>(b.batch)));
        else
            sum += axis == "precision" ? 1e4 : axis == "compile" ? 1e2 : 1e3;
    }
    return sum;
}

// Whatever is called so below cells/: those of an environment that came later lie one folder
// deeper. Links are not followed.
bool keepsOutputs(const std::filesystem::path& runFolder)
{
    constexpr std::size_t kMostEntries = 3000;  // a run with so many files keeps something
    constexpr int kDepthOfOutputs = 2;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(runFolder / "cells", error);
    for (std::size_t looked = 0; !error && entry != std::filesystem::recursive_directory_iterator();
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with("output_") || ++looked == kMostEntries)
            return true;
        if (entry.depth() >= kDepthOfOutputs)
            entry.disable_recursion_pending();
    }
    return false;
}

bool differInBatchAlone(const core::CellConfig& a, core::CellConfig b)
{
    b.batch = a.batch;
    return unlikeness(a, b) == 0.0;
}

// Nobody knows yet what there will be.
bool isAwaited(const core::RunData& data)
{
    return data.folder.empty() ||
           std::none_of(data.measurements.begin(), data.measurements.end(),
                        [](const core::Measurement& row) { return row.ok(); });
}

bool hasFigures(const core::RunData& data)
{
    return !data.qualities.empty() &&
           std::any_of(data.plan.cells.begin(), data.plan.cells.end(),
                       [](const auto& cell) { return cell.output != core::OutputKind::Image; });
}

}  // namespace

bool isSaved(const core::RunData& data, const core::Analysis& analysis, const std::string& cellId,
             int picture)
{
    const core::CellSummary* summary = analysis.find(cellId);
    if (summary == nullptr || !summary->measured)
        return false;
    const std::string place =
        core::outputPlace(cellId, analysis.outputs.subfolder(cellId, summary->environmentId));
    std::error_code ignored;
    return std::filesystem::exists(core::outputArray(data.folder, place, picture).path(),
                                   ignored) ||
           std::filesystem::exists(core::outputPicture(data.folder, place, picture).path(),
                                   ignored);
}

const core::PlannedCell* nearestSaved(const core::RunData& data, const core::Analysis& analysis,
                                      const core::PlannedCell& cell, int picture)
{
    std::vector<std::pair<double, const core::PlannedCell*>> others;
    for (const core::PlannedCell& other : data.plan.cells) {
        // Images of another size cannot be laid beside the same reference.
        if (other.id != cell.id && other.role != core::CellRole::NoiseFloor &&
            other.config.model == cell.config.model && other.config.sizes == cell.config.sizes)
            others.emplace_back(unlikeness(cell.config, other.config), &other);
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    others.resize(std::min(others.size(), kMostLooksToSave));
    const auto found = std::find_if(others.begin(), others.end(), [&](const auto& other) {
        return isSaved(data, analysis, other.second->id, picture);
    });
    return found == others.end() ? nullptr : found->second;
}

std::vector<std::int64_t> savedBatches(const core::RunData& data, const core::Analysis& analysis,
                                       const core::PlannedCell& cell, int picture)
{
    std::vector<std::int64_t> batches;
    for (const core::PlannedCell& other : data.plan.cells) {
        if (other.rerun == cell.rerun && differInBatchAlone(cell.config, other.config) &&
            isSaved(data, analysis, other.id, picture))
            batches.push_back(other.config.batch);
    }
    std::sort(batches.begin(), batches.end());
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    return batches;
}

bool hasSomethingToCompare(const core::RunData& data)
{
    return isAwaited(data) || hasFigures(data) || keepsOutputs(data.folder);
}

bool hasOnlyFigures(const core::RunData& data)
{
    return !isAwaited(data) && hasFigures(data) && !keepsOutputs(data.folder);
}

}  // namespace qs::widgets
