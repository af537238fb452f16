#include "core/analysis/sample_figures.h"

#include "core/report/report.h"
#include "core/stats/quantiles.h"
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

// Around a second, give or take a percent, without a trend.
std::vector<double> samplesOf(int count)
{
    std::vector<double> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(1.0 + 0.001 * ((8 * i) % 21 - 10));
    return samples;
}

SampleFigures figuresOf(const RunData& data)
{
    return *analyse(data, "bf16-eager").cells.front().distribution;
}

RunData runWith(const std::vector<std::vector<double>>& rounds)
{
    RunData data = runOf({{.id = "a", .reference = "a"}}, static_cast<int>(rounds.size()));
    for (std::size_t round = 0; round < rounds.size(); ++round)
        addRow(data, "a", static_cast<int>(round), rounds[round]);
    return data;
}

TEST(SampleFigures, NeedTheSamplesThatBoundAPercentile)
{
    EXPECT_EQ(kSamplesForP90, samplesNeededFor(90));
    EXPECT_EQ(kSamplesForP95, samplesNeededFor(95));
    EXPECT_EQ(kSamplesForP99, samplesNeededFor(99));
    EXPECT_FALSE(figuresOf(runWith({samplesOf(63)})).p90);
    const SampleFigures enough = figuresOf(runWith({samplesOf(64)}));
    EXPECT_TRUE(enough.p90);
    EXPECT_FALSE(enough.p95);
    const SampleFigures together = figuresOf(runWith({samplesOf(331), samplesOf(331)}));
    EXPECT_TRUE(together.p99) << "the rounds together";
    EXPECT_EQ(together.count, 662U);
}

TEST(SampleFigures, DescribeAllRounds)
{
    std::vector<double> first = samplesOf(42);
    first[20] = 1.5;  // severe
    const SampleFigures figures = figuresOf(runWith({first, samplesOf(42)}));
    EXPECT_DOUBLE_EQ(figures.minimum, 0.99);
    EXPECT_DOUBLE_EQ(figures.maximum, 1.5);
    EXPECT_EQ(figures.outliers.severe, 1U);
    EXPECT_NEAR(figures.mean, 1.0 + 0.5 / 84.0, 1e-3);
    ASSERT_TRUE(figures.standardDeviation);
    EXPECT_LE(figures.effectiveCount, 84.0);
    EXPECT_FALSE(figures.drifting);
}

TEST(SampleFigures, OneRoundThatDriftsIsSaid)
{
    std::vector<double> drifting;
    for (int i = 0; i < 40; ++i)
        drifting.push_back(1.0 + 0.002 * i);
    const SampleFigures figures = figuresOf(runWith({samplesOf(40), drifting}));
    EXPECT_TRUE(figures.drifting);
    EXPECT_GT(figures.trend, 0.05);
    EXPECT_GT(figures.autocorrelation, 0.0);
}

TEST(SampleFigures, WhatWasDiscardedDoesNotCount)
{
    RunData data = runWith({{1.0, 1.0, 9.0, 1.0}});
    data.measurements[0].result.discards = {{2, Slowdown::Heat}};
    const CellSummary summary = analyse(data, "bf16-eager").cells.front();
    EXPECT_EQ(summary.distribution->count, 3U);
    EXPECT_DOUBLE_EQ(summary.distribution->maximum, 1.0);
    EXPECT_DOUBLE_EQ(summary.seconds, 1.0);
    EXPECT_EQ(summary.samples, 3U);
    EXPECT_EQ(summary.device.discards, 1U);
    data.measurements[0].result.discards = {
        {0, Slowdown::Heat}, {1, Slowdown::Heat}, {2, Slowdown::Heat}, {3, Slowdown::Heat}};
    EXPECT_FALSE(analyse(data, "bf16-eager").cells.front().distribution);
}

TEST(SampleFigures, ReportsSayHowManySamplesAreMissing)
{
    const RunData data = runWith({samplesOf(70)});
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::string markdown = summaryMarkdown(data, analysis);
    EXPECT_THAT(markdown, HasSubstr("needs 130 samples"));
    EXPECT_THAT(markdown, HasSubstr("needs 662 samples"));
    EXPECT_THAT(markdown, Not(HasSubstr("needs 64 samples")));
    EXPECT_THAT(cellsCsv(data, analysis), HasSubstr("sample_seconds_p99"));
    EXPECT_TRUE(reportJson(data, analysis)["cells"][0]["times"]["sample_statistics"]["seconds_p99"]
                    .is_null());
}

}  // namespace
}  // namespace qs::core
