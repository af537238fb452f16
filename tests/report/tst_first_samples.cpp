#include "core/report/first_samples_section.h"

#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

// Of a cell whose first sample took ten times as long as the others, and of one without warm-up.
RunData coldRun()
{
    RunData data = tests::runOf({{.id = "cold"}, {.id = "none"}}, 2);
    for (int round = 0; round < 2; ++round) {
        CellResult& cold = tests::addRow(data, "cold", round, {0.1, 0.1}).result;
        cold.firstSampleSeconds = 1.0;
        cold.warmupPasses = 3;
        tests::addRow(data, "none", round, {0.1, 0.1});
    }
    return data;
}

TEST(FirstSamples, StandInRowsAndCells)
{
    RunData data = coldRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const Json json = reportJson(data, analysis);
    EXPECT_EQ(json["cells"][0]["times"]["first_sample_seconds"], 1.0);
    EXPECT_TRUE(json["cells"][1]["times"]["first_sample_seconds"].is_null());
    EXPECT_EQ(json["measurements"][0]["first_sample_seconds"], 1.0);
    EXPECT_TRUE(json["measurements"][1]["first_sample_seconds"].is_null());
    EXPECT_THAT(measurementsCsv(data), HasSubstr("first_sample_seconds"));
    EXPECT_THAT(cellsCsv(data, analysis), HasSubstr("first_sample_seconds"));
    EXPECT_EQ(firstSamplesSection(analysis).table.lines.size(), 1U) << "only where it matters";
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("## First samples"));
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr("id=\"first-samples\""));
    for (Measurement& row : data.measurements)
        row.result.firstSampleSeconds.reset();
    EXPECT_FALSE(analyse(data, "bf16-eager").find("cold")->firstSampleSeconds);
}

}  // namespace
}  // namespace qs::core
