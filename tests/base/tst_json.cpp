#include "core/base/json.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view text, const JsonLimits& limits = {})
{
    const auto result = parseJson(text, "preset.json", limits);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(Json, ReadsADocument)
{
    const Json json = parseJson(R"({"a": [1, 2.5, "x", null, true], "b": {}})", "t").value();
    EXPECT_EQ(json["a"].size(), 5U);
    EXPECT_EQ(canonicalText(json), R"({"a":[1,2.5,"x",null,true],"b":{}})");
}

TEST(Json, CanonicalTextDoesNotDependOnTheOrderOfKeys)
{
    EXPECT_EQ(canonicalText(parseJson(R"({"b":1,"a":2})", "t").value()),
              canonicalText(parseJson(R"({"a":2, "b":1})", "t").value()));
}

TEST(Json, RefusesWhatIsNotJson)
{
    EXPECT_THAT(refusal(""), HasSubstr("preset.json"));
    EXPECT_THAT(refusal("{\"a\":1} tail"), HasSubstr("not a valid JSON"));
    EXPECT_THAT(refusal(std::string_view("{\"a\":1}\0 tail", 13)), HasSubstr("NUL byte"));
    EXPECT_THAT(refusal("{\"a\":NaN}"), HasSubstr("not a valid JSON"));
    EXPECT_THAT(refusal("{\"a\":1e999}"), HasSubstr("not a valid JSON"));
    EXPECT_THAT(refusal("\"\xff\""), HasSubstr("not a valid JSON"));
    EXPECT_THAT(refusal("{\"a\":1,\"a\":2}"), HasSubstr("\"a\" appears twice"));
}

// Where ours and another parser disagree it is about what ours must refuse.
void compareWithAnother(const std::string& text)
{
    const auto ours = parseJson(text, "t", {.depth = 64, .nodes = 1'000'000});
    const Json other = Json::parse(text, nullptr, false);
    if (ours.ok())
        EXPECT_TRUE(ours.value() == other && ours.value().dump() == other.dump()) << text;
    else
        EXPECT_TRUE(other.is_discarded() ||
                    ours.error().message.find("twice") != std::string::npos ||
                    text.find('\0') != std::string::npos)
            << text << ours.error().message;
}

TEST(Json, AgreesWithAnotherParser)
{
    for (const char* text : {"",
                             " ",
                             "nul",
                             "null",
                             "true1",
                             "01",
                             "-",
                             "-0",
                             "-0.0",
                             "1.",
                             ".5",
                             "1e",
                             "1e+",
                             "1E-5",
                             "0e0",
                             "+1",
                             "1e400",
                             "1e-400",
                             "-1e-400",
                             "4.9e-324",
                             "2.4703282292062327e-324",
                             "1.7976931348623159e308",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "18446744073709551615",
                             "0.1",
                             "1.0",
                             "[1,2,]",
                             "[,]",
                             "[1 2]",
                             "[1,[2,3],4]",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1,}",
                             "{,}",
                             "{\"a\":1 \"b\":2}",
                             "{a:1}",
                             "[\"\\u0041\\n\\/\"]",
                             "\"\\ud83d\\ude00\"",
                             "\"\\ud83d\"",
                             "\"\\ude00\"",
                             "\"\\ud83d\\u0041\"",
                             "\"\\uD8\"",
                             "\"\\u00G0\"",
                             "\"\\u+041\"",
                             "\"\\x\"",
                             "\"\t\"",
                             "\"\x7f\"",
                             "\"\xc3\xa4\"",
                             "\"\xc0\xaf\"",
                             "\"\xc3\"",
                             "\"\xe0\x80\x80\"",
                             "\"\xed\xa0\x80\"",
                             "\"\xf0\x9f\x98\x80\"",
                             "\"\xf5\x80\x80\x80\"",
                             "\"\xf4\x90\x80\x80\"",
                             "\xef\xbb\xbf[1]",
                             "\xef\xbb",
                             "[1]\n\r\t ",
                             "\v1",
                             "/**/1",
                             "'a'",
                             "Infinity",
                             "[1]]",
                             "\"open",
                             "\"\\",
                             "\"\\u",
                             "[",
                             "{\"a\"",
                             "{\"a\":1"})
        compareWithAnother(text);
}

