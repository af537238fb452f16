#include "app/cli/run_warnings.h"

#include "app/cli/terminal_text.h"
#include "core/record/rerun_speed.h"

#include <fmt/format.h>

#include <string>

namespace qs::app {

void printWarnings(const core::RunData& data)
{
    for (const core::RunEvent& event : data.events) {
        if (event.kind == core::kWarningEvent)
            fmt::print("warning ({}): {}\n", safeForTerminal(event.at),
                       safeForTerminal(event.text));
    }
}

void printRerunWarning(const core::Analysis& analysis)
{
    const std::string reruns = core::rerunWarning(analysis);
    if (!reruns.empty())
        fmt::print("warning: {}\n", safeForTerminal(reruns));
}

}  // namespace qs::app
