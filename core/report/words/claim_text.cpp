#include "core/report/words/claim_text.h"

#include "core/report/words/gate_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

// More cells than these are counted, not listed.
constexpr std::size_t kMostListed = 8;

// Of expectations of one metric, such as the ends of a range, the value once: as the limit that is
// nearest to it has it, with the most digits.
std::string valuesText(const CellGates& gates)
{
    std::vector<std::pair<std::string, std::string>> values;  // by metric
    for (const GateResult& gate : gates) {
        const std::string& metric = gate.gate.metric;
        const std::string text = gateMeasuredText(gate);
        const auto known = std::find_if(values.begin(), values.end(),
                                        [&](const auto& value) { return value.first == metric; });
        if (known == values.end())
            values.emplace_back(metric, text);
        else if (text.size() > known->second.size())
            known->second = text;
    }
    std::string text;
    for (const auto& [metric, value] : values)
        text += (text.empty() ? "" : ", ") + (values.size() > 1 ? metric + " " : "") + value;
    return text;
}

}  // namespace

std::string_view claimResultText(ClaimResult result)
{
    return result == ClaimResult::NotTestable ? "not testable here" : kClaimResults.of(result);
}

std::string claimExpectationText(const Claim& claim)
{
    std::string text;
    for (const Gate& gate : claim.expect)
        text += (text.empty() ? "" : ", ") + expectationText(gate);
    const std::string conditions =
        claim.expect.empty() ? std::string() : conditionsText(claim.expect.front());
    const std::string compile = claim.compile.empty() ? std::string() : "compile=" + claim.compile;
    for (const std::string& part : {conditions, compile}) {
        if (!part.empty())
            text += "; " + part;
    }
    return text;
}

std::string claimMeasuredText(const ClaimOutcome& outcome, const Analysis& analysis)
{
    if (outcome.cells.empty())
        return "the run has no such cell";
    std::string text;
    for (std::size_t i = 0; i < outcome.cells.size(); ++i) {
        if (i == kMostListed)
            return text + "; " + std::to_string(outcome.cells.size() - i) + " more";
        const ClaimedCell& cell = outcome.cells[i];
        const CellSummary* summary = analysis.find(cell.cellId);
        const std::string name =
            summary == nullptr ? std::string() : analysis.labels.withBatch(*summary->cell) + ": ";
        text += (text.empty() ? "" : "; ") + name + valuesText(cell.gates);
    }
    return text;
}

}  // namespace qs::core
