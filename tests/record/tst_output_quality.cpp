#include "core/record/output_quality.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <utility>

namespace qs::core {
namespace {

using testing::HasSubstr;

OutputQuality fullQuality()
{
    OutputQuality quality;
    quality.cellId = "c1";
    quality.environmentId = "e1";
    quality.referenceId = "c0";
    quality.sample = 5;
    quality.set("psnr", 41.5);
    quality.set("ssim", 0.987);
    quality.worstTile = WorstTile{.x = 64, .y = 128, .ssim = 0.5};
    return quality;
}

TEST(OutputQuality, KeepsFiniteFiguresAlone)
{
    OutputQuality quality;
    quality.set("psnr", std::numeric_limits<double>::infinity());
    quality.set("flip", std::numeric_limits<double>::quiet_NaN());
    quality.set("ms_ssim", std::nullopt);
    EXPECT_TRUE(quality.figures.empty());
    quality.set("ssim", 0.5);
    quality.set("ssim", 0.75);
    EXPECT_EQ(quality.find("ssim"), 0.75) << "the last one counts";
    EXPECT_EQ(quality.figures.size(), 1U);
    quality.set("ssim", std::nullopt);
    EXPECT_EQ(quality.find("ssim"), std::nullopt);
}

TEST(OutputQualityJson, ReadsBackEqual)
{
    for (const bool identical : {false, true}) {
        OutputQuality quality = fullQuality();
        quality.identical = identical;
        if (identical)
            quality.worstTile.reset();
        const auto back = outputQualityFromJson(parseJson(toJson(quality).dump(), "q").value());
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(back.value(), quality);
    }
}

// A program that knows a metric more than this one may have written it.
TEST(OutputQualityJson, KeepsFiguresOfMetricsThatItDoesNotKnow)
{
    OutputQuality quality = fullQuality();
    quality.set("no such metric", 3.0);
    const auto back = outputQualityFromJson(toJson(quality));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().find("no such metric"), 3.0);
}

TEST(OutputQualityJson, RefusesWhatIsWrong)
{
    Json many = Json::object();
    for (int i = 0; i < 1000; ++i)
        many[std::to_string(i)] = i;
    for (const auto& [member, value] : {
             std::pair{"figures", Json()},
             std::pair{"figures", Json::array({1.0})},
             std::pair{"figures", Json{{"ssim", "high"}}},
             std::pair{"figures", Json{{"ssim", std::numeric_limits<double>::infinity()}}},
             std::pair{"figures", Json{{"ssim", Json()}}},
             std::pair{"figures", Json{{std::string(10'000, 'x'), 1.0}}},
             std::pair{"figures", many},
             std::pair{"sample", Json(-1)},
             std::pair{"identical", Json("yes")},
             std::pair{"environment", Json(3)},
             std::pair{"worst_tile", Json{{"x", -1}, {"y", 0}, {"ssim", 1.0}}},
             std::pair{"worst_tile", Json(0)},
             std::pair{"other", Json(0)},
         }) {
        Json json = toJson(fullQuality());
        json[member] = value;
        const auto quality = outputQualityFromJson(json);
        ASSERT_FALSE(quality.ok()) << member << " " << value.dump().substr(0, 80);
        EXPECT_THAT(quality.error().message, HasSubstr(member));
        EXPECT_LT(quality.error().message.size(), 1000U);
    }
    for (const char* member :
         {"cell", "environment", "reference", "sample", "identical", "figures"}) {
        Json json = toJson(fullQuality());
        json.erase(member);
        EXPECT_FALSE(outputQualityFromJson(json).ok()) << member;
    }
    EXPECT_FALSE(outputQualityFromJson(Json::array()).ok());
}

}  // namespace
}  // namespace qs::core
