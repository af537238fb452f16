#include "core/model/text/tokenizer.h"

#include "core/base/json.h"
#include "tests/support/test_folder.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Made by tokenizers 0.22.1, see tests/golden/tokenizers/generate.py.
class GoldenTokenizer : public ::testing::TestWithParam<const char*>
{
protected:
    static std::filesystem::path file(const char* ending)
    {
        return tests::dataFile(std::string("golden/tokenizers/") + GetParam() + ending);
    }
};

TEST_P(GoldenTokenizer, GivesTheSameIds)
{
    const auto tokenizer = Tokenizer::read(file(".tokenizer.json"));
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message;
    const Json cases = Json::parse(tests::readFile(file(".cases.json")));
    ASSERT_GE(cases.size(), 200U);
    std::size_t refused = 0;
    for (const Json& each : cases) {
        const auto ids = tokenizer.value().encode(each["text"].get<std::string>());
        if (!ids.ok()) {  // not surely composed: never said of what Python calls composed ASCII
            EXPECT_TRUE(each.contains("composed")) << each.dump();
            ++refused;
            continue;
        }
        EXPECT_EQ(ids.value(), each["ids"].get<std::vector<std::int64_t>>()) << each.dump();
    }
    EXPECT_LE(refused, cases.size() / 3);
}

INSTANTIATE_TEST_SUITE_P(Tokenizer, GoldenTokenizer,
                         ::testing::Values("gpt2", "roberta", "llama3", "qwen", "gpt4o", "digits"),
                         [](const auto& info) { return std::string(info.param); });

Json small()
{
    return Json::parse(R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "Ġ": 3,
        "Ġab": 4}, "merges": ["a b", "Ġ ab"]}, "added_tokens": [{"id": 9, "content": "<x>"}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "decoder": {"type": "ByteLevel"}})");
}

TEST(Tokenizer, MergesInTheOrderOfTheFileAndDecodes)
{
    const auto tokenizer = Tokenizer::parse(small().dump(), "t").value();
    const auto ids = tokenizer.encode("ab ab<x>ba").value();
    EXPECT_THAT(ids, ElementsAre(2, 4, 9, 1, 0));
    EXPECT_EQ(tokenizer.decode(ids), "ab ab<x>ba");
    EXPECT_EQ(tokenizer.bytesOf(4), " ab");
    EXPECT_EQ(tokenizer.bytesOf(77), "");
    EXPECT_EQ(tokenizer.highestId(), 9);
    EXPECT_EQ(tokenizer.encode("\xff").error().code, ErrorCode::Format);
}

struct Change {
    const char* pointer;
    const char* value;
    ErrorCode code;
};

class ForeignTokenizer : public ::testing::TestWithParam<Change>
{
};

TEST_P(ForeignTokenizer, IsRefused)
{
    Json json = small();
    json[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
    const auto tokenizer = Tokenizer::parse(json.dump(), "t");
    ASSERT_FALSE(tokenizer.ok());
    EXPECT_EQ(tokenizer.error().code, GetParam().code) << tokenizer.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Tokenizer, ForeignTokenizer,
    ::testing::Values(Change{"/model/type", R"("Unigram")", ErrorCode::Unsupported},
                      Change{"/model/byte_fallback", "true", ErrorCode::Unsupported},
                      Change{"/model/dropout", "0.1", ErrorCode::Unsupported},
                      Change{"/model/end_of_word_suffix", R"("</w>")", ErrorCode::Unsupported},
                      Change{"/model/vocab/a", "-1", ErrorCode::Format},
                      Change{"/model/vocab/a", "99999999", ErrorCode::Format},
                      Change{"/model/merges/0", R"("a c")", ErrorCode::Format},
                      Change{"/model/merges/0", R"(["a"])", ErrorCode::Format},
                      Change{"/added_tokens/0/id", "null", ErrorCode::Format},
                      Change{"/normalizer", R"({"type": "Lowercase"})", ErrorCode::Unsupported},
                      Change{"/pre_tokenizer", R"({"type": "Whitespace"})", ErrorCode::Unsupported},
                      Change{"/pre_tokenizer", R"({"type": "Split", "pattern": {"Regex": "(?<=a)b"},
            "behavior": "Isolated"})",
                             ErrorCode::Unsupported},
                      Change{"/pre_tokenizer", R"({"type": "Split", "pattern": {"Regex": "a"},
            "behavior": "MergedWithNext"})",
                             ErrorCode::Unsupported},
                      Change{"/post_processor", R"({"type": "TemplateProcessing", "single": []})",
                             ErrorCode::Format},
                      Change{"/decoder", R"({"type": "Metaspace"})", ErrorCode::Unsupported}));

TEST(SplitPatterns, TakeNoLongerThanTheirBudget)
{
    Json json = small();
    json["pre_tokenizer"] = {
        {"type", "Split"}, {"pattern", {{"Regex", "(?:a|a|aa)*c"}}}, {"behavior", "Isolated"}};
    const auto tokenizer = Tokenizer::parse(json.dump(), "t").value();
    EXPECT_EQ(tokenizer.encode(std::string(5000, 'a')).error().code, ErrorCode::Unsupported);
    for (const char* pattern : {"(", ")", "a{3", "a{999}", "[a", "\\", "\\p{Q}", "*",
                                "(((((a{200}){200}){200})))", "[[a]]", "(?P<n>a)", "^a"}) {
        json["pre_tokenizer"]["pattern"]["Regex"] = pattern;
        EXPECT_FALSE(Tokenizer::parse(json.dump(), "t").ok()) << pattern;
    }
}

}  // namespace
}  // namespace qs::core
