#include "core/analysis/across_settings.h"

#include "core/report/across_section.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace qs::core {
namespace {

// bf16 and int8dq with inputs on the device and pinned, and bf16 with another variable.
RunData settingsRun()
{
    RunData data = tests::runOf({{.id = "bf16", .reference = "bf16"},
                                 {.id = "bf16-pinned", .reference = "bf16"},
                                 {.id = "int8", .precision = "int8dq", .reference = "bf16"},
                                 {.id = "int8-pinned", .precision = "int8dq", .reference = "bf16"},
                                 {.id = "bf16-env", .reference = "bf16"}});
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id.ends_with("pinned"))
            cell.config.inputs = "pinned";
    }
    data.plan.cells.back().config.env = "OMP_NUM_THREADS=2";
    for (int round = 0; round < 3; ++round) {
        const double drift = 1.0 + 0.1 * round;
        tests::addRow(data, "bf16", round, {0.2 * drift});
        Measurement& pinned = tests::addRow(data, "bf16-pinned", round, {0.4 * drift});
        pinned.result.copySeconds = {0.05};
        pinned.result.endToEndSeconds = {0.45};
        tests::addRow(data, "int8", round, {0.1 * drift});
        tests::addRow(data, "int8-pinned", round, {0.2 * drift});
        tests::addRow(data, "bf16-env", round, {0.1 * drift});
    }
    return data;
}

TEST(AcrossSettings, AreNeverASpeedUp)
{
    const RunData data = settingsRun();
    const Analysis best = analyse(data, "best-bf16");
    EXPECT_EQ(best.find("bf16")->baselineId, "bf16");
    EXPECT_EQ(best.find("int8")->baselineId, "bf16")
        << "though a cell of another variable is faster";
    EXPECT_EQ(best.find("int8-pinned")->baselineId, "bf16-pinned");
    EXPECT_DOUBLE_EQ(*best.find("int8-pinned")->speedup, 2.0);
    EXPECT_EQ(best.find("bf16-env")->baselineId, "bf16-env");

    const Analysis eager = analyse(data, "bf16-eager");
    EXPECT_EQ(eager.find("int8")->baselineId, "bf16");
    EXPECT_EQ(eager.find("int8-pinned")->baselineId, "bf16-pinned")
        << "the quality reference has its inputs on the device";

    const Analysis chosen = analyse(data, "bf16");
    EXPECT_EQ(chosen.find("int8")->baselineId, "bf16");
    EXPECT_TRUE(chosen.find("int8-pinned")->baselineId.empty());
    EXPECT_TRUE(chosen.find("bf16-env")->baselineId.empty());
}

TEST(AcrossSettings, AreHeldAgainstTheCellThatDiffersInNothingElse)
{
    const RunData data = settingsRun();
    const std::vector<SettingRatio> ratios = settingRatios(analyse(data, "bf16-eager"));
    ASSERT_EQ(ratios.size(), 3U);
    EXPECT_EQ(ratios[0].axis, "inputs");
    EXPECT_EQ(ratios[0].cellId, "bf16-pinned");
    EXPECT_EQ(ratios[0].usualId, "bf16");
    EXPECT_EQ(ratios[0].usual, "device");
    EXPECT_NEAR(ratios[0].ratio.value, 0.5, 1e-12);
    EXPECT_TRUE(ratios[0].ratio.interval);
    EXPECT_EQ(ratios[1].cellId, "int8-pinned");
    EXPECT_EQ(ratios[1].usualId, "int8");
    EXPECT_EQ(ratios[2].axis, "env");
    EXPECT_EQ(ratios[2].cellId, "bf16-env");
    EXPECT_NEAR(ratios[2].ratio.value, 2.0, 1e-12);
}

TEST(AcrossSettings, ReportsHaveThemAsATableOfTheirOwn)
{
    const RunData data = settingsRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(settingsSection(analysis).table.lines.size(), 3U);
    EXPECT_THAT(htmlOf(settingsSection(analysis)), testing::HasSubstr("id=\"settings\""));
    const Json json = settingsJson(analysis);
    ASSERT_EQ(json.size(), 3U);
    EXPECT_EQ(json[0]["setting"], "inputs");
    EXPECT_DOUBLE_EQ(json[0]["copy_seconds"].get<double>(), 0.05);
    EXPECT_TRUE(json[2]["copy_seconds"].is_null());
    EXPECT_EQ(reportJson(data, analysis)["across_settings"], json);
    const RunData one = tests::runOf({{.id = "bf16"}}, 1);
    EXPECT_TRUE(markdownOf(settingsSection(analyse(one, "bf16-eager"))).empty());
}

}  // namespace
}  // namespace qs::core
