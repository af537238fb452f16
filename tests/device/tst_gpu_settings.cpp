#include "core/device/gpu_settings.h"
#include "core/device/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

GpuSettings exampleSettings()
{
    return readGpuSettings({"GPU-first"}, QS_FAKE_NVML).at(0);
}

TEST(GpuSettingsOfTheDriver, AreReadForTheGpusThatAreAskedFor)
{
    const GpuSettings settings = exampleSettings();
    EXPECT_EQ(settings.uuid, "GPU-first");
    EXPECT_EQ(settings.driver, "580.65.06");
    EXPECT_EQ(settings.clocks, "application clock 1410 MHz");
    EXPECT_EQ(settings.maxSmClockMegahertz, 1980.0);
    EXPECT_EQ(settings.powerLimitWatts, 650.0);
    EXPECT_EQ(settings.defaultPowerLimitWatts, 700.0);
    EXPECT_EQ(settings.ecc, true) << "the current mode, not the pending one";
    EXPECT_EQ(settings.mig, false);
    EXPECT_EQ(settings.persistence, true);
    EXPECT_EQ(gpuSettingsText(settings),
              "driver 580.65.06, application clock 1410 MHz, SM clock up to 1980 MHz, power limit "
              "650 W (default 700 W), ECC on, MIG off, persistence on");
}

TEST(GpuSettingsOfTheDriver, WhatIsNotToldIsLeftOut)
{
    const auto all = readGpuSettings({"GPU-second", "GPU-elsewhere"}, QS_FAKE_NVML);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(toJson(all[0]), (Json{{"uuid", "GPU-second"}, {"driver", "580.65.06"}}));
    EXPECT_EQ(gpuSettingsText(all[0]), "driver 580.65.06");
    EXPECT_EQ(gpuSettingsText({}), "");
}

TEST(GpuSettingsOfTheDriver, WithoutADriverThereAreNone)
{
    EXPECT_THAT(readGpuSettings({"GPU-first"}, "/nonexistent/libnvidia-ml.so.1"), IsEmpty());
    EXPECT_THAT(readGpuSettings({}, QS_FAKE_NVML), IsEmpty());
}

// The variables of the fake driver, for as long as one test.
class FakeAnswer final
{
public:
    FakeAnswer(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
    ~FakeAnswer() { ::unsetenv(m_name); }
    FakeAnswer(const FakeAnswer&) = delete;
    FakeAnswer& operator=(const FakeAnswer&) = delete;

private:
    const char* m_name;
};

TEST(GpuSettingsOfTheDriver, ClocksAreDefaultSetOrChosen)
{
    {
        const FakeAnswer clock("QS_FAKE_NVML_CLOCK", "1980");
        EXPECT_EQ(exampleSettings().clocks, "default") << "a power cap and heat are no settings";
        const FakeAnswer reasons("QS_FAKE_NVML_REASONS", "2");
        EXPECT_EQ(exampleSettings().clocks, "set") << "the clocks can only be locked";
        EXPECT_THAT(gpuSettingsText(exampleSettings()),
                    HasSubstr("clocks are set, SM clock up to"));
    }
    {
        const FakeAnswer reasons("QS_FAKE_NVML_REASONS", "2");
        EXPECT_EQ(exampleSettings().clocks, "application clock 1410 MHz") << "known better";
        // What holds this one may be its default: no matter of settings.
        const FakeAnswer usual("QS_FAKE_NVML_DEFAULT_CLOCK", "1410");
        EXPECT_EQ(exampleSettings().clocks, "default");
    }
}

TEST(GpuSettingsJson, ReadsBackEqual)
{
    for (const GpuSettings& settings : {exampleSettings(), GpuSettings{.uuid = "GPU-1"}}) {
        const auto back = gpuSettingsFromJson(parseJson(toJson(settings).dump(), "t").value());
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(toJson(back.value()), toJson(settings));
    }
    GpuSettings usual = exampleSettings();
    usual.clocks = "default";
    usual.powerLimitWatts = 700.0;
    EXPECT_THAT(gpuSettingsText(usual), HasSubstr("default clocks"));
    EXPECT_THAT(gpuSettingsText(usual), HasSubstr("power limit 700 W, ECC on"));
}

TEST(GpuSettingsJson, DamagedOnesAreRefusedWithThePlace)
{
    const std::pair<const char*, Json> cases[] = {{"uuid", 1},
                                                  {"uuid", nullptr},
                                                  {"driver", Json::array()},
                                                  {"clocks", 1980},
                                                  {"power_limit_w", "650"},
                                                  {"power_limit_w", -1.0},
                                                  {"ecc", "on"},
                                                  {"mig", 1},
                                                  {"max_sm_clock_mhz", 1e300},
                                                  {"surprise", true}};
    for (const auto& [member, value] : cases) {
        Json json = toJson(exampleSettings());
        json[member] = value;
        const auto settings = gpuSettingsFromJson(json);
        ASSERT_FALSE(settings.ok()) << member << " " << value.dump();
        EXPECT_THAT(settings.error().message, HasSubstr(std::string("$gpu_settings.") + member));
    }
    for (const Json& json : {Json(), Json::array(), Json("GPU-1"), Json::object()})
        EXPECT_FALSE(gpuSettingsFromJson(json).ok()) << json.dump();
}

}  // namespace
}  // namespace qs::core
