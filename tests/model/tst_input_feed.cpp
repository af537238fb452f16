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

TEST(InputFeed, OptionsOfTextsStandInAnyOrder)
{
    const InputFeed padded = parseInputFeed("text:a.txt:tokenizer=t.json:pad=7").value();
    EXPECT_EQ(parseInputFeed("text:a.txt:pad=7:tokenizer=t.json").value(), padded);
    const InputFeed own = parseInputFeed("text:a.txt:tokenizer=t.json:length=own").value();
    EXPECT_EQ(parseInputFeed("text:a.txt:length=own:tokenizer=t.json").value(), own);
    const InputFeed cut = parseInputFeed("text:a.txt:tokenizer=bytes:cut=pieces").value();
    EXPECT_EQ(parseInputFeed("text:a.txt:cut=pieces:tokenizer=bytes").value(), cut);
    // A colon of a path is a part of it, and so is a "=" in its first part.
    const auto odd =
        std::get<TextFeed>(parseInputFeed("text:a=b:c/d.txt:pad=0:tokenizer=e:f-g=1").value());
    EXPECT_EQ(odd.path, "a=b:c/d.txt");
    EXPECT_EQ(odd.pad, 0);
    EXPECT_EQ(odd.tokenizer, "e:f-g=1");
}

TEST(InputFeed, OptionsThatTextsDoNotHaveAreNamed)
{
    const auto problem = [](const std::string& options) {
        return parseInputFeed("text:a.txt" + options).error().message;
    };
    for (const char* order : {":length=own:pad=0:tokenizer=t", ":tokenizer=t:length=own:pad=0",
                              ":pad=0:tokenizer=t:length=own"})
        EXPECT_THAT(problem(order), HasSubstr("leave pad out")) << order;
    EXPECT_THAT(problem(":tokenizer=t:lenght=own"), HasSubstr("\"lenght=own\""));
    EXPECT_THAT(problem(":lenght=own:tokenizer=t"), HasSubstr("\"lenght=own\""));
    EXPECT_THAT(problem(":tokenizer=t:length=long"), HasSubstr("\"length=long\""));
    EXPECT_THAT(problem(":cut=pieces:pad:tokenizer=t"), HasSubstr("\"cut=pieces:pad\""));
    EXPECT_THAT(problem(":tokenizer=t:=own"), HasSubstr("\"=own\""));
    EXPECT_THAT(problem(":tokenizer=t:tokenizer=u"), HasSubstr("\"tokenizer\" stands twice"));
    EXPECT_THAT(problem(":pad=1:tokenizer=t:pad=1"), HasSubstr("\"pad\" stands twice"));
    EXPECT_THAT(problem(":tokenizer=t:cut=pieces:length=own"), HasSubstr("length=own"));
    for (const char* none : {":tokenizer=t:pad=", ":tokenizer=t:pad=1:", ":tokenizer=t:pad=1::"})
        EXPECT_THAT(problem(none), HasSubstr("pad=ID")) << none;
    EXPECT_THAT(problem(":tokenizer=:pad=1"), HasSubstr("tokenizer=PATH"));
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
