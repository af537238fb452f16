#include "core/analysis/claims.h"

#include "core/analysis/gates.h"
#include "core/lower/compile_mode.h"

#include <algorithm>

namespace qs::core {

namespace {

bool speaksOf(const Claim& claim, const CellConfig& config)
{
    return claim.compile.empty() || normalCompileText(config.compile) == claim.compile;
}

ClaimResult resultOf(const CellGates& gates)
{
    const auto any = [&](GateVerdict verdict) {
        return std::any_of(gates.begin(), gates.end(),
                           [&](const GateResult& gate) { return gate.verdict == verdict; });
    };
    if (std::any_of(gates.begin(), gates.end(),
                    [](const GateResult& gate) { return gate.doubted; }))
        return ClaimResult::Undecided;
    if (any(GateVerdict::Fail))
        return ClaimResult::Contradicted;
    if (any(GateVerdict::NotTestable))
        return ClaimResult::NotTestable;
    return any(GateVerdict::Undecided) ? ClaimResult::Undecided : ClaimResult::Confirmed;
}

ClaimResult resultOf(const std::vector<ClaimedCell>& cells)
{
    const auto any = [&](ClaimResult result) {
        return std::any_of(cells.begin(), cells.end(),
                           [&](const ClaimedCell& cell) { return cell.result == result; });
    };
    const bool confirmed = any(ClaimResult::Confirmed);
    if (any(ClaimResult::Contradicted))
        return confirmed ? ClaimResult::Partly : ClaimResult::Contradicted;
    if (confirmed)
        return ClaimResult::Confirmed;
    return any(ClaimResult::Undecided) ? ClaimResult::Undecided : ClaimResult::NotTestable;
}

}  // namespace

std::vector<ClaimOutcome>
evaluateClaims(const RunData& data,
               const std::function<const Analysis&(const std::string& baseline)>& analysisOf)
{
    std::vector<ClaimOutcome> outcomes;
    for (const Claim& claim : data.plan.preset.claims) {
        const Analysis& analysis =
            analysisOf(claim.baseline.empty() ? data.plan.preset.speedBaseline : claim.baseline);
        const std::vector<CellGates> judged = evaluateGates(data, analysis, claim.expect);
        ClaimOutcome outcome{.claim = claim, .cells = {}};
        for (std::size_t i = 0; i < judged.size(); ++i) {
            const CellSummary& summary = analysis.cells[i];
            if (!judged[i].empty() && speaksOf(claim, summary.cell->config))
                outcome.cells.push_back({summary.cellId, resultOf(judged[i]), judged[i]});
        }
        outcome.result = resultOf(outcome.cells);
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

}  // namespace qs::core
