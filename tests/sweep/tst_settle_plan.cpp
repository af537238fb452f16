#include "core/sweep/settle_plan.h"

#include "core/sweep/append_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "a" to "f", all of one batch; "f" cannot run.
Plan sixCells()
{
    Plan plan;
    plan.preset.name = "run";
    plan.preset.defaults.model = "demo";
    plan.preset.defaults.precision = {"bf16"};
    plan.preset.rounds = 3;
    for (const char* id : {"a", "b", "c", "d", "e", "f"}) {
        PlannedCell cell;
        cell.id = id;
        cell.config.model = "demo";
        cell.config.precision = {"bf16"};
        cell.config.seed = 1 + id[0];
        cell.estimatedSeconds = 2.0;
        plan.cells.push_back(cell);
    }
    plan.cells.back().impossible = remark("no such device");
    return plan;
}

Result<Plan> settled(const Plan& run, std::vector<std::string> cells,
                     std::vector<std::string> baselines, int rounds)
{
    return appendPlan(run, settleAddition(run, {std::move(cells), std::move(baselines), rounds}));
}

TEST(SettlePlan, GivesTheCellsAndTheirBaselinesFurtherRounds)
{
    const auto grown = settled(sixCells(), {"c", "d"}, {"a"}, 4);
    ASSERT_TRUE(grown.ok()) << grown.error().message;
    const Plan& plan = grown.value();
    EXPECT_EQ(plan.cells.size(), 6U) << "no cell is new";
    for (const char* id : {"a", "c", "d"})
        EXPECT_THAT(plan.find(id)->rounds, ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 4})) << id;
    for (const char* id : {"b", "e", "f"})
        EXPECT_THAT(plan.find(id)->rounds, IsEmpty()) << id;
    EXPECT_EQ(plan.rounds(), 7);
    EXPECT_EQ(plan.plannedRows(), 5 * 3 + 3 * 4);
    EXPECT_THAT(plan.appended, IsEmpty()) << "no sweep was appended";
    EXPECT_EQ(plan.preset.name, "run");
    ASSERT_EQ(plan.looks.size(), 1U);
    EXPECT_EQ(plan.looks[0].rounds, (RoundSpan{3, 4}));
    EXPECT_THAT(plan.looks[0].cellIds, ElementsAre("c", "d")) << "the baseline is not in question";
}

TEST(SettlePlan, NewRoundsHaveAnOrderOfTheirOwn)
{
    const Plan run = sixCells();
    const Plan plan = settled(run, {"b", "c", "d", "e"}, {"a"}, 20).value();
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(roundOrder(plan, round), roundOrder(run, round)) << "what was is not changed";
    std::set<std::vector<std::size_t>> orders;
    for (int round = 3; round < 23; ++round) {
        orders.insert(roundOrder(plan, round));
        EXPECT_EQ(roundOrder(plan, round).size(), 5U);
    }
    EXPECT_GT(orders.size(), 10U) << "fresh in each round";
}

TEST(SettlePlan, EachExtensionIsALookOfItsOwn)
{
    const Plan once = settled(sixCells(), {"c", "d"}, {"a"}, 3).value();
    const Plan twice = settled(once, {"d"}, {"a"}, 2).value();
    ASSERT_EQ(twice.looks.size(), 2U);
    EXPECT_EQ(twice.looks[1].rounds, (RoundSpan{6, 2}));
    EXPECT_THAT(twice.find("d")->rounds,
                ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 3}, RoundSpan{6, 2}));
    EXPECT_THAT(twice.find("c")->rounds, ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 3}));
}

TEST(SettlePlan, IsKeptInItsFile)
{
    const Plan plan = settled(sixCells(), {"c"}, {"a"}, 2).value();
    const Json json = toJson(plan);
    const auto read = planFromJson(json);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(toJson(read.value()), json);
    ASSERT_EQ(read.value().looks.size(), 1U);
    EXPECT_EQ(read.value().looks[0].rounds, plan.looks[0].rounds);
    EXPECT_FALSE(toJson(sixCells()).contains("looks"));
}

TEST(SettlePlan, SaysWhatCannotBeSettled)
{
    const auto refusal = [](std::vector<std::string> cells, int rounds) {
        const auto grown = settled(sixCells(), std::move(cells), {"a"}, rounds);
        return grown.ok() ? std::string("settled") : grown.error().message;
    };
    EXPECT_EQ(refusal({"c"}, 1), "settled");
    EXPECT_EQ(refusal({"c"}, kMostSettleRounds), "settled");
    EXPECT_THAT(refusal({}, 3), HasSubstr("no comparison is undecided"));
    EXPECT_THAT(refusal({"nobody"}, 3), HasSubstr("no comparison is undecided"));
    EXPECT_THAT(refusal({"f"}, 3), HasSubstr("cannot run here"));
    EXPECT_THAT(refusal({"c"}, 0), HasSubstr("not 0"));
    EXPECT_THAT(refusal({"c"}, kMostSettleRounds + 1), HasSubstr("1 to 100"));
    // The run has become another one since it was asked.
    Plan addition = settleAddition(sixCells(), {{"c"}, {"a"}, 3});
    addition.cells.front().id = "gone";
    const auto gone = appendPlan(sixCells(), addition);
    ASSERT_FALSE(gone.ok());
    EXPECT_THAT(gone.error().message, HasSubstr("cell gone is not a cell of this run"));
}

TEST(SettlePlan, DamagedLooksAreRefusedWithTheirPlace)
{
    const auto refusal = [](const char* looks) {
        Json json = toJson(sixCells());
        json["looks"] = Json::parse(looks);
        const auto read = planFromJson(json);
        return read.ok() ? std::string("accepted") : read.error().message;
    };
    EXPECT_EQ(refusal(R"([{"first": 3, "count": 2, "cells": ["c"]}])"), "accepted");
    EXPECT_THAT(refusal("7"), HasSubstr("$.looks"));
    EXPECT_THAT(refusal(R"([{"first": 3, "count": 0, "cells": ["c"]}])"),
                HasSubstr("$.looks[0].count"));
    EXPECT_THAT(refusal(R"([{"first": 3, "count": 2}])"), HasSubstr("$.looks[0].cells"));
    EXPECT_THAT(refusal(R"([{"first": 3, "count": 2, "cells": ["nobody"]}])"),
                HasSubstr("\"nobody\" is not a cell of this plan"));
    EXPECT_THAT(refusal(R"([{"first": 3, "count": 2, "cells": ["c"]},
                            {"first": 4, "count": 2, "cells": ["c"]}])"),
                HasSubstr("$.looks[1].first"));
    EXPECT_THAT(refusal(R"([{"first": -1e99, "count": 2, "cells": ["c"]}])"),
                HasSubstr("$.looks[0]"));
}

}  // namespace
}  // namespace qs::core
