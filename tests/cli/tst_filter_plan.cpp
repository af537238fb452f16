#include "app/cli/filter_plan.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace {

using namespace qs::core;
using qs::app::filterPlan;
using testing::ElementsAre;
using testing::HasSubstr;

PlannedCell cell(const std::string& precision, std::int64_t batch, CellRole role = CellRole::Swept,
                 int rerun = 0)
{
    PlannedCell planned;
    planned.config.model = "vitok:350M-f16x64";
    planned.config.precision = {precision};
    planned.config.batch = batch;
    planned.role = role;
    planned.rerun = rerun;
    planned.id = precision + "-" + std::to_string(batch) + (rerun > 0 ? "-again" : "");
    planned.referenceId = "bf16-" + std::to_string(batch);
    return planned;
}

// {bf16, int8dq, int8wo} x batch {1, 4}, with the noise-floor runs of both batches.
Plan plan()
{
    Plan plan;
    plan.preset.name = "filtered";
    plan.preset.defaults = cell("bf16", 1).config;
    for (const char* precision : {"bf16", "int8dq", "int8wo"}) {
        for (const int batch : {1, 4})
            plan.cells.push_back(cell(precision, batch));
    }
    for (const int batch : {1, 4}) {
        plan.cells.push_back(cell("fp32", batch, CellRole::NoiseFloor));
        plan.cells.push_back(cell("bf16", batch, CellRole::NoiseFloor, 1));
    }
    return plan;
}

std::vector<std::string> ids(const Plan& plan)
{
    std::vector<std::string> found;
    for (const PlannedCell& cell : plan.cells)
        found.push_back(cell.id);
    return found;
}

TEST(FilterPlan, KeepsEverythingWithoutAFilter)
{
    Plan filtered = plan();
    ASSERT_TRUE(filterPlan(filtered, {}).ok());
    EXPECT_EQ(filtered.cells.size(), 10U);
}

TEST(FilterPlan, KeepsWhatTheChosenCellsNeed)
{
    Plan filtered = plan();
    ASSERT_TRUE(filterPlan(filtered, {"precision=int8dq", "batch=4"}).ok());
    EXPECT_THAT(ids(filtered), ElementsAre("bf16-4", "int8dq-4", "fp32-4", "bf16-4-again"));
    EXPECT_EQ(filtered.cells[0].role, CellRole::QualityReference) << "it was not asked for";
    EXPECT_EQ(filtered.cells[1].role, CellRole::Swept);
}

TEST(FilterPlan, TakesListsAndNormalizesValues)
{
    Plan filtered = plan();
    ASSERT_TRUE(filterPlan(filtered, {"precision=int8wo,int8dq/int8dq", "batch=01"}).ok());
    EXPECT_THAT(ids(filtered),
                ElementsAre("bf16-1", "int8dq-1", "int8wo-1", "fp32-1", "bf16-1-again"));
}

TEST(FilterPlan, KeepsASpeedBaselineThatIsACell)
{
    Plan filtered = plan();
    filtered.preset.speedBaseline = "int8wo-1";
    ASSERT_TRUE(filterPlan(filtered, {"precision=int8dq", "batch=4"}).ok());
    EXPECT_THAT(ids(filtered), testing::Contains("int8wo-1"));
}

TEST(FilterPlan, LeavesAPlanThatCanBeReadBack)
{
    Plan filtered = plan();
    filtered.cells[4].id = std::string(64, 'a');
    filtered.preset.speedBaseline = filtered.cells[4].id;
    ASSERT_TRUE(filterPlan(filtered, {"precision=int8dq", "batch=4"}).ok());
    const auto again = planFromJson(toJson(filtered));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(ids(again.value()), ids(filtered));
}

TEST(FilterPlan, RefusesWhatItDoesNotUnderstand)
{
    for (const char* filter : {"precision", "=bf16", "speed=fast", "batch=many", "batch=", ""}) {
        Plan filtered = plan();
        const Status status = filterPlan(filtered, {filter});
        ASSERT_FALSE(status.ok()) << filter;
        EXPECT_EQ(status.error().code, ErrorCode::InvalidArgument) << filter;
        EXPECT_EQ(filtered.cells.size(), 10U);
    }
}

TEST(FilterPlan, RefusesToLeaveNothing)
{
    for (const char* filter : {"precision=fp16", "precision=fp32"}) {
        Plan filtered = plan();
        const Status status = filterPlan(filtered, {filter});
        ASSERT_FALSE(status.ok()) << filter;
        EXPECT_THAT(status.error().message, HasSubstr("matches no cell"));
    }
}

}  // namespace
