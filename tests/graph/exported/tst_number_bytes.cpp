#include "core/graph/exported/number_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace qs::core {
namespace {

std::uint64_t bits(DType dtype, double number)
{
    const std::string bytes = numberBytes(dtype, std::vector<double>{number});
    EXPECT_EQ(bytes.size(), static_cast<std::size_t>(byteSize(dtype)));
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
}

// The compiler's own float is the oracle.
TEST(NumberBytes, Float32IsThatOfTheProcessor)
{
    for (const double number :
         {0.0, -0.0, 1.0, -1.5, 0.1, 3.4028235e38, 1e-45, 1e-40, -7e-46, 1.17549435e-38, 16777217.0,
          std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
        const auto narrow = static_cast<float>(number);
        std::uint32_t expected = 0;
        std::memcpy(&expected, &narrow, sizeof expected);
        EXPECT_EQ(bits(DType::Float32, number), expected) << number;
    }
    EXPECT_EQ(bits(DType::Float32, std::nan("")), 0x7fc00000U);
    EXPECT_EQ(bits(DType::Float32, 1e39), 0x7f800000U);
}

// Values as torch.tensor([...], dtype=...).view(torch.uint8) gives them.
TEST(NumberBytes, NarrowTypesRoundToTheNearestEven)
{
    EXPECT_EQ(bits(DType::Float16, 1.0), 0x3c00U);
    EXPECT_EQ(bits(DType::Float16, 1.0 + 1.0 / 2048.0), 0x3c00U) << "a tie goes to the even one";
    EXPECT_EQ(bits(DType::Float16, 1.0 + 3.0 / 2048.0), 0x3c02U);
    EXPECT_EQ(bits(DType::Float16, -65504.0), 0xfbffU);
    EXPECT_EQ(bits(DType::Float16, 65520.0), 0x7c00U);
    EXPECT_EQ(bits(DType::Float16, 5.960464477539063e-08), 0x0001U);
    EXPECT_EQ(bits(DType::BFloat16, 0.1), 0x3dcdU);
    EXPECT_EQ(bits(DType::BFloat16, -2.0), 0xc000U);
    EXPECT_EQ(bits(DType::Float8E4M3, 448.0), 0x7eU);
    EXPECT_EQ(bits(DType::Float8E4M3, 0.001953125), 0x01U);
    EXPECT_EQ(bits(DType::Float8E4M3, 1.0), 0x38U);
    EXPECT_EQ(bits(DType::Float8E4M3, 1000.0), 0x7fU) << "no infinity: NaN";
}

TEST(NumberBytes, WholeNumbersAreTwosComplement)
{
    EXPECT_EQ(bits(DType::Int64, -2.0), 0xfffffffffffffffeU);
    EXPECT_EQ(bits(DType::Int32, -1.0), 0xffffffffU);
    EXPECT_EQ(bits(DType::Int8, -128.0), 0x80U);
    EXPECT_EQ(bits(DType::UInt8, 255.0), 0xffU);
    EXPECT_EQ(bits(DType::Bool, 2.0), 1U);
}

}  // namespace
}  // namespace qs::core
