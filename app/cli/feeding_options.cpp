#include "app/cli/feeding_options.h"

#include "core/base/excerpt.h"
#include "core/sweep/cell_member.h"

namespace qs::app {

core::Status applyFeeding(const FeedingOptions& options, core::ModelFeeding& feeding)
{
    for (const std::string& input : options.inputs)
        QS_RETURN_IF_ERROR(core::addInputFeed(feeding, input));
    if (!options.weights.empty())
        feeding.trained = options.weights == "trained";
    if (!options.output.empty())
        QS_RETURN_IF_ERROR(core::setJudgedOutput(feeding, options.output));
    if (!options.labels.empty())
        feeding.labels = options.labels;
    for (const std::string& stage : options.stages)
        QS_RETURN_IF_ERROR(core::addStageCut(feeding, stage));
    return {};
}

core::Status applyCalibration(const CalibrationOptions& options,
                              core::CalibrationInputs& calibration)
{
    if (!options.images.empty())
        calibration.pictures.source = options.images;
    for (const std::string& input : options.inputs)
        QS_RETURN_IF_ERROR(core::addCalibrationInput(calibration, input));
    return {};
}

core::Result<core::Sizes> sizesFrom(const std::vector<std::string>& texts,
                                    const core::ModelFamily& family)
{
    core::CellConfig cell;
    cell.sizes = {};
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (equals == std::string::npos || family.workload().findSize(name) == nullptr)
            return core::Error{core::ErrorCode::InvalidArgument,
                               "\"" + core::excerpt(text) + "\" is no size of this model"};
        QS_RETURN_IF_ERROR(core::setMember(cell, name, text.substr(equals + 1)));
    }
    return family.workload().completed(cell.sizes);
}

}  // namespace qs::app
