#include "core/model/declared_input.h"

#include <gmock/gmock.h>

namespace {

using namespace qs::core;
using testing::HasSubstr;

TEST(DeclaredInput, ReadsNameTypeAndSizes)
{
    const DeclaredInput input = parseDeclaredInput(" x = float32[batch, 3,224,224] ").value();
    EXPECT_EQ(input.name, "x");
    EXPECT_EQ(input.dtype, DType::Float32);
    EXPECT_EQ(input.batch, 0U);
    EXPECT_EQ(input.typeFor(4), (TensorType{DType::Float32, {4, 3, 224, 224}}));
    EXPECT_EQ(toText(input), "x=float32[batch,3,224,224]");

    const DeclaredInput fixed = parseDeclaredInput("int64[7]").value();
    EXPECT_TRUE(fixed.name.empty());
    EXPECT_FALSE(fixed.batch);
    EXPECT_EQ(fixed.typeFor(9), (TensorType{DType::Int64, {7}}));
    EXPECT_EQ(parseDeclaredInput("bool[]").value().shape.size(), 0U);
    EXPECT_EQ(parseDeclaredInput("y=float16[3,batch]").value().batch, 1U);
}

TEST(DeclaredInput, WhatItWritesItReads)
{
    for (const char* text :
         {"x=float32[batch,3,8,8]", "int64[batch,128]", "m=bool[]", "bfloat16[1]"})
        EXPECT_EQ(toText(parseDeclaredInput(text).value()), text);
}

TEST(DeclaredInput, RefusesWhatNobodyCanMean)
{
    for (const char* text :
         {"", "x", "x=", "=float32[1]", "x=float32", "x=float32[1", "x=float32]1[", "x=floaty[1]",
          "x=float32[0]", "x=float32[-1]", "x=float32[1.5]", "x=float32[1,]",
          "x=float32[batch,batch]", "x=float32[99999999999]", "x y=float32[1]", "1x=float32[1]",
          "float32[a]", "float32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"}) {
        const auto input = parseDeclaredInput(text);
        ASSERT_FALSE(input.ok()) << text;
        EXPECT_EQ(input.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(input.error().message, HasSubstr("x=float32[batch,3,224,224]"));
    }
}

}  // namespace
