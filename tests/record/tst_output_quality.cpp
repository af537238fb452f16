#include "core/record/output_quality.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

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

// Three outputs: all that can be said of one, another without a tile, and an equal one.
std::vector<OutputQuality> severalQualities()
{
    std::vector<OutputQuality> several(3, fullQuality());
    several[1].sample = 7;
    several[1].worstTile.reset();
    several[1].set("flip", 0.25);
    several[2].sample = 9;
    several[2].identical = true;
    several[2].worstTile.reset();
    several[2].figures = {};
    return several;
}

TEST(OutputQualityJson, ReadsBackEqual)
{
    std::vector<OutputQuality> several = severalQualities();
    const auto back = outputQualitiesFromJson(parseJson(toJson(several).dump(), "q").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    std::sort(several[1].figures.begin(), several[1].figures.end(),
              [](const auto& a, const auto& b) { return a.metric < b.metric; });
    EXPECT_EQ(back.value(), several);
    EXPECT_FALSE(toJson({&several[2], 1}).contains("worst_tiles"));
}

TEST(OutputQualityJson, NamesWhatIsTheSameOnce)
{
    const Json json = toJson(severalQualities());
    EXPECT_EQ(json.at("samples"), Json::array({5, 7, 9}));
    EXPECT_EQ(json.at("figures").at("flip"), Json::array({nullptr, 0.25, nullptr}));
    EXPECT_EQ(json.at("worst_tiles"), Json::array({Json::array({64, 128, 0.5}), nullptr, nullptr}));
    OutputQuality other = fullQuality();
    EXPECT_TRUE(haveSameCells(other, severalQualities()[1]));
    other.environmentId = "e2";
    EXPECT_FALSE(haveSameCells(other, severalQualities()[1]));
}

// A program that knows a metric more than this one may have written it.
TEST(OutputQualityJson, KeepsFiguresOfMetricsThatItDoesNotKnow)
{
    OutputQuality quality = fullQuality();
    quality.set("no such metric", 3.0);
    const auto back = outputQualitiesFromJson(toJson({&quality, 1}));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().front().find("no such metric"), 3.0);
}

TEST(OutputQualityJson, RefusesWhatIsWrong)
{
    const OutputQuality full = fullQuality();
    Json many = Json::object();
    for (int i = 0; i < 1000; ++i)
        many[std::to_string(i)] = Json::array({i});
    const auto figure = [](Json list) { return Json{{"ssim", std::move(list)}}; };
    for (const auto& [member, value] : {
             std::pair{"figures", Json()},
             std::pair{"figures", Json::array({1.0})},
             std::pair{"figures", figure(1.0)},
             std::pair{"figures", figure(Json::array({"high"}))},
             std::pair{"figures", figure(Json::array({std::numeric_limits<double>::infinity()}))},
             std::pair{"figures", figure(Json::array())},
             std::pair{"figures", figure(Json::array({1.0, 1.0}))},
             std::pair{"figures", Json{{std::string(10'000, 'x'), Json::array({1.0})}}},
             std::pair{"figures", many},
             std::pair{"samples", Json()},
             std::pair{"samples", Json(1)},
             std::pair{"samples", Json::array()},
             std::pair{"samples", Json::array({-1})},
             std::pair{"samples", Json::array({0.5})},
             std::pair{"samples", Json(Json::array_t(200'000, Json(1)))},
             std::pair{"identical", Json::array({"yes"})},
             std::pair{"identical", Json(true)},
             std::pair{"identical", Json::array({true, true})},
             std::pair{"environment", Json(3)},
             std::pair{"worst_tiles", Json::array({Json::array({-1, 0, 1.0})})},
             std::pair{"worst_tiles", Json::array({Json::array({0.5, 0, 1.0})})},
             std::pair{"worst_tiles", Json::array({Json::array({0, 0})})},
             std::pair{"worst_tiles", Json::array({Json::array({0, 0, 1.0, 1.0})})},
             std::pair{"worst_tiles", Json::array({0})},
             std::pair{"worst_tiles", Json(0)},
             std::pair{"other", Json(0)},
         }) {
        Json json = toJson({&full, 1});
        json[member] = value;
        const auto qualities = outputQualitiesFromJson(json);
        ASSERT_FALSE(qualities.ok()) << member << " " << value.dump().substr(0, 80);
        EXPECT_THAT(qualities.error().message, HasSubstr(member));
        EXPECT_LT(qualities.error().message.size(), 1000U);
    }
    for (const char* member :
         {"cell", "environment", "reference", "samples", "identical", "figures"}) {
        Json json = toJson({&full, 1});
        json.erase(member);
        EXPECT_FALSE(outputQualitiesFromJson(json).ok()) << member;
    }
    EXPECT_FALSE(outputQualitiesFromJson(Json::array()).ok());
}

}  // namespace
}  // namespace qs::core
