#include "core/analysis/disturbed_cells.h"

#include "core/report/report.h"
#include "core/report/words/warning_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::addRow;
using tests::runOf;

// A busy loop that begins in the second round of one cell.
TEST(DisturbedCells, AreNamedInTheWarningsOfTheRun)
{
    RunData data = runOf({{.id = "a"}, {.id = "b", .precision = "int8dq", .batch = 4}});
    for (int round = 0; round < 3; ++round) {
        for (const char* id : {"a", "b"}) {
            CellResult& result = addRow(data, id, round, {0.1}).result;
            result.load = {.averageBefore = 0.1, .othersDuring = 0.05, .cores = 2};
        }
    }
    EXPECT_TRUE(disturbedCells(analyse(data, "best-bf16")).empty());
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "best-bf16")), Not(HasSubstr("disturbed")));
    data.measurements[3].result.load.othersDuring = 1.2;
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(disturbedCells(analysis).size(), 1U);
    EXPECT_EQ(disturbedCells(analysis).front()->cellId, "b");
    EXPECT_EQ(analysis.find("b")->othersCores, 1.2) << "the most of all rounds";
    EXPECT_THAT(
        timeWarnings(analysis),
        testing::ElementsAre("other processes used up to 1.2 cores while 1 of 2 cells ran, most of "
                             "all int8dq · eager · batch 4: their times are disturbed"));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("**Warning**: other processes used"));
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr(",others_cores,"));
    EXPECT_THAT(measurementsCsv(data, true), HasSubstr(",others_cores_during,"));
    EXPECT_EQ(reportJson(data, analysis).at("cells").at(1).at("device").at("others_cores"), 1.2);
}

}  // namespace
}  // namespace qs::core
