#include "core/graph/exported/number_operations.h"

#include <gtest/gtest.h>

#include <limits>

namespace qs::core::exported {
namespace {

Number whole(std::int64_t number)
{
    return number;
}

Number compute(const char* target, const std::vector<Number>& operands)
{
    const auto result = computeNumber(target, operands);
    EXPECT_TRUE(result.ok()) << target;
    return result.ok() ? result.value() : Number(false);
}

// Values and types as Python gives them.
TEST(NumberOperations, AreThoseOfPython)
{
    EXPECT_EQ(compute("_operator.add", {whole(2), whole(3)}), whole(5));
    EXPECT_EQ(compute("_operator.add", {whole(2), 0.5}), Number(2.5));
    EXPECT_EQ(compute("_operator.floordiv", {whole(-7), whole(2)}), whole(-4));
    EXPECT_EQ(compute("_operator.mod", {whole(-7), whole(4)}), whole(1));
    EXPECT_EQ(compute("_operator.floordiv", {7.5, whole(2)}), Number(3.0));
    EXPECT_EQ(compute("_operator.truediv", {whole(7), whole(2)}), Number(3.5));
    EXPECT_EQ(compute("_operator.pow", {whole(3), whole(4)}), whole(81));
    EXPECT_EQ(compute("_operator.pow", {whole(2), whole(-1)}), Number(0.5));
    EXPECT_EQ(compute("_operator.neg", {whole(4)}), whole(-4));
    EXPECT_EQ(compute("_operator.ge", {whole(4), 4.0}), Number(true));
    EXPECT_EQ(compute("torch.sym_not", {Number(true)}), Number(false));
    EXPECT_EQ(compute("torch.sym_int", {Number(-3.7)}), whole(-3));
    EXPECT_EQ(compute("math.ceil", {Number(3.2)}), whole(4));
    EXPECT_EQ(compute("torch.sym_max", {whole(3), whole(9)}), whole(9));
    EXPECT_EQ(compute("torch.sym_ite", {Number(false), whole(1), whole(2)}), whole(2));
    EXPECT_TRUE(isNumberOperation("_operator.mul"));
    EXPECT_FALSE(isNumberOperation("_operator.getitem"));
}

TEST(NumberOperations, NothingOverflows)
{
    const Number most = whole(std::numeric_limits<std::int64_t>::max());
    const Number least = whole(std::numeric_limits<std::int64_t>::min());
    EXPECT_FALSE(computeNumber("_operator.add", {most, whole(1)}).ok());
    EXPECT_FALSE(computeNumber("_operator.sub", {least, whole(1)}).ok());
    EXPECT_FALSE(computeNumber("_operator.mul", {most, whole(2)}).ok());
    EXPECT_FALSE(computeNumber("_operator.neg", {least}).ok());
    EXPECT_FALSE(computeNumber("_operator.floordiv", {least, whole(-1)}).ok());
    EXPECT_FALSE(computeNumber("_operator.floordiv", {whole(1), whole(0)}).ok());
    EXPECT_FALSE(computeNumber("_operator.mod", {1.5, 0.0}).ok());
    EXPECT_FALSE(computeNumber("_operator.truediv", {whole(1), whole(0)}).ok());
    EXPECT_FALSE(computeNumber("_operator.pow", {whole(10), whole(30)}).ok());
    EXPECT_FALSE(computeNumber("math.floor", {Number(1e300)}).ok());
    EXPECT_FALSE(computeNumber("_operator.add", {whole(1)}).ok());
    EXPECT_FALSE(computeNumber("os.system", {}).ok());
    EXPECT_FALSE(wholeOf(Number(1.5)).ok());
    EXPECT_EQ(wholeOf(Number(2.0)).value(), 2);
    EXPECT_EQ(wholeOf(Number(true)).value(), 1);
}

}  // namespace
}  // namespace qs::core::exported
