#include "core/analysis/environment_difference.h"
#include "core/record/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Environment exampleEnvironment()
{
    Environment environment{.program = "QuantScope 0.1.0",
                            .torch = "2.11.0",
                            .cuda = "13.0",
                            .system = "Debian",
                            .host = "node7",
                            .processor = "Some CPU",
                            .threads = 16,
                            .devices = {describeCpu(), commonGpus().front()}};
    environment.devices.back().driver = "580.65";
    return environment;
}

const EnvironmentField* find(const std::vector<EnvironmentField>& fields, const std::string& path)
{
    for (const EnvironmentField& field : fields) {
        if (field.path == path)
            return &field;
    }
    return nullptr;
}

std::size_t countDifferent(const std::vector<EnvironmentField>& fields)
{
    return static_cast<std::size_t>(std::count_if(
        fields.begin(), fields.end(), [](const EnvironmentField& field) { return field.differs; }));
}

TEST(EnvironmentDifference, EqualOnesDifferInNothing)
{
    const Json json = toJson(exampleEnvironment());
    EXPECT_EQ(countDifferent(compareEnvironments({json, json})), 0U);
    EXPECT_EQ(countDifferent(compareEnvironments({json})), 0U);
    EXPECT_TRUE(compareEnvironments({}).empty());
    // Every field is there, with a name and a reason.
    const auto fields = compareEnvironments({json});
    EXPECT_EQ(fields.size(), 7U + 2U * 9U);
    for (const EnvironmentField& field : fields) {
        EXPECT_FALSE(field.name.empty()) << field.path;
        EXPECT_FALSE(field.reason.empty()) << field.path;
        EXPECT_EQ(field.values.size(), 1U);
    }
}

TEST(EnvironmentDifference, WhatDiffersComesFirstByName)
{
    const Environment one = exampleEnvironment();
    Environment two = one;
    two.torch = "2.12.0";
    two.devices.back().driver = "590.1";
    two.threads = 8;
    const auto fields = compareEnvironments({toJson(one), toJson(two)});
    ASSERT_EQ(countDifferent(fields), 3U);
    EXPECT_EQ(fields[0].name, "cuda:0, driver");
    EXPECT_THAT(fields[0].values, ElementsAre("580.65", "590.1"));
    EXPECT_EQ(fields[1].name, "PyTorch");
    EXPECT_THAT(fields[1].reason, HasSubstr("rounding"));
    EXPECT_EQ(fields[2].name, "threads");
    EXPECT_THAT(fields[2].values, ElementsAre("16", "8"));
    EXPECT_FALSE(fields[3].differs);
}

TEST(EnvironmentDifference, DevicesAreMatchedByTheirId)
{
    const Environment one = exampleEnvironment();
    Environment two = one;
    std::swap(two.devices.front(), two.devices.back());
    EXPECT_EQ(countDifferent(compareEnvironments({toJson(one), toJson(two)})), 0U);
    two.devices.erase(two.devices.begin());  // the GPU
    const auto fields = compareEnvironments({toJson(one), toJson(two)});
    const EnvironmentField* driver = find(fields, "devices[cuda:0].driver");
    ASSERT_NE(driver, nullptr);
    EXPECT_TRUE(driver->differs);
    EXPECT_THAT(driver->values, ElementsAre("580.65", ""));
    // What the GPU did not tell either is no difference.
    EXPECT_FALSE(find(fields, "devices[cuda:0].uuid")->differs);
}

