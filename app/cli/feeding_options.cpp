#include "app/cli/feeding_options.h"

namespace qs::app {

core::Status applyFeeding(const FeedingOptions& options, core::ModelFeeding& feeding)
{
    for (const std::string& input : options.inputs)
        QS_RETURN_IF_ERROR(core::addInputFeed(feeding, input));
    if (!options.weights.empty())
        feeding.trained = options.weights == "trained";
    if (!options.output.empty())
        QS_RETURN_IF_ERROR(core::setJudgedOutput(feeding, options.output));
    for (const std::string& stage : options.stages)
        QS_RETURN_IF_ERROR(core::addStageCut(feeding, stage));
    return {};
}

}  // namespace qs::app
