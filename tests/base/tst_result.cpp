#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace qs::core {
namespace {

Result<int> half(int number)
{
    if (number % 2 != 0)
        return Error{ErrorCode::InvalidArgument, "odd"};
    return number / 2;
}

Result<int> quarter(int number)
{
    QS_TRY(const int once, half(number));
    QS_TRY(const int twice, half(once));
    return twice;
}

Status checkEven(int number)
{
    QS_RETURN_IF_ERROR(half(number));
    return {};
}

TEST(Result, CarriesAValue)
{
    EXPECT_TRUE(quarter(8).ok());
    EXPECT_EQ(quarter(8).value(), 2);
}

TEST(Result, PassesTheFirstErrorOn)
{
    const Result<int> result = quarter(6);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(result.error().within("six").message, "six: odd");
    EXPECT_TRUE(checkEven(2).ok());
    EXPECT_EQ(checkEven(3).error().message, "odd");
}

TEST(Result, MovesAValueOut)
{
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    EXPECT_EQ(*std::move(result).value(), 5);
}

TEST(ResultDeathTest, ReadingTheWrongSideIsABrokenContract)
{
    EXPECT_DEATH((void)half(3).value(), "broken contract");
    EXPECT_DEATH((void)Status().error(), "broken contract");
}

TEST(Result, EachCodeHasItsOwnName)
{
    EXPECT_STREQ(toString(ErrorCode::OutOfMemory), "out of memory");
    EXPECT_STRNE(toString(ErrorCode::Format), toString(ErrorCode::Io));
}

}  // namespace
}  // namespace qs::core
