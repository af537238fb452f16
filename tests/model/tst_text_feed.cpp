#include "core/model/text_feed.h"

#include "core/model/text/alpaca.h"
#include "core/model/text/byte_tokenizer.h"
#include "tests/support/test_folder.h"

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

TEST(TextFeed, PromptsOfTheirOwnLengthsAreReadOverAndOver)
{
    const HostTensor prompts = promptIds("ab\nabba", letters()).value();
    EXPECT_THAT(promptLengths(prompts).value(), ElementsAre(2, 4));
    EXPECT_TRUE(checkPromptLengths({2, 4}, 4).ok());
    EXPECT_THAT(checkPromptLengths({2, 4}, 3).error().message, HasSubstr("prompt 2"));
    EXPECT_FALSE(checkPromptLengths({0}, 3).ok());
    EXPECT_THAT(idsOf(repeatedPrompts(prompts, 5, 3).value()),
                ElementsAre(0, 1, 0, 1, 0, 0, 1, 1, 0, 0));
    EXPECT_THAT(idsOf(repeatedPrompts(prompts, 1, 3).value()), ElementsAre(0, 0));
    EXPECT_FALSE(repeatedPrompts(prompts, 5, 0).ok()) << "b is no token";
    const auto feed = parseInputFeed("text:a.txt:tokenizer=bytes:length=own");
    ASSERT_TRUE(feed.ok());
    EXPECT_TRUE(std::get<TextFeed>(feed.value()).ownLengths);
    EXPECT_EQ(inputFeedText(feed.value()), "text:a.txt:tokenizer=bytes:length=own");
    EXPECT_FALSE(parseInputFeed("text:a.txt:tokenizer=t:pad=1:length=own").ok());
}

// What is cut off is read by nobody.
TEST(TextFeed, TokensThatTheModelDoesNotHaveAreToldByPlace)
{
    const HostTensor prompts{{2, 3}, std::vector<std::int64_t>{0, 1, 2, 0, 300, kNoToken}};
    const auto fitted = fittedPrompts(prompts, 2, {}, 255);
    ASSERT_FALSE(fitted.ok());
    for (const char* part : {"prompt 2", "token 2", "300", "255"})
        EXPECT_THAT(fitted.error().message, HasSubstr(part));
    EXPECT_TRUE(fittedPrompts(prompts, 1, {}, 255).ok());
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
    const auto bytes = parseInputFeed("text:a.txt:tokenizer=bytes:cut=pieces");
    ASSERT_TRUE(bytes.ok());
    EXPECT_EQ(inputFeedText(bytes.value()), "text:a.txt:tokenizer=bytes:cut=pieces");
    EXPECT_THAT(feedPaths(bytes.value()), ElementsAre("a.txt"));
    for (const char* text :
         {"text:a.txt:tokenizer=t:pad=1:cut=pieces", "text", "text:a.txt",
          "text:a.txt:tokenizer=", "text:a.txt:tokenizer=t:pad=-1", "text:a.txt:tokenizer=t:pad=x"})
        EXPECT_FALSE(parseInputFeed(text).ok()) << text;
}

TEST(TextFeed, TokensOfBytesAreTheBytes)
{
    const Tokenizer tokenizer = Tokenizer::parse(byteTokenizer(), "bytes").value();
    EXPECT_EQ(tokenizer.highestId(), 255);
    const std::string text = " a\n~\u00e9\u20ac";
    const std::vector<std::int64_t> ids = tokenizer.encode(text).value();
    ASSERT_EQ(ids.size(), text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        EXPECT_EQ(ids[i], static_cast<unsigned char>(text[i]));
    EXPECT_EQ(tokenizer.decode(ids), text);
    EXPECT_EQ(tokenizer.encode("\x7F").value(), std::vector<std::int64_t>{0x7F});
    EXPECT_EQ(tokenizer.decode({0x7F}), "\uFFFD");  // as all texts that are shown
}

TEST(TextFeed, InstructionsStandInTheirFrame)
{
    const auto texts = alpacaTexts("{\"instruction\": \"Add.\", \"input\": \"1 2\", \"output\": "
                                   "\"3\"}\n\n{\"instruction\": \"Hi\", \"output\": \"Yo\"}\r\n");
    ASSERT_TRUE(texts.ok()) << texts.error().message;
    ASSERT_EQ(texts.value().size(), 2U);
    EXPECT_THAT(texts.value()[0].text,
                HasSubstr("### Instruction:\nAdd.\n\n### Input:\n1 2\n\n### Response:\n3"));
    EXPECT_EQ(texts.value()[1].line, 3);
    EXPECT_THAT(texts.value()[1].text, ::testing::Not(HasSubstr("### Input")));
}

TEST(TextFeed, DamagedInstructionsAreRefusedByLine)
{
    const std::string good = "{\"instruction\": \"a\", \"output\": \"b\"}\n";
    for (const char* line :
         {"{\"instruction\": \"a\"", "[1]", "{\"instruction\": \"a\"}",
          "{\"instruction\": 3, \"output\": \"b\"}",
          "{\"instruction\": \"a\", \"output\": [\"b\"]}",
          "{\"instruction\": \"a\", \"instruction\": \"a\", \"output\": \"b\"}"}) {
        const auto texts = alpacaTexts(good + line);
        ASSERT_FALSE(texts.ok()) << line;
        EXPECT_THAT(texts.error().message, HasSubstr("line 2"));
    }
}

TEST(TextFeed, FilesGiveSamplesOfTheLengthOfTheModel)
{
    const tests::TestFolder folder;
    const std::string text = (folder / "book.txt").string();
    tests::writeFile(text, "abc\ndefg");
    const HostTensor row = readPrompts({text, "bytes", {}, true}).value();
    EXPECT_THAT(row.shape, ElementsAre(1, 8));
    const HostTensor pieces = cutPieces(row, 3, 255).value();
    EXPECT_THAT(pieces.shape, ElementsAre(2, 3));
    EXPECT_THAT(idsOf(pieces), ElementsAre('a', 'b', 'c', '\n', 'd', 'e'));
    EXPECT_FALSE(cutPieces(row, 9, 255).ok()) << "the text is too short";
    EXPECT_FALSE(cutPieces(row, 3, 102).ok()) << "g is no token";
    const std::string examples = (folder / "alpaca.jsonl").string();
    tests::writeFile(examples, "{\"instruction\": \"a\", \"output\": \"b\"}\n{}\n");
    const auto refused = readPrompts({examples, "bytes"});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr(examples));
    EXPECT_THAT(refused.error().message, HasSubstr("line 2"));
    tests::writeFile(text, "\xFF\xFE");
    EXPECT_FALSE(readPrompts({text, "bytes"}).ok()) << "no UTF-8";
    tests::writeFile(text, "");
    EXPECT_FALSE(readPrompts({text, "bytes", {}, true}).ok());
}

}  // namespace
}  // namespace qs::core
