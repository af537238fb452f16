#include "core/analysis/sensitivity.h"

#include "core/analysis/analysis.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace qs::core {
namespace {

using testing::ElementsAre;

// int8dq of all layers and of four of them alone, each with an SSIM and bytes.
RunData measured()
{
    RunData data = tests::runOf({{.id = "ref", .reference = "ref"},
                                 {.id = "whole", .precision = "int8dq", .reference = "ref"},
                                 {.id = "a", .precision = "int8dq", .reference = "ref"},
                                 {.id = "b", .precision = "int8dq", .reference = "ref"},
                                 {.id = "c", .precision = "int8dq", .reference = "ref"},
                                 {.id = "d", .precision = "int8dq", .reference = "ref"}},
                                1);
    const std::tuple<const char*, const char*, double, std::int64_t> parts[] = {
        {"whole", "all", 0.90, 500},
        {"a", "only:blocks.0.fc1", 0.99, 900},
        {"b", "only:blocks.1.fc1", 0.95, 900},
        {"c", "only:blocks.2.fc1", 0.96, 600},
        {"d", "only:head", 0.999, 950}};
    for (PlannedCell& cell : data.plan.cells) {
        cell.weightBytes = 1000;
        for (const auto& [id, filter, ssim, bytes] : parts) {
            if (cell.id != id)
                continue;
            cell.config.layers = filter;
            cell.weightBytes = bytes;
        }
        tests::addRow(data, cell.id, 0, {0.5, 0.5, 0.5});
    }
    for (const auto& [id, filter, ssim, bytes] : parts)
        tests::addQuality(data, id, "ref", 0, ssim);
    return data;
}

TEST(Sensitivities, RankPartsByWhatTheyCostForTheirBytes)
{
    const RunData data = measured();
    const Analysis analysis = analyse(data, "bf16-eager");
    const auto found = sensitivitiesOf(analysis);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].wholeId, "whole");
    std::vector<std::string> order;
    for (const PartSensitivity& part : found[0].parts)
        order.push_back(part.cellId);
    // Losses over bytes: a .01/100, b .05/100, c .04/400, d .001/50; a and c are equal.
    EXPECT_EQ(order.front(), "b");
    EXPECT_EQ(order.back(), "d");
    EXPECT_NEAR(found[0].parts.front().distance, 0.05, 1e-12);
    EXPECT_EQ(found[0].parts.front().bytesSaved, 100);
    EXPECT_TRUE(found[0].parts.front().gain.has_value());
}

TEST(Sensitivities, KeepTheWorstUnquantized)
{
    const RunData data = measured();
    const Analysis analysis = analyse(data, "bf16-eager");
    Sensitivity sensitivity = sensitivitiesOf(analysis).at(0);
    EXPECT_EQ(filterWithoutWorst(sensitivity, 0), "all");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 1), "all -only:blocks.1.fc1");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 3), "all -only:blocks.{0-2}.fc1");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 9), "all -only:head,blocks.{0-2}.fc1");
    sensitivity.wholeFilter = "all/mlp";
    EXPECT_EQ(filterWithoutWorst(sensitivity, 1), "all -only:blocks.1.fc1/mlp -only:blocks.1.fc1");
}

TEST(Sensitivities, ARunWithoutSinglePartsHasNone)
{
    RunData data = measured();
    for (PlannedCell& cell : data.plan.cells)
        cell.config.layers = "all";
    EXPECT_TRUE(sensitivitiesOf(analyse(data, "bf16-eager")).empty());
}

// The same with five rounds, in which the seconds of a pass are those given and a little that all
// cells of a round share; `jitter` is what a round changes of cell a alone.
RunData timed(double whole, double a, double b, double c, double d, double jitter = 0.0)
{
    RunData data = measured();
    data.plan.preset.rounds = 5;
    data.measurements.clear();
    const std::pair<const char*, double> cells[] = {{"ref", 0.5}, {"whole", whole}, {"a", a},
                                                    {"b", b},     {"c", c},         {"d", d}};
    for (int round = 0; round < 5; ++round) {
        const double drift = 0.02 * round;
        for (const auto& [id, seconds] : cells) {
            const double own = std::string(id) == "a" ? jitter * (round % 2 == 0 ? 1 : -1) : 0.0;
            const double all = seconds + drift + own + 1e-5 * ((round * 7 + id[0]) % 3);
            tests::addRow(data, id, round, {all, all, all});
        }
    }
    return data;
}

