#include "app/cli/plan_checks.h"

#include "core/base/excerpt.h"
#include "core/model/feeding_check.h"
#include "core/quant/checked_model.h"
#include "core/report/words/note_text.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <system_error>

namespace qs::app {

using core::Error;
using core::ErrorCode;

core::Status checkPictures(const core::Preset& preset)
{
    std::error_code error;
    if (preset.pictures.shipped() || std::filesystem::exists(preset.pictures.source, error))
        return {};
    const std::string source = core::excerpt(preset.pictures.source);
    return Error{ErrorCode::NotFound,
                 error ? "$.pictures.source: cannot open " + source + ": " + error.message()
                       : "$.pictures.source: not found: " + source + " here"};
}

core::Status checkFeeds(const core::Plan& plan, const std::filesystem::path& resourceFolder)
{
    const core::ModelFeeding& feeding = plan.preset.feeding;
    std::set<std::string> checked;
    for (const core::PlannedCell& cell : plan.cells) {
        if (feeding.empty() || !checked.insert(cell.config.model).second)
            continue;
        const auto family =
            core::inspectCheckedModel(cell.config.model, resourceFolder, cell.config.seed).family;
        if (family == nullptr)
            continue;
        const core::Status status =
            core::checkFeeding(family, feeding, cell.config.sizes, plan.preset.pictures.count)
                .status();
        if (!status.ok())
            return status.error().within("$.model_io: model \"" + cell.config.model + "\"");
    }
    return {};
}

core::Status checkSomeCanRun(const core::Plan& plan)
{
    if (plan.possibleCells() > 0 || plan.cells.empty())
        return {};
    return Error{ErrorCode::Unsupported,
                 fmt::format("no cell can run (of {}): {}", plan.cells.size(),
                             core::noteText(*plan.cells.front().impossible))};
}

}  // namespace qs::app
