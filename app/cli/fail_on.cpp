#include "app/cli/fail_on.h"

#include "app/cli/terminal_text.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/base/text_parts.h"
#include "core/report/words/gate_text.h"

#include <fmt/format.h>

#include <utility>

namespace qs::app {

namespace {

using core::CellGates;
using core::Gate;
using core::GateResult;
using core::GateVerdict;

// A gate that nothing was held against is no success; whoever relies on it should know.
void warnIfNeverTested(const Gate& gate, const std::vector<CellGates>& results)
{
    std::string reason = "it applies to no cell of this run";
    for (const CellGates& cell : results) {
        for (const GateResult& result : cell) {
            if (!(result.gate == gate))
                continue;
            if (result.verdict != GateVerdict::NotTestable)
                return;
            reason = core::gateReasonText(result);
        }
    }
    complain(
        fmt::format("gate \"{}\" was not tested on any cell: {}", core::gateText(gate), reason));
}

}  // namespace

core::Result<FailOn> failOnFrom(const std::vector<std::string>& texts, const std::string& undecided)
{
    FailOn failOn;
    if (undecided != "fail" && undecided != "pass")
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--undecided must be \"fail\" or \"pass\", not \"" + undecided + "\""};
    failOn.undecidedFails = undecided == "fail";
    for (const std::string& text : texts) {
        if (text == "gates") {
            failOn.presetGates = true;
            continue;
        }
        core::Result<Gate> gate = core::gateFromText(text);
        if (!gate.ok())
            return core::Error{core::ErrorCode::InvalidArgument,
                               "--fail-on \"" + text + "\": " + gate.error().message +
                                   "; or \"gates\" for those of the preset"};
        failOn.own.push_back(std::move(gate).value());
    }
    return failOn;
}

core::Result<std::vector<Gate>> wantedGates(const FailOn& failOn, const core::Preset& preset)
{
    if (failOn.presetGates && preset.gates.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--fail-on gates: the preset has no gates"};
    std::vector<Gate> gates = failOn.presetGates ? preset.gates : std::vector<Gate>();
    gates.insert(gates.end(), failOn.own.begin(), failOn.own.end());
    return gates;
}

bool anyGateFails(const core::RunData& data, const core::Analysis& analysis,
                  const std::vector<Gate>& gates, const FailOn& failOn)
{
    const std::vector<CellGates> results = core::evaluateGates(data, analysis, gates);
    const core::CellLabels& labels = analysis.labels;
    int failed = 0;
    int undecided = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const GateResult& result : results[i]) {
            const bool fails = result.verdict == GateVerdict::Fail;
            if (!fails && result.verdict != GateVerdict::Undecided)
                continue;
            ++(fails ? failed : undecided);
            say("gate {}: {}: {}\n", fails ? "fails" : "is undecided",
                labels.withBatch(*analysis.cells[i].cell), core::gateResultText(result));
        }
    }
    if (undecided > 0)
        say("{} undecided: add repeats to decide; {}\n",
            core::counted(static_cast<std::uint64_t>(undecided), "gate"),
            failOn.undecidedFails ? "undecided counts as failed"
                                  : "undecided counts as passed (--undecided pass)");
    for (const Gate& gate : gates)
        warnIfNeverTested(gate, results);
    return failed > 0 || (undecided > 0 && failOn.undecidedFails);
}

}  // namespace qs::app
