#include "core/quant/layer_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace qs::core {
namespace {

bool meets(const std::string& text, const std::string& module)
{
    const auto patterns = parseLayerPatterns(text);
    EXPECT_TRUE(patterns.ok()) << text;
    return patterns.ok() &&
           std::any_of(patterns.value().begin(), patterns.value().end(),
                       [&](const LayerPattern& each) { return each.meets(module); });
}

TEST(LayerPatterns, MeetALayerAndAllBelow)
{
    EXPECT_TRUE(meets("blocks.3.ffn.fc1", "blocks.3.ffn.fc1"));
    EXPECT_TRUE(meets("blocks.3", "blocks.3.ffn.fc1"));
    EXPECT_FALSE(meets("blocks.3", "blocks.30.ffn.fc1"));
    EXPECT_FALSE(meets("blocks.3.ffn.fc1.x", "blocks.3.ffn.fc1"));
    EXPECT_TRUE(meets("blocks.*.ffn", "blocks.12.ffn.fc1"));
    EXPECT_FALSE(meets("blocks.*.ffn", "blocks.12.attn.fc1"));
}

TEST(LayerPatterns, NameTheModuleThatALayerLiesIn)
{
    const LayerPattern pattern = LayerPattern::parse("blocks.{0-3}.ffn").value();
    EXPECT_EQ(pattern.moduleMet("blocks.3.ffn.fc1"), "blocks.3.ffn");
    EXPECT_EQ(pattern.moduleMet("blocks.3.ffn"), "blocks.3.ffn");
    EXPECT_EQ(pattern.moduleMet("blocks.3"), "");
    EXPECT_EQ(pattern.moduleMet("blocks.4.ffn.fc1"), "");
    EXPECT_EQ(pattern.text(), "blocks.{0-3}.ffn");
}

TEST(LayerPatterns, BracesHoldNumbersRangesAndWords)
{
    for (const int number : {0, 1, 3, 7})
        EXPECT_TRUE(meets("b.{0-3,7}.fc1", "b." + std::to_string(number) + ".fc1")) << number;
    for (const char* module : {"b.4.fc1", "b.8.fc1", "b.77.fc1", "b.01.fc1", "b.x.fc1", "b..fc1"})
        EXPECT_FALSE(meets("b.{0-3,7}.fc1", module)) << module;
    EXPECT_TRUE(meets("layer{1,2}.{conv1,conv2}", "layer2.conv1"));
    EXPECT_FALSE(meets("layer{1,2}.{conv1,conv2}", "layer3.conv1"));
    EXPECT_TRUE(meets("a{1-2}b,c", "a2b"));
    EXPECT_TRUE(meets("a{1-2}b,c", "c"));
    EXPECT_FALSE(meets("a{1-2}b,c", "ab"));
}

TEST(LayerPatterns, ATextIsMadeOfLayersAndMeetsThoseAlone)
{
    const std::vector<std::string> modules{"b.0.fc1", "b.1.fc1", "b.2.fc1",       "b.7.fc1",
                                           "b.0.fc2", "head",    "layer1.0.conv1"};
    const std::string text = layerPatternsText(modules);
    EXPECT_EQ(text, "head,b.{0-2,7}.fc1,b.0.fc2,layer1.0.conv1");
    for (const std::string& module : modules)
        EXPECT_TRUE(meets(text, module)) << module;
    for (const char* module : {"b.3.fc1", "b.1.fc2", "layer1.1.conv1", "b.7.fc2"})
        EXPECT_FALSE(meets(text, module)) << module;
    EXPECT_EQ(layerPatternsText({"b.4.x", "b.4.x"}), "b.4.x");
    EXPECT_EQ(layerPatternsText({"b.4.x", "b.6.x"}), "b.{4,6}.x");
    EXPECT_EQ(layerPatternsText({}), "");
}

}  // namespace
}  // namespace qs::core