TEST(EnvironmentDifference, UnknownFieldsAreNamedByTheirKey)
{
    Json one = toJson(exampleEnvironment());
    Json two = one;
    one["clocks_policy"] = "locked";
    two["clocks_policy"] = "free";
    one["devices"][1]["power_limit_watts"] = 700.5;
    two["devices"][1]["ecc"] = true;
    one["flags"] = {{"allow_tf32", false}};
    two["flags"] = {{"allow_tf32", true}};
    one["something_new"] = Json::array({1, 2});
    two["something_new"] = Json::array({1, 3});
    const auto fields = compareEnvironments({one, two});
    EXPECT_EQ(countDifferent(fields), 5U);
    const EnvironmentField* power = find(fields, "devices[cuda:0].power_limit_watts");
    ASSERT_NE(power, nullptr);
    EXPECT_EQ(power->name, "cuda:0, power limit");
    EXPECT_THAT(power->values, ElementsAre("700.5 W", ""));
    EXPECT_THAT(power->reason, HasSubstr("power limit"));
    EXPECT_THAT(find(fields, "devices[cuda:0].ecc")->values, ElementsAre("", "yes"));
    EXPECT_EQ(find(fields, "flags.allow_tf32")->name, "flags, allow tf32");
    EXPECT_THAT(find(fields, "flags.allow_tf32")->values, ElementsAre("no", "yes"));
    EXPECT_THAT(find(fields, "clocks_policy")->reason, HasSubstr("clock"));
    EXPECT_THAT(find(fields, "something_new")->values, ElementsAre("[1,2]", "[1,3]"));
    EXPECT_FALSE(find(fields, "something_new")->reason.empty());
}

TEST(EnvironmentDifference, SettingsBelongToTheirDevice)
{
    const auto machine = [](const char* uuid, int limit) {
        Json json = toJson(exampleEnvironment());
        json["devices"][1]["uuid"] = uuid;
        json["gpu_settings"] = Json::array({{{"uuid", uuid}, {"power_limit_watts", limit}}});
        return json;
    };
    const auto fields = compareEnvironments({machine("GPU-1", 700), machine("GPU-2", 500)});
    EXPECT_EQ(countDifferent(fields), 2U);  // the serial number once, and the limit
    const EnvironmentField* limit = find(fields, "gpu_settings[cuda:0].power_limit_watts");
    ASSERT_NE(limit, nullptr);
    EXPECT_EQ(limit->name, "cuda:0, power limit");
    EXPECT_THAT(limit->values, ElementsAre("700 W", "500 W"));
    // Of a device that is not listed, by place.
    Json odd = machine("GPU-1", 700);
    odd["gpu_settings"][0]["uuid"] = "GPU-3";
    EXPECT_NE(find(compareEnvironments({odd}), "gpu_settings[1].uuid"), nullptr);
}

TEST(EnvironmentDifference, RoundingHidesNoDifference)
{
    Environment one = exampleEnvironment();
    one.devices.back().memoryBytes = 150109880320;
    Environment two = one;
    const std::string path = "devices[cuda:0].memory_bytes";
    EXPECT_THAT(find(compareEnvironments({toJson(one), toJson(two)}), path)->values,
                ElementsAre("139.8 GiB", "139.8 GiB"));
    ++two.devices.back().memoryBytes;
    const auto fields = compareEnvironments({toJson(one), toJson(two)});
    EXPECT_TRUE(find(fields, path)->differs);
    EXPECT_THAT(find(fields, path)->values, ElementsAre("150109880320", "150109880321"));
}

TEST(EnvironmentDifference, HostileDocumentsAreTextOnly)
{
    const Json odd = Json::array({Json::object({{"id", 3}}), "x", nullptr});
    const auto fields = compareEnvironments(
        {Json{{"devices", odd}, {"torch", Json::object()}}, Json("no object"), Json(),
         Json{{"devices", Json::array({{{"id", "a.b]["}, {"x", 1}}})}}});
    for (const EnvironmentField& field : fields) {
        EXPECT_EQ(field.values.size(), 4U);
        EXPECT_TRUE(field.differs) << field.path;
    }
    EXPECT_NE(find(fields, "devices"), nullptr);
    EXPECT_NE(find(fields, "devices[a.b][].x"), nullptr);
}

}  // namespace
}  // namespace qs::core
