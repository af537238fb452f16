#include "core/base/json.h"
#include "core/base/parsed_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace qs::core {
namespace {

using ::testing::ElementsAre;

const char* const kDocument =
    R"({"big":18446744073709551615,"empty":[],"flag":true,"least":-9223372036854775808,)"
    R"("list":[1,-2,0.5,"x",null,[2],{"a":1}],"none":null,"number":2.5,"object":{"b":[],"c":{}},)"
    R"("text":"gr\u00f6\u00dfe","whole":7})";

// Whatever a view is of, it shows the same.
void expectEqual(const JsonView& one, const JsonView& other)
{
    SCOPED_TRACE(jsonText(other.json()));
    EXPECT_STREQ(one.typeName(), other.typeName());
    EXPECT_EQ(one.isNull(), other.isNull());
    EXPECT_EQ(one.isList(), other.isList());
    EXPECT_EQ(one.isObject(), other.isObject());
    EXPECT_EQ(one.flag(), other.flag());
    EXPECT_EQ(one.text(), other.text());
    EXPECT_EQ(one.number(), other.number());
    EXPECT_EQ(one.wholeNumber(), other.wholeNumber());
    EXPECT_EQ(one.size(), other.size());
    EXPECT_EQ(one.json(), other.json());
    std::vector<JsonView> items;
    other.forEachItem([&](const JsonView& item) { items.push_back(item); });
    std::size_t place = 0;
    one.forEachItem([&](const JsonView& item) {
        ASSERT_LT(place, items.size());
        expectEqual(item, items[place++]);
    });
    EXPECT_EQ(place, items.size());
    std::size_t members = 0;
    one.forEachMember([&](std::string_view name, const JsonView& value) {
        ++members;
        ASSERT_TRUE(other.member(name));
        expectEqual(value, *other.member(name));
    });
    EXPECT_EQ(members, one.isObject() ? one.size() : 0);
}

TEST(JsonView, OfATextShowsWhatOneOfAJsonShows)
{
    const Json json = Json::parse(kDocument);
    const ParsedJson parsed = ParsedJson::parse(kDocument, "t").value();
    expectEqual(parsed.root(), json);
    expectEqual(json, parsed.root());
    EXPECT_EQ(parsed.root().inMemory(), nullptr);
    EXPECT_EQ(JsonView(json).inMemory(), &json);
}

TEST(JsonView, TellsItsValueOnlyAsWhatItIs)
{
    const ParsedJson parsed = ParsedJson::parse(kDocument, "t").value();
    const auto at = [&](const char* name) { return parsed.root().member(name).value(); };
    EXPECT_EQ(at("whole").wholeNumber(), 7);
    EXPECT_EQ(at("whole").number(), 7.0);
    EXPECT_EQ(at("least").wholeNumber(), INT64_MIN);
    EXPECT_FALSE(at("big").wholeNumber()) << "63 bits do not hold it";
    EXPECT_EQ(at("big").number(), 18446744073709551616.0);
    EXPECT_FALSE(at("number").wholeNumber());
    EXPECT_FALSE(at("text").number());
    EXPECT_EQ(at("text").text(), "größe");
    EXPECT_FALSE(at("flag").number());
    EXPECT_EQ(at("flag").flag(), true);
    EXPECT_FALSE(at("none").flag());
    EXPECT_FALSE(at("list").member("a")) << "a list has no members";
    EXPECT_FALSE(parsed.root().member("absent"));
}

TEST(ParsedJson, SeveralLiveAtOnceAndMoveWithTheirViews)
{
    ParsedJson first = ParsedJson::parse("[1]", "t").value();
    const JsonView view = first.root();
    const ParsedJson moved = std::move(first);
    const ParsedJson second = ParsedJson::parse("[2,3]", "t").value();
    EXPECT_EQ(view.json(), Json({1}));
    EXPECT_EQ(second.root().json(), Json({2, 3}));
}

// What one has used the next one gets: nothing of before may be left in it.
TEST(ParsedJson, OneAfterAnotherIsReadAfresh)
{
    for (int i = 0; i < 100; ++i) {
        const std::string text = "[\"" + std::string(static_cast<std::size_t>(i * i), 'x') + "\"," +
                                 std::to_string(i) + "]";
        EXPECT_EQ(ParsedJson::parse(text, "t").value().root().json(), Json::parse(text));
        EXPECT_FALSE(ParsedJson::parse(text + "]", "t").ok());
    }
}

TEST(ParsedJson, MayEndOnAnotherThread)
{
    ParsedJson parsed = ParsedJson::parse("{\"a\":1}", "t").value();
    std::thread([parsed = std::move(parsed)] {
        EXPECT_EQ(parsed.root().member("a")->wholeNumber(), 1);
    }).join();
    EXPECT_TRUE(ParsedJson::parse("{}", "t").value().root().isObject());
}

TEST(ParsedJson, HoldsTheLimitsOfAJson)
{
    const auto refused = [](const std::string& text, const JsonLimits& limits = {}) {
        return !ParsedJson::parse(text, "t", limits).ok();
    };
    EXPECT_TRUE(refused(R"({"b":1,"a":2,"b":3})")) << "a key of an object out of order twice";
    EXPECT_TRUE(refused(R"({"":1,"":2})"));
    EXPECT_FALSE(refused(R"({"b":1,"a":2,"":3})"));
    EXPECT_FALSE(refused(R"({"a":{"a":1},"b":{"a":1}})")) << "in objects of their own";
    EXPECT_TRUE(refused("[[1]]", {.depth = 1}));
    EXPECT_TRUE(refused("[1,2]", {.nodes = 2}));
    EXPECT_TRUE(refused("123456789012345678901234567890"));
    EXPECT_TRUE(refused("[1e999]"));
}

TEST(JsonFields, ReadATextAndAJsonAlike)
{
    const std::string text = R"({"list":["a",2],"name":7,"odd":1,"rows":[{"n":1},{"n":"x"},3]})";
    const ParsedJson parsed = ParsedJson::parse(text, "t").value();
    const Json json = parsed.root().json();
    const auto complaints = [](const JsonView& view) {
        std::vector<JsonIssue> issues;
        JsonFields fields(view, "$", issues);
        EXPECT_EQ(fields.text("name", "fallback"), "fallback");
        EXPECT_THAT(fields.textList("list"), ElementsAre("a"));
        EXPECT_FALSE(fields.has("absent"));
        EXPECT_EQ(fields.requiredMember("needed"), nullptr);
        std::size_t place = 0;
        fields.member("rows")->forEachItem([&](const JsonView& row) {
            JsonFields members(row, fields, "rows", place++, issues);
            static_cast<void>(members.integer("n", 0, 0, 9));
            members.finish();
        });
        fields.finish();
        return formatIssues(issues);
    };
    EXPECT_EQ(complaints(parsed.root()), complaints(json));
    EXPECT_EQ(complaints(json), "$.name: expected a string, found number\n"
                                "$.list[1]: expected a string, found number\n"
                                "$.needed: is missing\n"
                                "$.rows[1].n: expected an integer from 0 to 9, found \"x\"\n"
                                "$.rows[2]: expected an object, found number\n"
                                "$.odd: is not a known member");
}

}  // namespace
}  // namespace qs::core
