#include "core/graph/dtype.h"

#include <gtest/gtest.h>

#include <array>

namespace qs::core {
namespace {

struct Expected {
    DType dtype;
    const char* name;
    std::int64_t bytes;
    bool floating;
};

constexpr std::array<Expected, 10> kExpected{{{DType::Float32, "float32", 4, true},
                                              {DType::Float16, "float16", 2, true},
                                              {DType::BFloat16, "bfloat16", 2, true},
                                              {DType::Float8E4M3, "float8_e4m3fn", 1, true},
                                              {DType::Int8, "int8", 1, false},
                                              {DType::UInt8, "uint8", 1, false},
                                              {DType::Int32, "int32", 4, false},
                                              {DType::Int64, "int64", 8, false},
                                              {DType::Bool, "bool", 1, false},
                                              {DType::Float64, "float64", 8, true}}};

TEST(DTypes, HaveTheNamesAndSizesOfPyTorch)
{
    for (const Expected& each : kExpected) {
        EXPECT_EQ(name(each.dtype), each.name);
        EXPECT_EQ(byteSize(each.dtype), each.bytes) << each.name;
        EXPECT_EQ(isFloating(each.dtype), each.floating) << each.name;
        EXPECT_EQ(parseDType(each.name), each.dtype) << each.name;
    }
}

TEST(DTypes, UnknownNamesAreRefused)
{
    for (const char* text : {"", "float", "Float32", "torch.float32", "double", "int8 "})
        EXPECT_EQ(parseDType(text), std::nullopt) << text;
}

}  // namespace
}  // namespace qs::core
