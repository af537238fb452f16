#include "core/base/excerpt.h"

#include "core/base/json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

TEST(Excerpt, KeepsWhatIsShortAndWholeLetters)
{
    EXPECT_EQ(excerpt("short"), "short");
    EXPECT_EQ(excerpt("abcdef", 6), "abcdef");
    EXPECT_EQ(excerpt("abcdef", 3), "abc…");
    EXPECT_EQ(excerpt("aäö", 2), "a…") << "the second letter has two bytes";
    EXPECT_EQ(excerpt("", 0), "");
}

TEST(Excerpt, ShortensWhatIsQuotedAlone)
{
    const std::string advice(500, 'a');
    const std::string sentence =
        "found \"" + std::string(100'000, 'x') + "\"; " + advice + " \"y\"";
    const std::string text = withShortQuotes(sentence);
    EXPECT_LT(text.size(), 800U);
    EXPECT_THAT(text, HasSubstr("…\"; " + advice + " \"y\""));
    EXPECT_EQ(withShortQuotes("nothing \"quoted\" here"), "nothing \"quoted\" here");
    EXPECT_EQ(withShortQuotes("open \"end"), "open \"end");
}

// What a file holds by the kilobyte is not repeated to whoever opens it.
TEST(Excerpt, OfJsonThatIsRefused)
{
    const std::string digits(100'000, '1');
    const std::string letters(60'000, 'k');
    std::string list = "[1";
    for (int i = 0; i < 20'000; ++i)
        list += ",1";
    for (const std::string& text :
         {digits + "x", "{\"" + letters + "\":1,\"" + letters + "\":2}", "\"" + letters}) {
        const auto refused = parseJson(text, "file");
        ASSERT_FALSE(refused.ok());
        EXPECT_LT(refused.error().message.size(), 600U) << refused.error().message.substr(0, 100);
    }
    const Json json = parseJson("{\"" + letters + "\":1,\"n\":\"" + letters + "\",\"l\":" + list +
                                    "],\"d\":" + digits.substr(0, 300) + ".0}",
                                "file")
                          .value();
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    static_cast<void>(fields.integer("n", 0, 0, 9));
    static_cast<void>(fields.integer("l", 0, 0, 9));
    static_cast<void>(fields.number("d", 0.0, 0.0, 9.0));
    fields.finish();
    EXPECT_EQ(issues.size(), 4U);
    EXPECT_LT(formatIssues(issues).size(), 4U * 400U);
}

}  // namespace
}  // namespace qs::core
