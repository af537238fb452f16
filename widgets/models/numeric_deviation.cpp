#include "widgets/models/numeric_deviation.h"

#include "core/stats/moments.h"

#include <algorithm>
#include <map>

namespace qs::widgets {

std::unordered_map<std::string, NumericDeviation> numericDeviations(const core::RunData& data,
                                                                    const core::Analysis& analysis)
{
    std::unordered_map<std::string, const core::CellSummary*> summaries;
    for (const core::CellSummary& summary : analysis.cells)
        summaries[summary.cellId] = &summary;
    std::unordered_map<std::string, std::map<int, const core::PictureQuality*>> last;
    for (const core::PictureQuality& quality : data.qualities) {
        const auto summary = summaries.find(quality.cellId);
        if (summary != summaries.end() && summary->second->cell != nullptr &&
            summary->second->cell->referenceId == quality.referenceId &&
            quality.environmentId == summary->second->environmentId)
            last[quality.cellId][quality.picture] = &quality;
    }
    std::unordered_map<std::string, NumericDeviation> deviations;
    for (const auto& [id, pictures] : last) {
        NumericDeviation& deviation = deviations[id];
        core::Moments relative;
        for (const auto& [picture, quality] : pictures) {
            ++deviation.pictures;
            if (quality->relativeL2)
                relative.add(*quality->relativeL2);
            deviation.maximumDifference =
                std::max(deviation.maximumDifference, quality->maximumDifference);
        }
        if (relative.count() == pictures.size())
            deviation.relativeL2 = relative.mean();
    }
    return deviations;
}

bool untrainedRun(const core::Plan& plan)
{
    return !plan.cells.empty() &&
           std::none_of(plan.cells.begin(), plan.cells.end(),
                        [](const core::PlannedCell& cell) { return cell.trained; });
}

}  // namespace qs::widgets
