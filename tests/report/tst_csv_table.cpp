#include "core/report/csv_table.h"

#include "tests/report/comma_locale.h"

#include <gtest/gtest.h>

#include <limits>

namespace qs::core {
namespace {

std::string textCell(const std::string& value, bool formulaSafe = true)
{
    CsvTable table(formulaSafe);
    table.text("a", value);
    table.endLine();
    const std::string content = table.content();
    return content.substr(3, content.size() - 5);  // without "a\r\n" and the line's end
}

TEST(CsvTable, QuotesWhatNeedsIt)
{
    EXPECT_EQ(textCell("plain text"), "plain text");
    EXPECT_EQ(textCell("a,b"), "\"a,b\"");
    EXPECT_EQ(textCell("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(textCell("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(textCell(""), "");
}

TEST(CsvTable, TextsAreNoFormulas)
{
    for (const char* attack : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"})
        EXPECT_EQ(textCell(attack), "'" + std::string(attack));
    EXPECT_EQ(textCell("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(textCell("=HYPERLINK(\"http://x\",\"y\")"),
              "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    EXPECT_EQ(textCell("a=1"), "a=1");
    EXPECT_EQ(textCell("=1+1", false), "=1+1");
}

TEST(CsvTable, NamesOfColumnsAreNoFormulas)
{
    for (const bool formulaSafe : {true, false}) {
        CsvTable table(formulaSafe);
        table.number("=cmd|' /C calc'!A0_seconds_per_pass", 1.0);
        table.number("@x", 2.0);
        table.text("plain", "x");
        table.endLine();
        EXPECT_EQ(table.content(),
                  formulaSafe ? "'=cmd|' /C calc'!A0_seconds_per_pass,'@x,plain\r\n1,2,x\r\n"
                              : "=cmd|' /C calc'!A0_seconds_per_pass,@x,plain\r\n1,2,x\r\n");
    }
}

TEST(CsvTable, NumbersAreNeverTouched)
{
    const tests::CommaLocale comma;
    CsvTable table(true);
    table.number("a", -0.5);
    table.number("b", 0.1 + 0.2);
    table.number("c", 1234567.0);
    table.number("d", std::nullopt);
    table.number("e", std::numeric_limits<double>::infinity());
    table.integer("f", -1'234'567);
    table.integer("g", std::nullopt);
    table.flag("h", true);
    table.endLine();
    EXPECT_EQ(table.content(), "a,b,c,d,e,f,g,h\r\n"
                               "-0.5,0.30000000000000004,1234567,,,-1234567,,1\r\n");
}

TEST(CsvTable, TheHeadStandsOnceAndAlone)
{
    CsvTable table(true);
    table.text("name", "dropped");
    table.dropLine();
    EXPECT_EQ(table.content(), "name\r\n");
    table.text("name", "kept");
    table.endLine();
    EXPECT_EQ(table.content(), "name\r\nkept\r\n");
}

TEST(CsvTableDeathTest, LinesMustHaveTheColumnsOfTheHead)
{
    CsvTable table(true);
    table.text("a", "1");
    table.endLine();
    EXPECT_DEATH(table.text("b", "2"), "broken contract");
    EXPECT_DEATH(table.endLine(), "broken contract");
}

}  // namespace
}  // namespace qs::core
