#include "app/cli/run_warnings.h"

#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/report/words/claim_text.h"
#include "core/report/words/warning_text.h"

#include <string>

namespace qs::app {

void printWarnings(const core::RunData& data)
{
    for (const std::string& missing : core::leftOutTexts(data.leftOut))
        say("warning: {}\n", core::cleanLine(missing));
    for (const core::RunEvent& event : data.events) {
        if (event.kind == core::EventKind::Warning)
            say("warning ({}): {}\n", core::cleanLine(event.at),
                core::cleanLine(core::eventText(event)));
    }
}

void printClaims(const core::Analysis& analysis)
{
    for (const core::ClaimOutcome& outcome : analysis.claims)
        say("claim {}: {} ({}; {})\n", core::claimResultText(outcome.result), outcome.claim.text,
            core::claimExpectationText(outcome.claim), core::claimMeasuredText(outcome, analysis));
}

void printTimeWarnings(const core::Analysis& analysis)
{
    for (const std::string& warning : core::timeWarnings(analysis))
        say("warning: {}\n", warning);
}

}  // namespace qs::app