TEST(Json, AgreesWithAnotherParserOnDamagedDocuments)
{
    const std::string document =
        R"({"id":"größe \u00e4\n","list":[1,-2.5e-3,[],{},[0.1,1e10]],"x":{"y":null,"z":false},"n":[123,456]})";
    const std::string letters = "{}[],:\"\\0123456789.eE+-truefalsn \x80\xc3\xff";
    std::uint32_t state = 1;
    const auto random = [&](std::size_t below) {
        state = state * 1'664'525U + 1'013'904'223U;
        return (state >> 8U) % below;
    };
    for (int i = 0; i < 20'000; ++i) {
        std::string text = document;
        for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
            const std::size_t at = random(text.size());
            const char letter = letters[random(letters.size())];
            if (random(2) == 0)
                text[at] = letter;
            else
                text.insert(at, 1, letter);
        }
        compareWithAnother(text);
    }
}

// They would be rounded to a double without a word.
TEST(Json, RefusesWholeNumbersBeyond64Bits)
{
    for (const char* text :
         {"18446744073709551616", "-9223372036854775809", "123456789012345678901234567890"})
        EXPECT_THAT(refusal(text), HasSubstr("larger than 64 bits hold"));
    EXPECT_EQ(parseJson("18446744073709551615", "t").value(), Json(UINT64_MAX));
}

TEST(Json, HoldsItsLimits)
{
    EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("nested deeper than 32"));
    EXPECT_THAT(refusal("[1,2,3,4]", {.nodes = 4}), HasSubstr("more than 4 values"));
    EXPECT_THAT(refusal("\"abcdef\"", {.stringBytes = 5}), HasSubstr("longer than 5 bytes"));
    EXPECT_THAT(refusal("{\"abcdef\":1}", {.stringBytes = 5}), HasSubstr("longer than 5 bytes"));
    EXPECT_THAT(refusal("[1,2,3]", {.bytes = 3}), HasSubstr("larger than 3 bytes"));
    EXPECT_EQ(refusal("[[[[1]]]]", {.depth = 4}), "accepted");
}

TEST(Json, FieldsCollectEveryComplaintWithItsPath)
{
    const Json json =
        parseJson(R"({"name": 7, "rounds": 0, "ratio": "x", "on": 1, "list": ["a", 2], "odd": 1})",
                  "t")
            .value();
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$.plan", issues);
    EXPECT_EQ(fields.text("name", "fallback"), "fallback");
    EXPECT_EQ(fields.integer("rounds", 5, 1, 100), 5);
    EXPECT_EQ(fields.number("ratio", 0.5, 0, 1), 0.5);
    EXPECT_TRUE(fields.flag("on", true));
    EXPECT_EQ(fields.textList("list"), std::vector<std::string>{"a"});
    EXPECT_EQ(fields.require("model"), nullptr);
    fields.finish();
    EXPECT_EQ(formatIssues(issues),
              "$.plan.name: expected a string, found number\n$.plan.rounds: expected an integer "
              "from 1 to 100, found 0\n$.plan.ratio: expected a number from 0.0 to 1.0, found "
              "\"x\"\n$.plan.on: expected true or false, found number\n$.plan.list[1]: expected a "
              "string, found number\n$.plan.model: is missing\n$.plan.odd: is not a known member");
}

TEST(Json, FieldsOfANonObjectComplainOnce)
{
    const Json json = parseJson("[1]", "t").value();
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    EXPECT_FALSE(fields.isObject());
    EXPECT_EQ(fields.require("x"), nullptr);
    fields.finish();
    EXPECT_EQ(formatIssues(issues), "$: expected an object, found array");
}

TEST(Json, IntegersBeyond63BitsAreOutOfRange)
{
    const Json json = parseJson(R"({"seed": 18446744073709551615})", "t").value();
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    EXPECT_EQ(fields.integer("seed", 1, 0, INT64_MAX), 1);
    EXPECT_EQ(issues.size(), 1U);
}

TEST(Json, AFileOverTheLimitIsRefused)
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "a.json", "[" + std::string(100, ' ') + "]");
    EXPECT_TRUE(readJsonFile(folder / "a.json").ok());
    EXPECT_FALSE(readJsonFile(folder / "a.json", {.bytes = 50}).ok());
}

}  // namespace
}  // namespace qs::core
