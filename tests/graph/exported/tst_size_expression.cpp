#include "core/graph/exported/size_expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace qs::core::exported {
namespace {

constexpr const char* kTokens = "Symbol('s77', positive=True, integer=True)";

std::int64_t valueOf(const std::string& text, std::int64_t tokens)
{
    const auto expression = SizeExpression::parse(text);
    EXPECT_TRUE(expression.ok()) << text;
    const auto value = expression.value().evaluate({{"s77", tokens}});
    EXPECT_TRUE(value.ok()) << text;
    return value.ok() ? value.value() : -1;
}

std::string with(const std::string& text)
{
    std::string all = text;
    for (auto at = all.find('N'); at != std::string::npos; at = all.find('N'))
        all.replace(at, 1, kTokens);
    return all;
}

// Values as sympy gives them.
TEST(SizeExpression, ComputesAsSympyDoes)
{
    EXPECT_EQ(valueOf("Integer(7)", 0), 7);
    EXPECT_EQ(valueOf("Integer(-3)", 0), -3);
    EXPECT_EQ(valueOf(kTokens, 12), 12);
    EXPECT_EQ(valueOf(with("Add(Mul(Integer(2), N), Integer(1))"), 12), 25);
    EXPECT_EQ(valueOf(with("Add(N, N, N, Integer(-1))"), 4), 11);
    EXPECT_EQ(valueOf(with("FloorDiv(Add(N, Integer(-1)), Integer(2))"), 8), 3);
    EXPECT_EQ(valueOf(with("FloorDiv(Mul(Integer(-1), N), Integer(2))"), 7), -4);
    EXPECT_EQ(valueOf(with("Mod(Mul(Integer(-1), N), Integer(4))"), 7), 1);
    EXPECT_EQ(valueOf(with("CeilDiv(N, Integer(4))"), 9), 3);
    EXPECT_EQ(valueOf(with("Max(N, Integer(5), Integer(2))"), 3), 5);
    EXPECT_EQ(valueOf(with("Min(N, Integer(5))"), 3), 3);
    EXPECT_EQ(valueOf(with("Pow(N, Integer(2))"), 9), 81);
    EXPECT_EQ(valueOf("Symbol('s77')", 5), 5);
}

TEST(SizeExpression, KnowsItsSymbols)
{
    const auto expression =
        SizeExpression::parse(with("Mul(N, Symbol('s1', integer=True))")).value();
    std::set<std::string> symbols;
    expression.addSymbols(symbols);
    EXPECT_EQ(symbols, (std::set<std::string>{"s1", "s77"}));
    EXPECT_EQ(expression.symbol(), "");
    EXPECT_EQ(SizeExpression::parse(kTokens).value().symbol(), "s77");
    EXPECT_EQ(SizeExpression(3).symbol(), "");
    const auto unknown = expression.evaluate({{"s77", 1}});
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().code, ErrorCode::Unsupported);
}

TEST(SizeExpression, WhatIsNoSizeIsRefused)
{
    for (const char* text : {"",
                             "7",
                             "Integer()",
                             "Integer(7",
                             "Integer(7) ",
                             "Integer(99999999999999999999)",
                             "Integer(1.5)",
                             "Symbol()",
                             "Symbol('')",
                             "Symbol('s'",
                             "Symbol(s)",
                             "Add()",
                             "Add(,)",
                             "Mod(Integer(1))",
                             "Mod(Integer(1), Integer(2), Integer(3))",
                             "Integer(1), Integer(2)",
                             "__import__('os').system('true')",
                             "Pow(Integer(9), Pow(Integer(9), x))",
                             "Rational(1, 2)",
                             "oo",
                             "lambda: 1",
                             "Add(Integer(1) Integer(2))"})
        EXPECT_FALSE(SizeExpression::parse(text).ok()) << text;
    std::string deep;
    for (int i = 0; i < 100; ++i)
        deep += "Add(";
    EXPECT_FALSE(SizeExpression::parse(deep + "Integer(1)" + std::string(100, ')')).ok());
    EXPECT_FALSE(SizeExpression::parse(std::string(70'000, '(')).ok());
    std::string wide = "Add(Integer(1)";
    for (int i = 0; i < 5000; ++i)
        wide += ", Integer(1)";
    EXPECT_FALSE(SizeExpression::parse(wide + ")").ok());
}

TEST(SizeExpression, NothingOverflowsOrDividesByZero)
{
    const std::string most = "Integer(9223372036854775807)";
    const std::string least = "Integer(-9223372036854775808)";
    const std::vector<std::string> texts{
        "Add(" + most + ", Integer(1))",
        "Mul(" + most + ", Integer(2))",
        "Pow(Integer(10), Integer(40))",
        "Pow(Integer(2), Integer(-1))",
        std::string("Pow(Integer(9), Pow(Integer(9), Pow(Integer(9), Integer(9))))"),
        std::string("FloorDiv(Integer(1), Integer(0))"),
        std::string("Mod(Integer(1), Integer(0))"),
        "FloorDiv(" + least + ", Integer(-1))",
        "CeilDiv(" + least + ", Integer(1))"};
    for (const std::string& text : texts) {
        const auto expression = SizeExpression::parse(text);
        ASSERT_TRUE(expression.ok()) << text;
        EXPECT_FALSE(expression.value().evaluate({}).ok()) << text;
    }
    EXPECT_EQ(valueOf("Pow(Integer(1), Integer(9000000000000000000))", 0), 1);
    EXPECT_EQ(valueOf("Pow(Integer(-1), Integer(9000000000000000001))", 0), -1);
    EXPECT_EQ(valueOf("Pow(Integer(0), Integer(9000000000000000001))", 0), 0);
}

TEST(SizeExpression, WritesWhatItReads)
{
    for (const std::string text :
         {"Integer(-3)", "Symbol('s77', positive=True, integer=True)",
          "Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(1))",
          "FloorDiv(Symbol('s0', positive=True, integer=True), Integer(2))"})
        EXPECT_EQ(SizeExpression::parse(text).value().text(), text);
    EXPECT_EQ(SizeExpression().text(), "");
}

TEST(SizeExpression, LinesAndProductsAreWhatTheySay)
{
    for (const std::int64_t batch : {1, 4, 9}) {
        const SymbolValues symbols{{"s0", batch}};
        const SizeExpression line = SizeExpression::linear("s0", 3, -1);
        EXPECT_EQ(line.evaluate(symbols).value(), 3 * batch - 1);
        EXPECT_EQ(line.times(line).evaluate(symbols).value(), (3 * batch - 1) * (3 * batch - 1));
        EXPECT_EQ(line.times(SizeExpression(5)).evaluate(symbols).value(), 15 * batch - 5);
        EXPECT_EQ(SizeExpression(1).times(line).text(), line.text());
        EXPECT_EQ(SizeExpression::parse(line.text()).value().evaluate(symbols).value(),
                  3 * batch - 1);
    }
    EXPECT_EQ(SizeExpression::linear("s0", 1, 0).symbol(), "s0");
    EXPECT_FALSE(SizeExpression().times(SizeExpression(2)).evaluate({}).ok());
}

}  // namespace
}  // namespace qs::core::exported
