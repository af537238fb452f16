#include "core/quant/recipe.h"
#include "core/quant/scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;

struct Expected {
    Scheme scheme;
    const char* name;
    bool quantizes;
    DType working;
};

// Names are part of files and cell ids: none may change.
constexpr Expected kExpected[] = {
    {Scheme::Fp32, "fp32", false, DType::Float32},
    {Scheme::Tf32, "tf32", false, DType::Float32},
    {Scheme::Fp16, "fp16", false, DType::Float16},
    {Scheme::Bf16, "bf16", false, DType::BFloat16},
    {Scheme::Bf16Autocast, "bf16-autocast", false, DType::Float32},
    {Scheme::Int8Dq, "int8dq", true, DType::BFloat16},
    {Scheme::Int8Wo, "int8wo", true, DType::BFloat16},
    {Scheme::Float8DqTensor, "float8dq-tensor", true, DType::BFloat16},
    {Scheme::Float8DqRow, "float8dq-row", true, DType::BFloat16},
    {Scheme::Float8Wo, "float8wo", true, DType::BFloat16},
};

TEST(Schemes, HaveTheirNamesAndTypes)
{
    ASSERT_EQ(allSchemes().size(), std::size(kExpected));
    for (std::size_t i = 0; i < std::size(kExpected); ++i) {
        const Expected& each = kExpected[i];
        EXPECT_EQ(allSchemes()[i], each.scheme);
        EXPECT_EQ(name(each.scheme), each.name);
        EXPECT_EQ(quantizesWeights(each.scheme), each.quantizes) << each.name;
        EXPECT_EQ(workingType(each.scheme), each.working) << each.name;
    }
}

TEST(Schemes, NamesReadBack)
{
    for (const Scheme scheme : allSchemes()) {
        const auto parsed = parseScheme(name(scheme));
        ASSERT_TRUE(parsed.ok()) << name(scheme);
        EXPECT_EQ(parsed.value(), scheme);
    }
}

TEST(Schemes, EachHasItsOwnDescription)
{
    std::set<std::string_view> descriptions;
    for (const Scheme scheme : allSchemes()) {
        EXPECT_FALSE(describe(scheme).empty());
        EXPECT_TRUE(descriptions.insert(describe(scheme)).second) << describe(scheme);
    }
}

TEST(Schemes, UnknownNamesAreRefusedWithTheKnownOnes)
{
    for (const char* text : {"", "INT8DQ", "int8", "bf16 ", "float8dq", "int4wo-128"}) {
        const auto parsed = parseScheme(text);
        ASSERT_FALSE(parsed.ok()) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::InvalidArgument);
        for (const Scheme scheme : allSchemes())
            EXPECT_THAT(parsed.error().message, HasSubstr(std::string(name(scheme))));
    }
}

}  // namespace
}  // namespace qs::core
