#include "widgets/models/numeric_deviation.h"

#include <algorithm>
#include <map>

namespace qs::widgets {

std::unordered_map<std::string, NumericDeviation> numericDeviations(const core::RunData& data)
{
    std::unordered_map<std::string, std::string> references;
    for (const core::PlannedCell& cell : data.plan.cells)
        references[cell.id] = cell.referenceId;
    std::unordered_map<std::string, std::map<int, const core::PictureQuality*>> last;
    for (const core::PictureQuality& quality : data.qualities) {
        const auto reference = references.find(quality.cellId);
        if (reference != references.end() && reference->second == quality.referenceId)
            last[quality.cellId][quality.picture] = &quality;
    }
    std::unordered_map<std::string, NumericDeviation> deviations;
    for (const auto& [id, pictures] : last) {
        NumericDeviation& deviation = deviations[id];
        for (const auto& [picture, quality] : pictures) {
            ++deviation.pictures;
            deviation.relativeL2 +=
                (quality->relativeL2 - deviation.relativeL2) / deviation.pictures;
            deviation.maximumDifference =
                std::max(deviation.maximumDifference, quality->maximumDifference);
        }
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
