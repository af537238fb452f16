#include "core/measure/storage_report.h"

#include "core/measure/cell_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

StorageReport storageExample()
{
    StorageReport report{.weights = 7, .logicalBytes = 100, .storageBytes = 140, .fileBytes = 300};
    report.add({.weight = "encoder/a.weight",
                .logicalBytes = 10,
                .storageBytes = 50,
                .fault = StorageFault::View,
                .ownBytes = 10});
    report.add({.weight = "encoder/b.weight",
                .fault = StorageFault::Missing,
                .other = "encoder/b.weight:scale"});
    report.tensors = {{"encoder/a.weight:codes", 2 << 20, 3 << 20}};
    return report;
}

TEST(StorageReport, ReadsBackEqual)
{
    const auto back =
        storageReportFromJson(parseJson(toJson(storageExample()).dump(), "t").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(storageExample()));
    EXPECT_EQ(back.value().offenders, storageExample().offenders);
}

TEST(StorageReport, KeepsTheFirstOffendersAndCountsAll)
{
    StorageReport report{.weights = 1000};
    for (int i = 0; i < 100; ++i)
        report.add({"w" + std::to_string(i), 1, 2});
    EXPECT_EQ(report.offenderCount, 100);
    ASSERT_EQ(report.offenders.size(), StorageReport::kMostOffenders);
    EXPECT_EQ(report.offenders.front().weight, "w0");
    EXPECT_TRUE(storageReportFromJson(toJson(report)).ok());
}

TEST(StorageReport, DamagedOnesAreRefused)
{
    const std::pair<const char*, Json> cases[] = {
        {"weights", -1},
        {"logical_bytes", "7"},
        {"storage_bytes", 1e300},
        {"offenders", Json::object()},
        {"offenders", Json::array({1})},
        {"offenders", Json::array({Json{{"weight", 1}, {"fault", "view"}}})},
        {"offenders", Json::array({Json{{"weight", "w"}}})},
        {"offenders", Json::array({Json{{"weight", "w"}, {"fault", "is wide"}}})},
        {"offenders", Json(std::vector<Json>(21, Json::object()))},
        {"tensors", Json::array({Json{{"name", 1}}})},
        {"tensors", Json(std::vector<Json>(4097, Json::object()))},
        {"surprise", 1}};
    for (const auto& [member, value] : cases) {
        Json json = toJson(storageExample());
        json[member] = value;
        const auto report = storageReportFromJson(json);
        ASSERT_FALSE(report.ok()) << member << " " << value.dump();
        EXPECT_THAT(report.error().message, HasSubstr(std::string("$storage.") + member));
    }
    EXPECT_FALSE(storageReportFromJson(Json::array()).ok());
}

TEST(StorageReport, ARowWithoutOneHasNoMemberForIt)
{
    CellResult result;
    EXPECT_FALSE(toJson(result).contains("storage"));
    EXPECT_FALSE(toJson(result).contains("model_content"));
    const auto without = cellResultFromJson(toJson(result));
    ASSERT_TRUE(without.ok()) << without.error().message;
    EXPECT_TRUE(without.value().storage.empty());
    result.storage = storageExample();
    result.modelContent = "sha256:ab";
    const auto back = cellResultFromJson(toJson(result));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(result));
    Json damaged = toJson(result);
    damaged["storage"]["weights"] = "many";
    EXPECT_FALSE(cellResultFromJson(damaged).ok());
}

}  // namespace
}  // namespace qs::core
