#include "app/cli/plan_checks.h"

#include "core/base/excerpt.h"
#include "core/report/words/note_text.h"

#include <fmt/format.h>

#include <filesystem>
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

core::Status checkSomeCanRun(const core::Plan& plan)
{
    if (plan.possibleCells() > 0 || plan.cells.empty())
        return {};
    return Error{ErrorCode::Unsupported,
                 fmt::format("no cell can run (of {}): {}", plan.cells.size(),
                             core::noteText(*plan.cells.front().impossible))};
}

}  // namespace qs::app
