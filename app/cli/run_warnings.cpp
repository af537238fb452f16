#include "app/cli/run_warnings.h"

#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/record/rerun_speed.h"

#include <fmt/format.h>

#include <string>

namespace qs::app {

void printWarnings(const core::RunData& data)
{
    for (const core::RunEvent& event : data.events) {
        if (event.kind == core::kWarningEvent)
            say("warning ({}): {}\n", core::cleanLine(event.at), core::cleanLine(event.text));
    }
}

void printRerunWarning(const core::Analysis& analysis)
{
    const std::string reruns = core::rerunWarning(analysis);
    if (!reruns.empty())
        say("warning: {}\n", reruns);
}

}  // namespace qs::app
