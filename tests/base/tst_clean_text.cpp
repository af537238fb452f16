#include "core/base/clean_text.h"

#include "core/base/caught.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_json.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <new>
#include <stdexcept>
#include <system_error>

namespace qs::core {
namespace {

TEST(CleanText, LeavesGoodTextAsItIs)
{
    for (const char* text :
         {"", "plain", "a\nb\tc", "Größe · 3×3 → 2", "日本語", "שלום", "🙂", "\xEF\xBF\xBD"}) {
        EXPECT_EQ(cleanText(text), text);
        EXPECT_TRUE(isUtf8(text));
    }
}

TEST(CleanText, ReplacesWhatATerminalWouldObey)
{
    EXPECT_EQ(cleanText("\x1b[31mred\x07\x7f"), "�[31mred��");
    EXPECT_EQ(cleanText("a\xC2\x9B"
                        "2Jb"),
              "a�2Jb");  // CSI as one character of C1
    EXPECT_EQ(cleanText(std::string_view("a\0b", 3)), "a�b");
    EXPECT_EQ(cleanText("50 %\r100 %\r\ndone"), "50 %�100 %\ndone");
}

TEST(CleanText, ReplacesWhatTurnsTheDirectionOfWriting)
{
    for (const char* mark : {"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067",
                             "\u2068", "\u2069", "\u2028", "\u2029"})
        EXPECT_EQ(cleanText(std::string("a") + mark + "gpj.exe"), "a�gpj.exe");
}

TEST(CleanText, ReplacesWhatIsNotUtf8)
{
    for (const char* text : {"p\xFF", "p\xC3", "p\x80", "p\xC0", "p\xF5"}) {
        EXPECT_EQ(cleanText(text), "p�");
        EXPECT_FALSE(isUtf8(text));
    }
    EXPECT_EQ(cleanText("\xED\xA0\x80"), "���") << "half of a pair";
    EXPECT_EQ(cleanText("\xE0\x80\xAF"), "���") << "a slash, written too long";
    EXPECT_EQ(cleanText("\xF4\x90\x80\x80"), "����") << "beyond Unicode";
}

TEST(CleanText, ALineIsOneLine)
{
    EXPECT_EQ(cleanLine("x\ntouch PWNED\r\n#\t.png"), "x touch PWNED # .png");
}

TEST(CleanText, DocumentsAreCleanedKeysIncluded)
{
    const std::string text =
        R"({"good":[1,"a",true],"k\u202ey":{"deep":["v\u001b[0m","\u007f"]},"l":"\n"})";
    const Json json = cleanTexts(ParsedJson::parse(text, "a test").value(), text).root().json();
    EXPECT_EQ(jsonText(json), R"({"good":[1,"a",true],"k�y":{"deep":["v�[0m","�"]},"l":"\n"})");
    const tests::TestFolder folder;
    tests::writeFile(folder / "a.json", R"({"name":"x\u001b[2Jy"})");
    EXPECT_EQ(readJsonFile(folder / "a.json").value()["name"], "x�[2Jy");
    for (const char* raw : {"\x7f", "\u202E", "\xC2\x85"}) {
        tests::writeFile(folder / "a.json", std::string(R"({"name":")") + raw + "\"}");
        EXPECT_EQ(readJsonFile(folder / "a.json").value()["name"], "�");
    }
}

TEST(CleanText, JsonIsWrittenWhateverTheTextsAre)
{
    EXPECT_EQ(jsonText(Json{{"name", "p\xFF"}}), "{\"name\":\"p�\"}");
    EXPECT_EQ(canonicalText(Json("p\xFF")), "\"p�\"");
    EXPECT_EQ(jsonText(Json{{"a", 1}}, 1), "{\n \"a\": 1\n}");
}

TEST(CleanText, AnIssueIsOneLine)
{
    EXPECT_EQ(formatIssues({{"$.a\n: good", "is \x1b[31mred"}, {"$.b", "is missing"}}),
              "$.a : good: is �[31mred\n$.b: is missing");
}

Error caughtFrom(void (*work)())
{
    try {
        work();
    } catch (...) {
        return caughtError();
    }
    return {};
}

TEST(CaughtError, NamesWhatWasThrown)
{
    EXPECT_EQ(caughtFrom([] { throw std::bad_alloc(); }).code, ErrorCode::OutOfMemory);
    const Error fault = caughtFrom([] { throw std::runtime_error("no such thing"); });
    EXPECT_EQ(fault.code, ErrorCode::Internal);
    EXPECT_NE(fault.message.find("no such thing"), std::string::npos);
    constexpr auto kNoThread = [] {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    };
    EXPECT_EQ(caughtFrom(kNoThread).code, ErrorCode::OutOfMemory);
    constexpr auto kRefused = [] {
        throw std::system_error(std::make_error_code(std::errc::permission_denied));
    };
    EXPECT_EQ(caughtFrom(kRefused).code, ErrorCode::Internal);
    EXPECT_EQ(caughtFrom([] { throw 7; }).code, ErrorCode::Internal);
}

void throwAnything(bool noMemory)
{
    sayLastWords("program", 4, 1);
    if (noMemory)
        throw std::bad_alloc();
    throw std::runtime_error("x");
}

TEST(LastWords, AreSaidWhereNothingCanBeCaught)
{
    const auto end = [](bool noMemory) noexcept { throwAnything(noMemory); };
    EXPECT_EXIT(end(true), testing::ExitedWithCode(4), "program: not enough memory");
    EXPECT_EXIT(end(false), testing::ExitedWithCode(1), "program: an unexpected fault");
}

}  // namespace
}  // namespace qs::core
