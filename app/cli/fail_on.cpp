#include "app/cli/fail_on.h"

#include "app/cli/terminal_text.h"
#include "core/record/gates.h"

#include <fmt/format.h>

#include <utility>

namespace qs::app {

namespace {

using core::CellGates;
using core::Gate;
using core::GateResult;
using core::GateVerdict;

std::string cellText(const core::CellConfig& config)
{
    return fmt::format("{} {} batch {} {} px {}", core::precisionText(config), config.compile,
                       config.batch, config.imageSize, config.device);
}

// A gate that nothing was held against is no success; whoever relies on it should know.
void warnIfNeverTested(const Gate& gate, const std::vector<CellGates>& results)
{
    std::string reason = "it speaks of no cell of this run";
    for (const CellGates& cell : results) {
        for (const GateResult& result : cell) {
            if (!(result.gate == gate))
                continue;
            if (result.verdict != GateVerdict::NotTestable)
                return;
            reason = result.reason;
        }
    }
    complain(fmt::format("gate \"{}\" was tested on no cell: {}", core::gateText(gate), reason));
}

}  // namespace

core::Result<FailOn> failOnFrom(const std::vector<std::string>& texts)
{
    FailOn failOn;
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
                  const std::vector<Gate>& gates)
{
    const std::vector<CellGates> results = core::evaluateGates(data, analysis, gates);
    bool fails = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const GateResult& result : results[i]) {
            if (result.verdict != GateVerdict::Fail)
                continue;
            fails = true;
            say("gate fails: {}: {}\n", cellText(analysis.cells[i].cell->config),
                core::gateResultText(result));
        }
    }
    for (const Gate& gate : gates)
        warnIfNeverTested(gate, results);
    return fails;
}

}  // namespace qs::app
