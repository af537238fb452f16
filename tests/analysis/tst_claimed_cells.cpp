// What the shipped presets claim, and what of: cells that they have, against baselines that differ
// in one thing only.

#include "core/analysis/analysis.h"
#include "core/lower/compile_mode.h"
#include "core/quant/scheme.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset.h"
#include "core/sweep/speed_baseline_name.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace qs::core {
namespace {

std::string idOf(const CellConfig& config, int rerun)
{
    return cellKey(config) + " #" + std::to_string(rerun);
}

// Every cell of the preset, timed three times. Claims are about any device here.
RunData timedRun(Preset preset)
{
    for (Claim& claim : preset.claims) {
        for (Gate& gate : claim.expect)
            gate.device.clear();
    }
    RunData data;
    const std::vector<ExpandedCell> cells = expandCells(preset, false).value();
    data.plan.preset = std::move(preset);
    data.plan.preset.rounds = 3;
    for (const ExpandedCell& cell : cells) {
        PlannedCell& planned = data.plan.cells.emplace_back();
        planned.id = idOf(cell.config, cell.rerun);
        planned.config = cell.config;
        planned.role = cell.role;
        planned.referenceId = idOf(qualityReferenceOf(cell.config), 0);
    }
    for (int round = 0; round < 3; ++round) {
        for (const PlannedCell& cell : data.plan.cells)
            tests::addRow(data, cell.id, round, {0.1, 0.1});
    }
    return data;
}

struct ClaimingPreset {
    std::string file;  // below presets/
    RunData data;
    std::vector<ClaimOutcome> outcomes;
};

const std::vector<ClaimingPreset>& claimingPresets()
{
    static const auto all = [] {
        std::vector<ClaimingPreset> found;
        const std::filesystem::path folder = tests::dataFile("../presets");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file() || entry.path().filename() == "sweep.schema.json")
                continue;
            Preset preset = readPreset(entry.path()).value();
            if (preset.claims.empty())
                continue;
            ClaimingPreset& each = found.emplace_back();
            each.file = std::filesystem::relative(entry.path(), folder).string();
            each.data = timedRun(std::move(preset));
            each.outcomes = analyse(each.data, each.data.plan.preset.speedBaseline).claims;
        }
        return found;
    }();
    return all;
}

bool lacksBaseline(const ClaimedCell& cell)
{
    return std::any_of(cell.gates.begin(), cell.gates.end(), [](const GateResult& gate) {
        return gate.reason == GateReason::NoBaseline || gate.reason == GateReason::IsBaseline;
    });
}

bool isRatio(const Claim& claim)
{
    return std::any_of(claim.expect.begin(), claim.expect.end(), [](const Gate& gate) {
        return gate.metric == "speedup" || gate.metric == "memory_overhead";
    });
}

bool quantizes(const CellConfig& config)
{
    return std::any_of(config.precision.begin(), config.precision.end(), [](const auto& name) {
        return quantizesWeights(parseScheme(name).value());
    });
}

// Whether another device would give another figure: times and what is made of them, and what a
// compiler changes in outputs. What a scheme does to numbers is the same everywhere, and so are
// bytes of weights.
bool isOfDevice(const Gate& gate, const CellConfig& config)
{
    const Metric& metric = *metricRegistry().find(gate.metric);
    return metric.overRounds || (metric.comparesOutputs && !quantizes(config));
}

TEST(ClaimedCells, EachClaimSpeaksOfACellOfItsPreset)
{
    ASSERT_GT(claimingPresets().size(), 20U);
    for (const ClaimingPreset& each : claimingPresets()) {
        for (const ClaimOutcome& outcome : each.outcomes)
            EXPECT_FALSE(outcome.cells.empty()) << each.file << ": " << outcome.claim.text;
    }
}

TEST(ClaimedCells, EachRatioHasABaselineInItsPreset)
{
    for (const ClaimingPreset& each : claimingPresets()) {
        for (const ClaimOutcome& outcome : each.outcomes)
            EXPECT_TRUE(!isRatio(outcome.claim) ||
                        std::none_of(outcome.cells.begin(), outcome.cells.end(), lacksBaseline))
                << each.file << ": " << outcome.claim.text;
    }
}

// Else two things are claimed at once: what compiling is worth and what a precision is.
TEST(ClaimedCells, RatiosOfPrecisionsCompareWhatIsCompiledAlike)
{
    // The document's own comparisons, of which it is said that they mix both.
    const std::set<std::string> mixed{"olmoearth/int8_vs_fp16.json",
                                      "olmoearth/int8_batch_cross.json"};
    int compared = 0;
    for (const ClaimingPreset& each : claimingPresets()) {
        const Plan& plan = each.data.plan;
        for (const ClaimOutcome& outcome : each.outcomes) {
            if (!isRatio(outcome.claim) || mixed.contains(each.file))
                continue;
            const std::string& named = outcome.claim.baseline;
            const std::string& baseline = named.empty() ? plan.preset.speedBaseline : named;
            EXPECT_FALSE(bestPrecision(baseline))
                << each.file << ": " << outcome.claim.text << ": the best may be any";
            const Analysis analysis = analyse(each.data, baseline);
            for (const ClaimedCell& claimed : outcome.cells) {
                const CellConfig& cell = plan.find(claimed.cellId)->config;
                const PlannedCell* other = plan.find(analysis.find(claimed.cellId)->baselineId);
                if (other == nullptr || other->config.precision == cell.precision)
                    continue;
                ++compared;
                EXPECT_EQ(normalCompileText(other->config.compile), normalCompileText(cell.compile))
                    << each.file << ": " << outcome.claim.text;
                EXPECT_EQ(other->config.attention, cell.attention)
                    << each.file << ": " << outcome.claim.text;
            }
        }
    }
    EXPECT_GT(compared, 40);
}

TEST(ClaimedCells, WhatIsClaimedOfAGpuIsNotHeldAgainstAProcessor)
{
    int checked = 0;
    const std::filesystem::path folder = tests::dataFile("../presets");
    for (const ClaimingPreset& each : claimingPresets()) {
        const Preset preset = readPreset(folder / each.file).value();
        if (preset.defaults.device != "cpu")
            continue;
        for (std::size_t i = 0; i < preset.claims.size(); ++i) {
            for (const ClaimedCell& claimed : each.outcomes[i].cells) {
                const CellConfig& config = each.data.plan.find(claimed.cellId)->config;
                for (const Gate& gate : preset.claims[i].expect) {
                    ++checked;
                    EXPECT_TRUE(!isOfDevice(gate, config) || !gate.device.empty())
                        << each.file << ": " << preset.claims[i].text;
                }
            }
        }
    }
    EXPECT_GT(checked, 15);
}

}  // namespace
}  // namespace qs::core
