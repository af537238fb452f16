#include "core/report/claims_section.h"

#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"
#include "core/report/plain_table.h"
#include "core/report/words/claim_text.h"

namespace qs::core {

namespace {

constexpr const char* kClaimsMeaning =
    "What documents say, held against this run: confirmed or contradicted where the whole 95 % "
    "interval lies within or outside of what is said; partly where the cells disagree.";

PlainTable claimsTable(const Analysis& analysis)
{
    PlainTable table{{"Claim", "Source", "Expected", "Measured", "Result"}, {}};
    for (const ClaimOutcome& outcome : analysis.claims)
        table.lines.push_back(
            {outcome.claim.text, outcome.claim.source, claimExpectationText(outcome.claim),
             claimMeasuredText(outcome, analysis), std::string(claimResultText(outcome.result))});
    return table;
}

}  // namespace

std::string claimsSection(const Analysis& analysis)
{
    if (analysis.claims.empty())
        return {};
    return "## Claims\n\n" + markdownText(kClaimsMeaning) + "\n\n" +
           markdownOf(claimsTable(analysis)) + "\n";
}

std::string htmlClaims(const Analysis& analysis)
{
    if (analysis.claims.empty())
        return {};
    return "<section id=\"claims\"><h2>Claims</h2>\n<p class=\"dim\">" + htmlText(kClaimsMeaning) +
           "</p>\n" + htmlOf(claimsTable(analysis)) + "</section>\n";
}

}  // namespace qs::core
