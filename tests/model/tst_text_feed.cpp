#include "core/model/text_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tokenizer letters()
{
    return Tokenizer::parse(
               R"({"model": {"vocab": {"a": 0, "b": 1, "Ċ": 2, "\\": 3}, "merges": []}})", "t")
        .value();
}

std::vector<std::int64_t> idsOf(const HostTensor& tensor)
{
    return std::get<std::vector<std::int64_t>>(tensor.values);
}

TEST(TextFeed, EachLineIsAPrompt)
{
    const HostTensor prompts = promptIds("ab\r\n\na\\nb\\\\\n", letters()).value();
    EXPECT_THAT(prompts.shape, ElementsAre(2, 4));
    EXPECT_THAT(idsOf(prompts), ElementsAre(0, 1, kNoToken, kNoToken, 0, 2, 1, 3));
    EXPECT_FALSE(promptIds("\n\n", letters()).ok());
}

TEST(TextFeed, PromptsAreFittedOrRefused)
{
    const HostTensor prompts = promptIds("ab\nabba", letters()).value();
    EXPECT_THAT(idsOf(fittedPrompts(prompts, 2, {}, 3).value()), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(idsOf(fittedPrompts(prompts, 3, 2, 3).value()), ElementsAre(2, 0, 1, 0, 1, 1));
    EXPECT_THAT(fittedPrompts(prompts, 3, {}, 3).error().message, HasSubstr("prompt 1"));
    EXPECT_FALSE(fittedPrompts(prompts, 2, {}, 0).ok());
    EXPECT_FALSE(fittedPrompts(prompts, 2, 9, 3).ok());
    EXPECT_FALSE(fittedPrompts(prompts, 0, {}, 3).ok());
}

TEST(TextFeed, IsAFeedOfTwoFiles)
{
    for (const char* text :
         {"text:a.txt:tokenizer=t.json", "text:a:b.txt:tokenizer=c:d.json:pad=7"}) {
        const auto feed = parseInputFeed(text);
        ASSERT_TRUE(feed.ok());
        EXPECT_EQ(inputFeedText(feed.value()), text);
        EXPECT_EQ(feedPaths(feed.value()).size(), 2U);
    }
    for (const char* text : {"text", "text:a.txt", "text:a.txt:tokenizer=",
                             "text:a.txt:tokenizer=t:pad=-1", "text:a.txt:tokenizer=t:pad=x"})
        EXPECT_FALSE(parseInputFeed(text).ok()) << text;
}

}  // namespace
}  // namespace qs::core
