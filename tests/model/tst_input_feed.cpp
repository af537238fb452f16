#include "core/model/input_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

TEST(InputFeed, TextsMeanWhatTheySay)
{
    const auto images = std::get<ImageFeed>(
        parseInputFeed("images:range=-1..1:mean=0.5,0.25,0.125:std=2:channels=bgr:layout=nhwc")
            .value());
    EXPECT_EQ(images.black, -1.0);
    EXPECT_EQ(images.white, 1.0);
    EXPECT_EQ(images.mean, (std::array<double, 3>{0.5, 0.25, 0.125}));
    EXPECT_EQ(images.deviation, (std::array<double, 3>{2.0, 2.0, 2.0}));
    EXPECT_TRUE(images.blueFirst);
    EXPECT_TRUE(images.channelsLast);
    const auto normal = std::get<RandomFeed>(parseInputFeed("normal:mean=3:std=0.5").value());
    EXPECT_EQ(normal.distribution, Distribution::Normal);
    EXPECT_EQ(normal.mean, 3.0);
    EXPECT_EQ(normal.deviation, 0.5);
    const auto file = std::get<FileFeed>(parseInputFeed("file:a:b/c.safetensors#x.y").value());
    EXPECT_EQ(file.path, "a:b/c.safetensors");
    EXPECT_EQ(file.tensor, "x.y");
    EXPECT_EQ(std::get<FileFeed>(parseInputFeed("file:a#b.npy").value()).path, "a#b.npy");
}

TEST(InputFeed, EqualFeedsHaveEqualTexts)
{
    for (const char* text :
         {"images", "images:range=0..255", "images:mean=0.485,0.456,0.406:std=0.229,0.224,0.225",
          "images:std=0.5:channels=bgr", "images:layout=nhwc", "uniform:range=-2..2",
          "normal:mean=0:std=1", "file:x.npy", "file:x.safetensors#y"}) {
        const auto feed = parseInputFeed(text);
        ASSERT_TRUE(feed.ok()) << feed.error().message;
        EXPECT_EQ(inputFeedText(feed.value()), text);
    }
    EXPECT_EQ(inputFeedText(parseInputFeed("images:range=0..1:channels=rgb:layout=nchw").value()),
              "images");
}

class BadFeed : public ::testing::TestWithParam<const char*>
{
};

TEST_P(BadFeed, IsRefused)
{
    const auto feed = parseInputFeed(GetParam());
    ASSERT_FALSE(feed.ok());
    EXPECT_EQ(feed.error().code, ErrorCode::InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(InputFeed, BadFeed,
                         ::testing::Values("", "pictures", "images:range=1", "images:range=1..1",
                                           "images:range=1..0", "images:mean=1,2", "images:std=0",
                                           "images:std=-1", "images:mean=nan", "images:mean=1e300",
                                           "images:channels=grb", "images:layout=hwc",
                                           "images:size=3", "images:range", "uniform:mean=0",
                                           "normal:range=0..1", "normal:std=0", "file", "file:"));

TEST(ModelFeeding, ComesBackFromJson)
{
    ModelFeeding feeding;
    EXPECT_TRUE(feeding.empty());
    ASSERT_TRUE(addInputFeed(feeding, "x=images:range=0..255").ok());
    ASSERT_TRUE(addInputFeed(feeding, "ids=file:tokens.txt").ok());
    ASSERT_TRUE(setJudgedOutput(feeding, "output_1:classes").ok());
    ASSERT_TRUE(addStageCut(feeding, "encoder=net.encoder").ok());
    feeding.trained = true;
    std::vector<JsonIssue> issues;
    EXPECT_EQ(modelFeedingFromJson(toJson(feeding), "$", issues), feeding);
    EXPECT_TRUE(issues.empty());
    EXPECT_FALSE(feeding.empty());
    EXPECT_EQ(feedFileName(feeding, "ids"), "inputs/feed_0.npy");
    EXPECT_FALSE(addInputFeed(feeding, "=images").ok());
    EXPECT_FALSE(addInputFeed(feeding, "images").ok());
    EXPECT_FALSE(setJudgedOutput(feeding, "y:picture").ok());
    for (const char* text : {"encoder", "=net", "encoder=", "a/b=net"})
        EXPECT_FALSE(addStageCut(feeding, text).ok()) << text;
}

TEST(ModelFeeding, ComplaintsNameThePlace)
{
    std::vector<JsonIssue> issues;
    const Json json{
        {"inputs", {{"x", "images:range=2"}, {"y", 3}}}, {"weights", "maybe"}, {"more", 1}};
    static_cast<void>(modelFeedingFromJson(json, "$.model_io", issues));
    const std::string text = formatIssues(issues);
    for (const char* place :
         {"$.model_io.inputs.x", "$.model_io.inputs.y", "$.model_io.weights", "$.model_io.more"})
        EXPECT_THAT(text, HasSubstr(place));
}

}  // namespace
}  // namespace qs::core
