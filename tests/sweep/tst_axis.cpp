#include "core/sweep/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace qs::core {
namespace {

using testing::HasSubstr;
using Values = std::vector<std::int64_t>;

Values expanded(std::string_view text)
{
    const auto values = expandRange(text);
    EXPECT_TRUE(values.ok()) << text << ": " << (values.ok() ? "" : values.error().message);
    return values.ok() ? values.value() : Values{};
}

std::string refusal(std::string_view text)
{
    const auto values = expandRange(text);
    return values.ok() ? "accepted" : values.error().message;
}

TEST(ExpandRange, KnowsItsDialects)
{
    EXPECT_EQ(expanded("8"), (Values{8}));
    EXPECT_EQ(expanded("1..64 pow2"), (Values{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(expanded("1..8"), (Values{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(expanded("1-64*2"), (Values{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(expanded("8-64+8"), (Values{8, 16, 24, 32, 40, 48, 56, 64}));
    EXPECT_EQ(expanded("1,4,16"), (Values{1, 4, 16}));
    EXPECT_EQ(expanded("0,20"), (Values{0, 20})) << "nothing new, or twenty tokens";
    EXPECT_EQ(expanded("0-16+8"), (Values{0, 8, 16}));
    EXPECT_EQ(expanded("0..4 pow2"), (Values{1, 2, 4}));
}

TEST(ExpandRange, MixesItemsAndKeepsTheirOrder)
{
    EXPECT_EQ(expanded("512, 1..3 ,8-32*4"), (Values{512, 1, 2, 3, 8, 32}));
    EXPECT_EQ(expanded("4,4"), (Values{4, 4}));
    EXPECT_EQ(expanded("1 2  4"), (Values{1, 2, 4}));
    EXPECT_EQ(expanded("1..4 pow2 16, 32 8"), (Values{1, 2, 4, 16, 32, 8}));
    EXPECT_EQ(expanded(" 1 .. 4 pow2 "), (Values{1, 2, 4}));
}

TEST(ExpandRange, EndsAtTheLastValueThatFits)
{
    EXPECT_EQ(expanded("1-50*3"), (Values{1, 3, 9, 27}));
    EXPECT_EQ(expanded("10-25+10"), (Values{10, 20}));
    EXPECT_EQ(expanded("3..20 pow2"), (Values{4, 8, 16}));
    EXPECT_EQ(expanded("5..5"), (Values{5}));
    EXPECT_EQ(expanded("1-2147483647*2").size(), 31U);
}

TEST(ExpandRange, RefusesAndSaysWhatWouldBeRight)
{
    EXPECT_THAT(refusal(""), HasSubstr("at least one number"));
    EXPECT_THAT(refusal("1,,2"), HasSubstr("one between commas"));
    EXPECT_THAT(refusal("1,"), HasSubstr("\"1,\""));
    EXPECT_THAT(refusal("1,four"), HasSubstr("\"four\": expected an integer; use one of"));
    EXPECT_THAT(refusal("-3"), HasSubstr("values must be from 0 to 2147483647"));
    EXPECT_THAT(refusal("2147483648"), HasSubstr("values must be from 0"));
    EXPECT_THAT(refusal("99999999999999999999"), HasSubstr("values must be from 0"));
    EXPECT_THAT(refusal("8..1"), HasSubstr("the first value is larger"));
    EXPECT_THAT(refusal("8-1*2"), HasSubstr("the first value is larger"));
    EXPECT_THAT(refusal("5..7 pow2"), HasSubstr("no power of two"));
    EXPECT_THAT(refusal("1..8 pow3"), HasSubstr("use one of"));
    EXPECT_THAT(refusal("1..8 pow2 pow2"), HasSubstr("use one of"));
    EXPECT_THAT(refusal("1-8"),
                AllOf(HasSubstr("1..8 for every value"), HasSubstr("1-8*2"), HasSubstr("1-8+4")));
    EXPECT_THAT(refusal("1-8*1"), HasSubstr("by 2 or more"));
    EXPECT_THAT(refusal("1-8+0"), HasSubstr("at least 1"));
    EXPECT_THAT(refusal("0-8*2"), HasSubstr("from 1 or more"));
    EXPECT_THAT(refusal("1-8+2x"), HasSubstr("use one of"));
    EXPECT_THAT(refusal("2.5"), HasSubstr("use one of"));
    EXPECT_THAT(refusal("1 2 by 4"), HasSubstr("use one of"));
}

TEST(ExpandRange, HoldsItsLimitOfValues)
{
    EXPECT_EQ(expanded("1..1000").size(), 1000U);
    EXPECT_THAT(refusal("1..1001"), HasSubstr("more than 1000 values"));
    EXPECT_THAT(refusal("1..600,1..600"), HasSubstr("more than 1000 values"));
    EXPECT_THAT(refusal("1..2147483647"), HasSubstr("more than 1000 values"));
}

TEST(ExpandRange, QuotesLongTextsInPart)
{
    EXPECT_LT(refusal(std::string(100'000, 'x')).size(), 400U);
}

TEST(DescribeRange, FindsTheShortestText)
{
    EXPECT_EQ(describeRange({}), "");
    EXPECT_EQ(describeRange({8}), "8");
    EXPECT_EQ(describeRange({1, 2}), "1,2");
    EXPECT_EQ(describeRange({1, 2, 3}), "1..3");
    EXPECT_EQ(describeRange({1, 2, 4, 8, 16, 32, 64}), "1-64*2");
    EXPECT_EQ(describeRange({8, 16, 24, 32, 40}), "8-40+8");
    EXPECT_EQ(describeRange({1, 4, 16}), "1,4,16");
    EXPECT_EQ(describeRange({1, 2, 3, 4, 100, 200, 400, 800}), "1..4,100-800*2");
    EXPECT_EQ(describeRange({7, 7, 3}), "7,7,3");
}

// Whatever the values, the text must lead back to them.
TEST(DescribeRange, LeadsBack)
{
    std::mt19937 random(17);
    for (int trial = 0; trial < 500; ++trial) {
        Values values;
        while (values.size() < 1 + random() % 12) {
            const auto start = static_cast<std::int64_t>(1 + random() % 40);
            const auto step = static_cast<std::int64_t>(1 + random() % 3);
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(1 + random() % 5); ++i)
                values.push_back(trial % 2 == 0 ? start + i * step : start << (i * step));
        }
        EXPECT_EQ(expanded(describeRange(values)), values);
    }
}

TEST(DescribeRange, CopesWithTheLongestAxis)
{
    Values values(1000);
    std::iota(values.begin(), values.end(), 1);
    EXPECT_EQ(describeRange(values), "1..1000");
}

}  // namespace
}  // namespace qs::core
