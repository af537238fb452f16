#include "core/sweep/append_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PlannedCell cell(const std::string& id, const std::string& precision, std::int64_t batch,
                 const std::string& compile = "none", int rerun = 0)
{
    PlannedCell planned;
    planned.id = id;
    planned.config.model = "demo";
    planned.config.precision = {precision};
    planned.config.batch = batch;
    planned.config.compile = compile;
    planned.rerun = rerun;
    planned.estimatedSeconds = 2.0;
    return planned;
}

Plan planOf(const std::string& name, std::vector<PlannedCell> cells, int rounds)
{
    Plan plan;
    plan.preset.name = name;
    plan.preset.defaults.model = "demo";
    plan.preset.defaults.precision = {"bf16"};
    plan.preset.rounds = rounds;
    plan.cells = std::move(cells);
    return plan;
}

Plan runPlan()
{
    return planOf("run",
                  {cell("ref1", "bf16", 1), cell("ref4", "bf16", 4),
                   cell("graph4", "bf16", 4, "cuda-graph"), cell("again4", "bf16", 4, "none", 1),
                   cell("q1", "int8dq", 1), cell("q4", "int8dq", 4)},
                  3);
}

Plan additionPlan()
{
    return planOf("more",
                  {cell("ref4", "bf16", 4), cell("q4", "int8dq", 4), cell("w4", "int8wo", 4)}, 2);
}

TEST(AppendPlan, GivesNewCellsRoundsOfTheirOwnWithTheirBaselines)
{
    const auto grown = appendPlan(runPlan(), additionPlan());
    ASSERT_TRUE(grown.ok()) << grown.error().message;
    const Plan& plan = grown.value();
    ASSERT_EQ(plan.cells.size(), 7U);
    EXPECT_EQ(plan.cells.back().id, "w4");
    EXPECT_THAT(plan.cells.back().rounds, ElementsAre(RoundSpan{3, 2}));
    // Both bf16 cells of batch 4 are measured again: either may be the best one.
    EXPECT_THAT(plan.find("ref4")->rounds, ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 2}));
    EXPECT_THAT(plan.find("graph4")->rounds, ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 2}));
    for (const char* id : {"ref1", "again4", "q1", "q4"})
        EXPECT_THAT(plan.find(id)->rounds, IsEmpty()) << id;
    EXPECT_EQ(plan.rounds(), 5);
    EXPECT_EQ(plan.roundsOf(*plan.find("ref4")), 5);
    EXPECT_EQ(plan.roundsOf(*plan.find("w4")), 2);
    EXPECT_EQ(plan.plannedRows(), 4 * 3 + 2 * 5 + 2);
    EXPECT_DOUBLE_EQ(plan.estimatedSeconds(), 2.0 * plan.plannedRows());
    ASSERT_EQ(plan.appended.size(), 1U);
    EXPECT_EQ(plan.appended.front().name, "more");
}

// Which cells of the run below get rounds beside int8wo at batch 4.
std::vector<std::string> repeatedFor(const std::string& baseline)
{
    Plan run = planOf("run",
                      {cell("ref4", "bf16", 4), cell("graph4", "bf16", 4, "cuda-graph"),
                       cell("single4", "fp32", 4), cell("single1", "fp32", 1),
                       cell("single_graph4", "fp32", 4, "cuda-graph")},
                      3);
    run.cells.push_back(cell("other", "fp32", 4));
    run.cells.back().config.inputs = "pinned";
    run.preset.speedBaseline = baseline;
    Plan addition = planOf("more", {cell("w4", "int8wo", 4)}, 2);
    addition.preset.speedBaseline = baseline;
    const Plan plan = appendPlan(run, addition).value();
    std::vector<std::string> repeated;
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
        if (!plan.cells[i].rounds.empty())
            repeated.push_back(plan.cells[i].id);
    }
    return repeated;
}

TEST(AppendPlan, RepeatsWhatTheBaselineOfTheRunIs)
{
    EXPECT_THAT(repeatedFor("best-bf16"), ElementsAre("ref4", "graph4"));
    EXPECT_THAT(repeatedFor("fp32-eager"), ElementsAre("single4"));
    EXPECT_THAT(repeatedFor("best-fp32"), ElementsAre("single4", "single_graph4"));
    EXPECT_THAT(repeatedFor("fp32-same-compile"), ElementsAre("single4"));
    EXPECT_THAT(repeatedFor("single1"), ElementsAre("single4")) << "of its batch";
}

TEST(AppendPlan, KnowsWhichRoundsACellHas)
{
    const Plan plan = appendPlan(runPlan(), additionPlan()).value();
    const PlannedCell& appended = *plan.find("w4");
    EXPECT_FALSE(plan.hasRound(appended, 2));
    EXPECT_TRUE(plan.hasRound(appended, 3));
    EXPECT_TRUE(plan.hasRound(appended, 4));
    EXPECT_FALSE(plan.hasRound(appended, 5));
    EXPECT_FALSE(plan.hasRound(*plan.find("q1"), 3));
    EXPECT_FALSE(plan.hasRound(*plan.find("q1"), -1));
    EXPECT_TRUE(plan.hasRound(*plan.find("q1"), 0));
}

