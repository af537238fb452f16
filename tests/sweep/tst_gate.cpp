#include "core/sweep/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace qs::core {
namespace {

using testing::HasSubstr;

Gate gate(const std::string& text)
{
    const Result<Gate> read = gateFromText(text);
    EXPECT_TRUE(read.ok()) << text << ": " << (read.ok() ? "" : read.error().message);
    return read.ok() ? read.value() : Gate{};
}

std::string problem(const std::string& text)
{
    const Result<Gate> read = gateFromText(text);
    return read.ok() ? "" : read.error().message;
}

TEST(Gate, ReadsNumbersInTheirUnits)
{
    EXPECT_EQ(gate("ssim_mean >= 0.99").value, 0.99);
    EXPECT_EQ(gate("cv<=5%").value, 0.05);
    EXPECT_EQ(gate("cv <= 0.05").value, 0.05);
    EXPECT_EQ(gate("latency < 12 ms").value, 0.012);
    EXPECT_EQ(gate("latency < 12 µs").value, 12e-6);
    EXPECT_EQ(gate("allocated_peak <= 2 GiB").value, 2147483648.0);
    EXPECT_EQ(gate("  psnr_mean ≥ 40 dB ").value, 40.0);
    EXPECT_EQ(gate("throughput > 1e3").value, 1000.0);
    EXPECT_EQ(gate("speedup >= 1.2x").relation, GateRelation::AtLeast);
    EXPECT_EQ(gate("max_difference_worst ≤ 0.1").relation, GateRelation::AtMost);
}

TEST(Gate, KnowsTheColumnsOfTheTable)
{
    for (const Metric& metric : metricRegistry().metrics()) {
        EXPECT_FALSE(metric.about.empty()) << metric.name;
        if (metric.unit != MetricUnit::Seconds && metric.unit != MetricUnit::Bytes) {
            EXPECT_EQ(gate(metric.column + " > 1").metric, metric.name);
        }
    }
    EXPECT_EQ(gate("speedup_ratio >= 2").metric, "speedup");
}

TEST(Gate, ReadsConditions)
{
    const Gate read = gate("speedup >= 1.2 for precision=bf16/bf16; batch=08 ;device=H200");
    EXPECT_EQ(read.precision, "bf16");
    EXPECT_EQ(read.batch, 8);
    EXPECT_EQ(read.device, "H200");
    EXPECT_EQ(gateText(read), "speedup >= 1.2 for device=H200; precision=bf16; batch=8");
    EXPECT_EQ(gate("cv < 1 for layers=only:blocks.0, norm").layers, "only:blocks.0, norm");
    EXPECT_EQ(gateText(gate("speedup > 1 for batch=1; layers=mlp")),
              "speedup > 1 for layers=mlp; batch=1");
    EXPECT_EQ(conditionsText(gate("cv < 1")), "");
}

TEST(Gate, SaysWhatIsWrong)
{
    EXPECT_THAT(problem(""), HasSubstr("one of throughput, latency, unit_time, cv"));
    EXPECT_THAT(problem("colour >= 1"), HasSubstr("unknown metric \"colour\"; known are"));
    EXPECT_THAT(problem("cv"), HasSubstr(">=, <=, > or <"));
    EXPECT_THAT(problem("cv = 1"), HasSubstr(">=, <=, > or <"));
    EXPECT_THAT(problem("cv <="), HasSubstr("expected a number"));
    EXPECT_THAT(problem("cv <= nan"), HasSubstr("expected a number"));
    EXPECT_THAT(problem("cv <= inf"), HasSubstr("expected a number"));
    EXPECT_THAT(problem("cv <= 1e999"), HasSubstr("expected a number"));
    EXPECT_THAT(problem("latency <= 5"), HasSubstr("give the unit of latency: s, ms"));
    EXPECT_THAT(problem("latency <= 5 dB"), HasSubstr("\"dB\" is not a unit of latency"));
    EXPECT_THAT(problem("allocated_peak < 1e308 GiB"), HasSubstr("unit"));
    EXPECT_THAT(problem("cv <= 5 %!"), HasSubstr("not a unit"));
    EXPECT_THAT(problem("cv <= 1 for "), HasSubstr("not a unit"));
    EXPECT_THAT(problem("cv <= 1 for colour=red"), HasSubstr("not a condition"));
    EXPECT_THAT(problem("cv <= 1 for batch"), HasSubstr("conditions such as"));
    EXPECT_THAT(problem("cv <= 1 for batch=0"), HasSubstr("integer"));
    EXPECT_THAT(problem("cv <= 1 for model="), HasSubstr("no value"));
    EXPECT_THAT(problem("cv <= 1 for model=a\x01"), HasSubstr("control"));
    EXPECT_THAT(problem(std::string(2000, 'c')), HasSubstr("longer"));
}

TEST(Gate, TextReadsBackToTheSameNumber)
{
    for (const Metric& metric : metricRegistry().metrics()) {
        for (const double value :
             {0.0, 0.07, 0.05, 1.0 / 3.0, 0.0123, 12.0, 1234.5678, 3e9, -2.5, 1e-12, 1e300}) {
            const Gate wanted{
                .metric = metric.name, .relation = GateRelation::Less, .value = value};
            EXPECT_EQ(gate(gateText(wanted)), wanted) << gateText(wanted);
        }
    }
    EXPECT_EQ(gateText(gate("cv <= 7 %")), "cv <= 7 %");
    EXPECT_EQ(gateText(gate("cv <= 0.0995")), "cv <= 0.0995") << "9.95 % reads back as another";
    EXPECT_EQ(gateText(gate("latency < 0.012 s")), "latency < 12 ms");
    EXPECT_EQ(gateText(gate("allocated_peak <= 1536 MiB")), "allocated_peak <= 1.5 GiB");
    EXPECT_EQ(gateText(gate("weights <= 1958.32 MiB")), "weights <= 1958.32 MiB");
    EXPECT_EQ(gateValueText(gate("cv < 5 %"), 0.0421), "4.210 %");
    const Gate weights = gate("weights <= 1958.32 MiB");
    EXPECT_EQ(gateValueText(weights, 2'053'431'296.0, 6), "1958.30 MiB") << "as its limit";
    EXPECT_EQ(gateValueText(weights, 22'382'484.0), "21.35 MiB");
    EXPECT_EQ(gateValueText(weights, 22'382.0), "21.86 KiB");
}

TEST(Gate, HoldsAsItSays)
{
    EXPECT_TRUE(gate("speedup >= 2").holds(2.0));
    EXPECT_FALSE(gate("speedup > 2").holds(2.0));
    EXPECT_TRUE(gate("cv <= 1").holds(1.0));
    EXPECT_FALSE(gate("cv < 1").holds(1.0));
    EXPECT_FALSE(gate("cv < 1").holds(std::nan("")));
    EXPECT_EQ(failedRelation(GateRelation::AtLeast), "<");
}

std::string complaints(const char* json)
{
    std::vector<JsonIssue> issues;
    static_cast<void>(gatesFromJson(parseJson(json, "t").value(), "$.gates", issues));
    return formatIssues(issues);
}

TEST(Gate, ComplaintsNameThePlace)
{
    EXPECT_THAT(complaints("{}"), HasSubstr("$.gates: expected a list, found object"));
    EXPECT_THAT(complaints(R"(["cv < 1", "cv"])"), HasSubstr("$.gates[1]: after the metric"));
    EXPECT_THAT(complaints(R"([{"expect": "cv < 1", "batch": 0}])"),
                HasSubstr("$.gates[0].batch: expected an integer"));
    EXPECT_THAT(complaints(R"([{"device": "H200"}])"), HasSubstr("$.gates[0].expect: is missing"));
    EXPECT_THAT(complaints(R"([{"expect": "x"}])"), HasSubstr("$.gates[0].expect: unknown metric"));
    EXPECT_THAT(complaints(R"([{"expect": "cv < 1", "color": 1}])"),
                HasSubstr("$.gates[0].color: is not a known member"));
    EXPECT_THAT(complaints("[3]"), HasSubstr("$.gates[0]: expected an object, found number"));
    EXPECT_THAT(complaints(R"([{"expect": "cv < 1", "device": ""}])"),
                HasSubstr("$.gates[0].device"));
}

TEST(Gate, TenThousandAreRefusedInOneLine)
{
    Json many = Json::array();
    for (int i = 0; i < 10'000; ++i)
        many.push_back("nonsense");
    std::vector<JsonIssue> issues;
    EXPECT_TRUE(gatesFromJson(many, "$.gates", issues).empty());
    ASSERT_EQ(issues.size(), 1U);
    EXPECT_EQ(issues[0].message, "has 10000 gates; at most 100 are possible");
}

}  // namespace
}  // namespace qs::core
