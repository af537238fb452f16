#include "core/record/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace qs::core {
namespace {

using testing::HasSubstr;

Measurement fullRow()
{
    Measurement row;
    row.cellId = "c1";
    row.environmentId = "e1";
    row.round = 3;
    row.attempt = 1;
    row.config = {.model = "vitok:350M-f16x64",
                  .device = "cuda:0",
                  .precision = {"bf16", "int8dq"},
                  .compile = "cuda-graph",
                  .batch = 8};
    row.failure = Failure{.kind = FailureKind::NonFinite, .phase = Phase::Outputs};
    row.result.phases = {{Phase::Load, 1.5, 0.25}};
    row.result.hostSeconds = {0.1, 0.300000001};
    row.result.stages = {{"encoder", {0.1}, 99}, {"decoder", {0.2}, std::nullopt}};
    row.result.memory.allocatedPeak = 123;
    row.result.memory.reserved = 456;
    row.result.memory.firstSample = {.allocatedPeak = 1, .reservedPeak = 3, .reserved = 2};
    row.result.memory.graphPool = 17;
    row.result.outputsFinite = false;
    row.startedAt = "2026-11-21T09:40:12Z";
    row.durationSeconds = 12.25;
    row.logTail = "last line\n";
    return row;
}

TEST(CellStatusNames, ReadBack)
{
    for (const CellStatus status : kStatusNames.values())
        EXPECT_EQ(kStatusNames.find(name(status)), status) << name(status);
    EXPECT_EQ(name(CellStatus::CompileError), "compile_error");
    EXPECT_EQ(name(CellStatus::NonFinite), "non_finite") << "pandas reads nan as missing";
    EXPECT_EQ(kStatusNames.find("OK"), std::nullopt);
    EXPECT_EQ(kStatusNames.find(""), std::nullopt);
}

TEST(MeasurementJson, ReadsBackEqual)
{
    const Measurement row = fullRow();
    const auto back = measurementFromJson(parseJson(toJson(row).dump(), "row").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(row));
    EXPECT_EQ(back.value().config, row.config);
    EXPECT_EQ(back.value().failure, row.failure);
    EXPECT_EQ(back.value().status(), CellStatus::NonFinite);
    EXPECT_EQ(back.value().result.hostSeconds, row.result.hostSeconds);
    EXPECT_EQ(back.value().result.memory.reservedPeak, std::nullopt);
    EXPECT_EQ(back.value().result.memory, row.result.memory);
    EXPECT_EQ(back.value().attempt, 1);
    EXPECT_EQ(back.value().logTail, "last line\n");
}

TEST(MeasurementJson, ARowWithoutAFailureIsOk)
{
    Measurement row = fullRow();
    row.failure.reset();
    const Json json = toJson(row);
    EXPECT_FALSE(json.contains("failure"));
    EXPECT_FALSE(json.contains("status")) << "it is a matter of the kind of failure";
    const auto back = measurementFromJson(json);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_TRUE(back.value().ok());
    EXPECT_EQ(back.value().status(), CellStatus::Ok);
}

// Files and texts count from 1.
TEST(MeasurementJson, CountsRoundsAndAttemptsAsPeopleDo)
{
    const Json json = toJson(fullRow());
    EXPECT_EQ(json.at("round"), 4);
    EXPECT_EQ(json.at("attempt"), 2);
    const auto back = measurementFromJson(json);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().round, 3);
}

TEST(MeasurementJson, BytesThatAreNoTextDoNotCostTheRow)
{
    Measurement row = fullRow();
    row.logTail = "torch\xff\xfe said";
    row.failure->detail = "caf\xc3";
    const auto back = measurementFromJson(parseJson(toJson(row).dump(), "row").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().logTail, "torch\xEF\xBF\xBD\xEF\xBF\xBD said");
    EXPECT_EQ(back.value().failure->detail, "caf\xEF\xBF\xBD");
}

struct BadMember {
    const char* name;
    const char* value;
    const char* complaint;
};

class BadMeasurement : public testing::TestWithParam<BadMember>
{
};

TEST_P(BadMeasurement, IsRefused)
{
    Json json = toJson(fullRow());
    json[GetParam().name] = Json::parse(GetParam().value);
    const auto row = measurementFromJson(json);
    ASSERT_FALSE(row.ok());
    EXPECT_EQ(row.error().code, ErrorCode::Format);
    EXPECT_THAT(row.error().message, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(Members, BadMeasurement,
                         testing::Values(BadMember{"round", "0", "$row.round"},
                                         BadMember{"attempt", "0", "$row.attempt"},
                                         BadMember{"round", "1.5", "$row.round"},
                                         BadMember{"cell", "7", "$row.cell"},
                                         BadMember{"status", "\"ok\"", "$row.status"},
                                         BadMember{"failure", "\"oom\"", "$row.failure"},
                                         BadMember{"failure", "{}", "$row.failure.kind"},
                                         BadMember{"failure", "null", "$row.failure"},
                                         BadMember{"config", "{}", "$row.config"},
                                         BadMember{"result", "[]", "$row.result"},
                                         BadMember{"duration_s", "-2", "$row.duration_s"},
                                         BadMember{"surprise", "1", "$row.surprise"}));

TEST(MeasurementJson, NamesWhatIsMissing)
{
    for (const char* member : {"cell", "environment", "round", "attempt", "config", "result"}) {
        Json json = toJson(fullRow());
        json.erase(member);
        const auto row = measurementFromJson(json);
        ASSERT_FALSE(row.ok()) << member;
        EXPECT_THAT(row.error().message, HasSubstr(member));
    }
}

// Every number that a row holds, made NaN or infinite: whoever reads such a row says so instead of
// taking it for another number.
TEST(MeasurementJson, NumbersThatAreNoneAreRefused)
{
    for (const double none :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        for (const char* member : {"host_s", "device_s"}) {
            Json json = toJson(fullRow());
            json["result"][member] = {0.1, none};
            EXPECT_FALSE(measurementFromJson(json).ok()) << member;
        }
        Json json = toJson(fullRow());
        json["duration_s"] = none;
        EXPECT_FALSE(measurementFromJson(json).ok());
    }
}

}  // namespace
}  // namespace qs::core