TEST(AppendPlan, CanBeDoneAgain)
{
    const Plan once = appendPlan(runPlan(), additionPlan()).value();
    const Plan twice = appendPlan(once, planOf("third", {cell("f4", "fp16", 4)}, 1)).value();
    EXPECT_THAT(twice.cells.back().rounds, ElementsAre(RoundSpan{5, 1}));
    EXPECT_THAT(twice.find("ref4")->rounds,
                ElementsAre(RoundSpan{0, 3}, RoundSpan{3, 2}, RoundSpan{5, 1}));
    EXPECT_THAT(twice.find("w4")->rounds, ElementsAre(RoundSpan{3, 2}));
    EXPECT_EQ(twice.appended.size(), 2U);
}

TEST(AppendPlan, RefusesWhatCouldNotBeCompared)
{
    const auto refusal = [](const auto& change) {
        Plan addition = additionPlan();
        change(addition.preset);
        const auto grown = appendPlan(runPlan(), addition);
        return grown.ok() ? std::string("appended") : grown.error().message;
    };
    EXPECT_THAT(refusal([](Preset& preset) { preset.pictures.count = 3; }), HasSubstr("images"));
    EXPECT_THAT(refusal([](Preset& preset) { preset.measurement.minimumSamples = 99; }),
                HasSubstr("measurement settings differ"));
    EXPECT_THAT(refusal([](Preset& preset) { preset.isolation = Isolation::Model; }),
                HasSubstr("isolation"));
    EXPECT_THAT(refusal([](Preset& preset) { preset.calibration.pictures.source = "others"; }),
                HasSubstr("calibration set"));
    EXPECT_EQ(refusal([](Preset& preset) { preset.orderSeed = 99; }), "appended");
    const auto nothing = appendPlan(runPlan(), planOf("same", {cell("q4", "int8dq", 4)}, 3));
    ASSERT_FALSE(nothing.ok());
    EXPECT_THAT(nothing.error().message, HasSubstr("already in this run"));
}

TEST(AppendPlan, GatesOfBothHold)
{
    Plan run = runPlan();
    Plan addition = additionPlan();
    run.preset.gates = {gateFromText("cv <= 5 %").value()};
    addition.preset.gates = {gateFromText("cv <= 5 %").value(),
                             gateFromText("speedup >= 1.2").value()};
    EXPECT_EQ(appendPlan(run, addition).value().preset.gates, addition.preset.gates);
    for (int i = 0; i < 100; ++i) {
        Gate gate = gateFromText("speedup >= 1.2").value();
        gate.batch = i + 1;
        addition.preset.gates.push_back(gate);
    }
    const auto many = appendPlan(run, addition);
    ASSERT_FALSE(many.ok());
    EXPECT_THAT(many.error().message, HasSubstr("100 gates"));
}

TEST(AppendPlan, IsKeptInItsFile)
{
    const Plan plan = appendPlan(runPlan(), additionPlan()).value();
    const Json json = toJson(plan);
    const auto read = planFromJson(json);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(toJson(read.value()), json);
    EXPECT_EQ(read.value().rounds(), 5);
    EXPECT_FALSE(toJson(runPlan()).contains("appended"));
    EXPECT_FALSE(toJson(runPlan())["cells"][0].contains("rounds"));
}

TEST(AppendPlan, DamagedRoundsAreRefusedWithTheirPlace)
{
    const auto refusal = [](const char* rounds) {
        Json json = toJson(runPlan());
        json["cells"][1]["rounds"] = Json::parse(rounds);
        const auto read = planFromJson(json);
        return read.ok() ? std::string("accepted") : read.error().message;
    };
    EXPECT_EQ(refusal(R"([{"first": 1, "count": 3}, {"first": 4, "count": 1}])"), "accepted");
    EXPECT_THAT(refusal("7"), HasSubstr("$.cells[1].rounds"));
    EXPECT_THAT(refusal(R"([{"first": 1, "count": 0}])"), HasSubstr("$.cells[1].rounds[0].count"));
    EXPECT_THAT(refusal(R"([{"first": 1, "count": 3}, {"first": 3, "count": 1}])"),
                HasSubstr("$.cells[1].rounds[1].first"));
    EXPECT_THAT(refusal(R"([{"first": 1, "count": 1e99}])"), HasSubstr("$.cells[1].rounds[0]"));
    EXPECT_THAT(refusal(R"([{"first": 1, "count": 1, "more": 1}])"), HasSubstr("more"));
    EXPECT_THAT(refusal(R"([{"first": 0, "count": 3}])"), HasSubstr("$.cells[1].rounds[0].first"))
        << "files count from 1";
}

}  // namespace
}  // namespace qs::core
