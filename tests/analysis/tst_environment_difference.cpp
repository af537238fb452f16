#include "core/analysis/environment_difference.h"
#include "core/report/words/environment_field_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace qs::core {
namespace {

using testing::ElementsAre;

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

using Values = std::vector<std::optional<EnvironmentValue>>;

const EnvironmentField* find(const std::vector<EnvironmentField>& fields, EnvironmentFact fact,
                             const std::string& subject = {})
{
    for (const EnvironmentField& field : fields) {
        if (field.fact == fact && field.subject == subject)
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
    const Environment environment = exampleEnvironment();
    EXPECT_EQ(countDifferent(compareEnvironments({environment, environment})), 0U);
    EXPECT_EQ(countDifferent(compareEnvironments({environment})), 0U);
    EXPECT_TRUE(compareEnvironments({}).empty());
    const auto fields = compareEnvironments({environment});
    EXPECT_GT(fields.size(), 12U);
    for (const EnvironmentField& field : fields) {
        EXPECT_FALSE(fieldName(field).empty());
        EXPECT_FALSE(fieldReason(field.fact).empty());
        ASSERT_EQ(field.values.size(), 1U);
        EXPECT_TRUE(field.values[0]) << "what nobody reports is not listed";
    }
}

TEST(EnvironmentDifference, WhatDiffersComesFirstTheGravestBeforeTheRest)
{
    const Environment one = exampleEnvironment();
    Environment two = one;
    two.torch = "2.12.0";
    two.devices.back().driver = "590.1";
    two.threads = 8;
    const auto fields = compareEnvironments({one, two});
    ASSERT_EQ(countDifferent(fields), 3U);
    EXPECT_EQ(fields[0].fact, EnvironmentFact::PyTorch);
    EXPECT_EQ(effectOf(fields[0].fact), EnvironmentEffect::ResultsAndSpeed);
    EXPECT_EQ(fields[1].fact, EnvironmentFact::Driver);
    EXPECT_EQ(fields[1].subject, "cuda:0");
    EXPECT_EQ(fields[1].values, (Values{"580.65", "590.1"}));
    EXPECT_EQ(effectOf(fields[1].fact), EnvironmentEffect::Speed);
    EXPECT_EQ(fields[2].fact, EnvironmentFact::Threads);
    EXPECT_EQ(fields[2].values, (Values{16.0, 8.0}));
    EXPECT_FALSE(fields[3].differs);
}

TEST(EnvironmentDifference, DevicesAreMatchedByTheirId)
{
    const Environment one = exampleEnvironment();
    Environment two = one;
    std::swap(two.devices.front(), two.devices.back());
    EXPECT_EQ(countDifferent(compareEnvironments({one, two})), 0U);
    two.devices.erase(two.devices.begin());  // the GPU
    const auto fields = compareEnvironments({one, two});
    const EnvironmentField* driver = find(fields, EnvironmentFact::Driver, "cuda:0");
    ASSERT_NE(driver, nullptr);
    EXPECT_TRUE(driver->differs);
    EXPECT_EQ(driver->values, (Values{"580.65", std::nullopt}));
    EXPECT_EQ(find(fields, EnvironmentFact::SerialNumber, "cuda:0"), nullptr);
}

TEST(EnvironmentDifference, FlagsAndVariablesAreFieldsOfTheirOwn)
{
    Environment one = exampleEnvironment();
    Environment two = one;
    one.numerics = {{"tf32_matmul", "false"}};
    two.numerics = {{"tf32_matmul", "true"}};
    two.variables = {{"OMP_NUM_THREADS", "4"}};
    const auto fields = compareEnvironments({one, two});
    EXPECT_EQ(countDifferent(fields), 2U);
    EXPECT_EQ(find(fields, EnvironmentFact::PyTorchFlag, "tf32_matmul")->values,
              (Values{"false", "true"}));
    EXPECT_EQ(find(fields, EnvironmentFact::Variable, "OMP_NUM_THREADS")->values,
              (Values{std::nullopt, "4"}));
}

TEST(EnvironmentDifference, SettingsBelongToTheirDevice)
{
    const auto machine = [](const char* uuid, double limit) {
        Environment environment = exampleEnvironment();
        environment.devices.back().uuid = uuid;
        environment.gpuSettings = {{.uuid = uuid, .powerLimitWatts = limit, .ecc = true}};
        return environment;
    };
    const auto fields = compareEnvironments({machine("GPU-1", 700), machine("GPU-2", 500)});
    EXPECT_EQ(countDifferent(fields), 2U);  // the serial number once, and the limit
    const EnvironmentField* limit = find(fields, EnvironmentFact::PowerLimit, "cuda:0");
    ASSERT_NE(limit, nullptr);
    EXPECT_EQ(fieldName(*limit), "cuda:0, power limit");
    EXPECT_THAT(fieldValues(*limit), ElementsAre("700 W", "500 W"));
    EXPECT_EQ(find(fields, EnvironmentFact::Ecc, "cuda:0")->values, (Values{true, true}));
    // Of a device that is not listed, by place.
    Environment odd = machine("GPU-1", 700);
    odd.gpuSettings[0].uuid = "GPU-3";
    EXPECT_NE(find(compareEnvironments({odd}), EnvironmentFact::SerialNumber, "GPU 1"), nullptr);
}

TEST(EnvironmentDifference, RoundingHidesNoDifference)
{
    Environment one = exampleEnvironment();
    one.devices.back().memoryBytes = 150109880320;
    Environment two = one;
    const auto memoryOf = [](const std::vector<Environment>& environments) {
        return *find(compareEnvironments(environments), EnvironmentFact::DeviceMemory, "cuda:0");
    };
    EXPECT_THAT(fieldValues(memoryOf({one, two})), ElementsAre("139.8 GiB", "139.8 GiB"));
    ++two.devices.back().memoryBytes;
    EXPECT_TRUE(memoryOf({one, two}).differs);
    EXPECT_THAT(fieldValues(memoryOf({one, two})),
                ElementsAre("150109880320 bytes", "150109880321 bytes"));
    EXPECT_THAT(fieldValues(memoryOf({one, Environment()})), ElementsAre("139.8 GiB", ""));
}

}  // namespace
}  // namespace qs::core
