#include "core/analysis/batch_limits.h"

#include "core/analysis/batch_family.h"
#include "core/analysis/cell_label.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

BatchLimits limitsOf(std::vector<const CellSummary*> cells)
{
    std::stable_sort(cells.begin(), cells.end(), [](const auto* a, const auto* b) {
        return a->cell->config.batch < b->cell->config.batch;
    });
    BatchLimits limits;
    std::optional<std::int64_t> largestOk;
    for (const CellSummary* summary : cells) {
        const std::int64_t batch = summary->cell->config.batch;
        limits.cellIds.push_back(summary->cellId);
        if (summary->status == CellStatus::Ok) {
            // What fits although a smaller batch did not makes that one an accident.
            largestOk = batch;
            limits.largestFitting.reset();
        } else if (summary->status == CellStatus::Oom) {
            limits.largestFitting = largestOk;
        }
        if (summary->throughput > limits.bestThroughput) {
            limits.bestThroughput = summary->throughput;
            limits.bestThroughputInterval = summary->throughputInterval();
            limits.bestThroughputBatch = batch;
        }
    }
    return limits;
}

}  // namespace

std::vector<BatchLimits> batchLimits(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    std::vector<std::vector<const CellSummary*>> families;
    std::map<std::string, std::size_t> places;
    for (const CellSummary& summary : analysis.cells) {
        // A rerun has the configuration of its reference and would count its batch twice.
        if (summary.cell->rerun > 0)
            continue;
        const auto [place, isNew] =
            places.try_emplace(batchFamilyKey(summary.cell->config), families.size());
        if (isNew)
            families.emplace_back();
        families[place->second].push_back(&summary);
    }
    std::vector<BatchLimits> all;
    for (const auto& family : families) {
        all.push_back(limitsOf(family));
        all.back().family = labels.of(*family.front()->cell);
    }
    return all;
}

}  // namespace qs::core