std::vector<std::string> orderOf(const Sensitivity& sensitivity)
{
    std::vector<std::string> order;
    for (const PartSensitivity& part : sensitivity.parts)
        order.push_back(part.cellId);
    return order;
}

// Losses .01, .05, .04 and .001; bytes saved 100, 100, 400 and 50.
TEST(Sensitivities, RankPartsByWhatTheyCostForTheirTimeWhereItIsKnown)
{
    // Saved .1, .2, .02 and .0005 s, so that the losses per second are .1, .25, 2 and 2.
    const RunData data = timed(0.3, 0.4, 0.3, 0.48, 0.4995);
    const Analysis analysis = analyse(data, "bf16-eager");
    const Sensitivity found = sensitivitiesOf(analysis).at(0);
    EXPECT_EQ(found.order, PartOrder::LossPerTime);
    const auto order = orderOf(found);
    EXPECT_THAT((std::vector(order.begin() + 2, order.end())), ElementsAre("b", "a"));
    const auto c = std::find_if(found.parts.begin(), found.parts.end(),
                                [](const PartSensitivity& part) { return part.cellId == "c"; });
    ASSERT_TRUE(c->gain && c->gain->interval);
    // The drift that both share is not in the gain, nor in its interval.
    EXPECT_NEAR(c->gain->seconds, 0.02, 2e-5);
    EXPECT_NEAR(c->gain->interval->lower, 0.02, 1e-4);
    EXPECT_NEAR(c->lossPerSecond(), 2.0, 0.02);
    // By bytes another part comes first, see above.
    EXPECT_NE(order.front(), "b");
}

TEST(Sensitivities, AGainThatIsNotDecidedIsNone)
{
    // In the mean a saves .1 s and b .2 s, but a in every other round only.
    const RunData data = timed(0.3, 0.4, 0.3, 0.35, 0.52, 0.2);
    const Sensitivity found = sensitivitiesOf(analyse(data, "bf16-eager")).at(0);
    EXPECT_EQ(found.order, PartOrder::LossPerTime);
    // Neither a nor d, which is slower than without, shortens a pass: they stand by their bytes.
    EXPECT_THAT(orderOf(found), ElementsAre("a", "d", "c", "b"));
    EXPECT_GT(found.parts.front().gain->seconds, 0.05);
    EXPECT_FALSE(found.parts.front().gain->isDecided());
}

TEST(Sensitivities, BytesRankWhereNoTimeIsGained)
{
    // All together are slower than bf16, although some alone are not.
    const RunData slower = timed(0.6, 0.4, 0.3, 0.48, 0.4995);
    const Sensitivity found = sensitivitiesOf(analyse(slower, "bf16-eager")).at(0);
    EXPECT_EQ(found.order, PartOrder::LossPerByte);
    EXPECT_EQ(found.parts.front().cellId, "b");
    // All together are faster, and none alone.
    const RunData none = timed(0.3, 0.5, 0.5, 0.5, 0.5);
    EXPECT_EQ(sensitivitiesOf(analyse(none, "bf16-eager")).at(0).order, PartOrder::LossPerByte);
    // One round says nothing of time.
    const RunData once = measured();
    EXPECT_EQ(sensitivitiesOf(analyse(once, "bf16-eager")).at(0).order, PartOrder::LossPerByte);
}

TEST(Sensitivities, TimesOfAnotherCompileModeAreNoGain)
{
    RunData data = timed(0.3, 0.4, 0.3, 0.48, 0.4995);
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id != "ref")
            cell.config.compile = "cuda-graph";
    }
    const Sensitivity found = sensitivitiesOf(analyse(data, "bf16-eager")).at(0);
    EXPECT_EQ(found.order, PartOrder::LossPerByte);
    EXPECT_FALSE(found.parts.front().gain);
    // With bf16 in that mode, which takes half of what it takes eagerly, there is one.
    PlannedCell compiled = *data.plan.find("ref");
    compiled.id = "compiled";
    compiled.config.compile = "cuda-graph";
    data.plan.cells.push_back(compiled);
    for (int round = 0; round < 5; ++round)
        tests::addRow(data, "compiled", round, {0.25 + 0.02 * round});
    const Sensitivity without = sensitivitiesOf(analyse(data, "bf16-eager")).at(0);
    EXPECT_EQ(without.order, PartOrder::LossPerByte);
    EXPECT_LT(without.parts.front().gain->seconds, 0.0);
}

}  // namespace
}  // namespace qs::core
