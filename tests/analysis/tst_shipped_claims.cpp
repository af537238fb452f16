// Whether a run of a shipped preset, as long as it says, can decide what the preset claims.

#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {
namespace {

// Of a sample, by how it goes through the columns.
double secondsOf(const std::string& precision)
{
    if (precision.find("by=straight") != std::string::npos)
        return 8.0;
    return precision.find("by=kernel") == std::string::npos ? 4.0 : 1.0;
}

CellResult measuredAs(const CellConfig& config, int round, int samples)
{
    const std::string precision = precisionText(config);
    CellResult result;
    result.firstSampleSeconds = 2.0 * secondsOf(precision);
    for (int sample = 0; sample < samples; ++sample)
        result.hostSeconds.push_back(secondsOf(precision) *
                                     (1.0 + 1e-5 * static_cast<double>(3 * round + sample)));
    if (precision.find("by=compiled") != std::string::npos)
        result.compiles = {{.stage = "columns", .coldSeconds = 30.0, .warmSeconds = 10.0}};
    result.memory.allocatedPeak = 2'360'000'000;
    result.memory.weightsResident = 1 << 30;
    result.memory.selfTest.result = SelfTestResult::Passed;
    return result;
}

RunData plantedRun(const std::string& file, int rounds)
{
    const Preset preset = readPreset(tests::dataFile("../presets/" + file)).value();
    RunData data;
    data.plan.preset = preset;
    data.plan.preset.rounds = rounds;
    const std::vector<ExpandedCell> cells = expandCells(preset, false).value();
    for (const ExpandedCell& cell : cells) {
        if (!isQuantizing(cell.config))
            continue;
        PlannedCell& planned = data.plan.cells.emplace_back();
        planned.id = precisionText(cell.config);
        planned.config = cell.config;
        planned.role = cell.role;
    }
    for (int round = 0; round < rounds; ++round) {
        for (const PlannedCell& cell : data.plan.cells)
            tests::addRow(data, cell.id, round, {}).result =
                measuredAs(cell.config, round, preset.measurement.minimumSamples);
    }
    return data;
}

std::set<GateVerdict> verdictsOf(const RunData& data)
{
    std::set<GateVerdict> verdicts;
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    for (const CellGates& gates : evaluateGates(data, analysis)) {
        for (const GateResult& gate : gates)
            verdicts.insert(gate.verdict);
    }
    return verdicts;
}

TEST(ShippedClaims, ARunOfTheGptqPresetsDecidesTheirGatesAndClaims)
{
    for (const char* name : {"tinyllama", "qwen3b", "blocksize_64", "blocksize_256"}) {
        const std::string file = std::string("gptq_compile/") + name + ".json";
        const int rounds = readPreset(tests::dataFile("../presets/" + file)).value().rounds;
        const RunData data = plantedRun(file, rounds);
        EXPECT_EQ(verdictsOf(data), std::set{GateVerdict::Pass}) << file;
        for (const ClaimOutcome& outcome : analyse(data, "same-eager").claims)
            EXPECT_TRUE(outcome.result == ClaimResult::Confirmed ||
                        outcome.result == ClaimResult::Contradicted)
                << file << ": " << outcome.claim.text;
        EXPECT_TRUE(verdictsOf(plantedRun(file, 2)).contains(GateVerdict::Undecided)) << file;
    }
}

}  // namespace
}  // namespace qs::core
