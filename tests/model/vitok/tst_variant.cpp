#include "core/model/vitok/variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core::vitok {
namespace {

using testing::HasSubstr;

TEST(VitokVariants, BaseLettersHaveTheirSizes)
{
    const Side b = parseVariant("B/16x64").value().encoder;
    EXPECT_EQ(b, (Side{768, 12, 12}));
    EXPECT_EQ(parseVariant("L/16x64").value().encoder, (Side{1024, 24, 16}));
    EXPECT_EQ(parseVariant("G/16x64").value().encoder, (Side{1728, 32, 24}));
    EXPECT_EQ(parseVariant("T/16x64").value().encoder, (Side{3072, 40, 24}));
    EXPECT_EQ(parseVariant("E/16x64").value().encoder, (Side{4096, 48, 32}));
    EXPECT_EQ(b.headWidth(), 64);
}

TEST(VitokVariants, SwigluWidthIsAMultipleOfSixteen)
{
    EXPECT_EQ(swigluHidden(768, 2.67), 2048);
    EXPECT_EQ(swigluHidden(1024, 2.67), 2736);
    // int(2.67 · 1728) = 4613 is nearer to 4608 than to 4624.
    EXPECT_EQ(swigluHidden(1728, 2.67), 4608);
    EXPECT_EQ(swigluHidden(3072, 2.67), 8208);
    EXPECT_EQ(swigluHidden(4096, 2.67), 10944);
    EXPECT_EQ(swigluHidden(8, 1.0), 16) << "8 lies in the middle: up";
    EXPECT_EQ(swigluHidden(7, 1.0), 0);
}

TEST(VitokVariants, PublishedNamesParse)
{
    std::set<std::string_view> names;
    for (const PublishedModel& model : publishedModels()) {
        EXPECT_TRUE(names.insert(model.name).second) << model.name;
        const auto variant = parseVariant(model.variant);
        ASSERT_TRUE(variant.ok()) << model.name << ": " << variant.error().message;
        EXPECT_EQ(variant.value().encoder.depth, 4);
        EXPECT_EQ(findPublished(model.name), &model);
        // "350M-f16x64": patch and channels are in the name.
        EXPECT_TRUE(model.name.ends_with("-f" + std::to_string(variant.value().patch) + "x" +
                                         std::to_string(variant.value().channels)));
        EXPECT_EQ(parseVariant(toText(variant.value())).value(), variant.value());
    }
    EXPECT_EQ(names.size(), 9U);
}

TEST(VitokVariants, OldNamesAreKnown)
{
    EXPECT_EQ(findPublished("350M-64")->name, "350M-f16x64");
    // The document's 5B-64 has a patch of 32, not of 16.
    EXPECT_EQ(findPublished("5B-64")->name, "5B-f32x64");
    EXPECT_EQ(findPublished(""), nullptr) << "models without an old name are not found by nothing";
    EXPECT_EQ(findPublished("350m-64"), nullptr);
    EXPECT_EQ(findPublished("ViTok"), nullptr);
}

struct TextCase {
    const char* text;
    const char* canonical;
};

class VitokVariantText : public testing::TestWithParam<TextCase>
{
};

TEST_P(VitokVariantText, IsCanonicalAndReadsBack)
{
    const auto variant = parseVariant(GetParam().text);
    ASSERT_TRUE(variant.ok()) << variant.error().message;
    EXPECT_EQ(toText(variant.value()), GetParam().canonical);
    const auto again = parseVariant(toText(variant.value()));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value(), variant.value());
}

INSTANTIATE_TEST_SUITE_P(
    All, VitokVariantText,
    testing::Values(TextCase{"Ld4-Ld24/1x16x64", "w1024_d4_h16-w1024_d24_h16/1x16x64"},
                    TextCase{"Ld4-L/16x64", "w1024_d4_h16-w1024_d24_h16/1x16x64"},
                    TextCase{"B/1x8x4", "w768_d12_h12-w768_d12_h12/1x8x4"},
                    TextCase{"Td4-T/1x32x256", "w3072_d4_h24-w3072_d40_h24/1x32x256"},
                    TextCase{"w256_d2_h4/8x16", "w256_d2_h4-w256_d2_h4/1x8x16"},
                    TextCase{"w256d2h4-Bw512d1h8/8x16", "w256_d2_h4-w512_d1_h8/1x8x16"},
                    // The larger factor rules both sides.
                    TextCase{"Lm4/16x64", "w1024_d24_h16_m4-w1024_d24_h16_m4/1x16x64"},
                    TextCase{"Ld4m4-L/16x64", "w1024_d4_h16_m4-w1024_d24_h16_m4/1x16x64"},
                    TextCase{"w64_d1_h4_m2-w64_d1_h4_m2/8x16", "w64_d1_h4_m2-w64_d1_h4_m2/1x8x16"},
                    TextCase{"w256_d2_h4_m2.67/8x16", "w256_d2_h4-w256_d2_h4/1x8x16"},
                    // Rounding to 16 makes the narrow side look as if its factor were 3.33.
                    TextCase{"w24_d1_h6_m3-w1024_d1_h16_m3/8x16",
                             "w24_d1_h6_m3-w1024_d1_h16_m3/1x8x16"},
                    // 8 wide, the default factor would do for the encoder but not for the decoder.
                    TextCase{"w8_d1_h2_m2-w64_d1_h4_m2/8x16", "w8_d1_h2_m2-w64_d1_h4_m2/1x8x16"}));

TEST(VitokVariants, ManyFactorsReadBack)
{
    for (const char* factor : {"0.5", "1", "1.33", "2.5", "2.66", "3.14159", "5.3333", "8", "64"})
        for (const char* widths : {"w64_d1_h4", "w72_d1_h1", "w1728_d1_h24", "w65536_d1_h16"}) {
            const std::string side = std::string(widths) + "_m" + factor;
            const auto variant = parseVariant(side + "-w48_d1_h3_m" + factor + "/1x8x16");
            ASSERT_TRUE(variant.ok()) << variant.error().message;
            const std::string text = toText(variant.value());
            ASSERT_TRUE(parseVariant(text).ok()) << text;
            EXPECT_EQ(parseVariant(text).value(), variant.value()) << text;
            EXPECT_EQ(toText(parseVariant(text).value()), text);
        }
}

TEST(VitokVariants, HiddenWidthsThatNoFactorExplainsKeepTheirOwnText)
{
    Variant variant = parseVariant("w64_d1_h4/8x16").value();
    variant.decoderHidden = 4096;
    Variant other = variant;
    other.decoderHidden = 8192;
    EXPECT_NE(toText(variant), toText(other)) << "different architectures, different identity";
}

struct RefusalCase {
    const char* text;
    const char* reason;
};

class VitokVariantRefusals : public testing::TestWithParam<RefusalCase>
{
};

TEST_P(VitokVariantRefusals, GiveTheReason)
{
    const auto variant = parseVariant(GetParam().text);
    ASSERT_FALSE(variant.ok()) << GetParam().text;
    EXPECT_EQ(variant.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(variant.error().message, HasSubstr(GetParam().reason));
    EXPECT_THAT(variant.error().message, HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    All, VitokVariantRefusals,
    testing::Values(
        RefusalCase{"Ld4d5/16x64", "\"Ld4d5\" says 'd' twice"},
        RefusalCase{"w256_d2_h4_w512/16x64", "says 'w' twice"},
        RefusalCase{"Lm2_m3/16x64", "says 'm' twice"},
        RefusalCase{"Lh15/16x64", "width 1024 is not a multiple of 15 heads"},
        RefusalCase{"w36_d1_h6/16x64", "head width 6 is not a multiple of 4"},
        RefusalCase{"L-Lh512/16x64", "head width 2 is not a multiple of 4"},
        RefusalCase{"L/4x16x64", "a temporal patch of 4 is for video"},
        RefusalCase{"", "expected {encoder}-{decoder}/"},
        RefusalCase{"L", "expected {encoder}-{decoder}/"},
        RefusalCase{"/16x64", "lacks width, depth or heads"},
        RefusalCase{"-/16x64", "lacks width, depth or heads"},
        RefusalCase{"L-/16x64", "lacks width, depth or heads"},
        RefusalCase{"w256_d2/16x64", "lacks width, depth or heads"},
        RefusalCase{"Q/16x64", "\"Q\" is not a valid stage"},
        RefusalCase{"l/16x64", "\"l\" is not a valid stage"},
        RefusalCase{"LL/16x64", "\"LL\" is not a valid stage"},
        RefusalCase{"L-L-L/16x64", "\"L-L\" is not a valid stage"},
        RefusalCase{"L /16x64", "\"L \" is not a valid stage"},
        RefusalCase{"Ld/16x64", "'d' must be followed by a number"},
        RefusalCase{"Ld0/16x64", "'d' must be followed by a number"},
        RefusalCase{"Ld+4/16x64", "'d' must be followed by a number"},
        RefusalCase{"Lw65537/16x64", "number from 1 to 65536"},
        RefusalCase{"Lw99999999999999999999999/16x64", "number from 1 to 65536"},
        RefusalCase{"Lm/16x64", "the MLP factor after 'm'"},
        RefusalCase{"Lm0/16x64", "the MLP factor after 'm'"},
        RefusalCase{"Lm65/16x64", "the MLP factor after 'm'"},
        RefusalCase{"Lmnan/16x64", "the MLP factor after 'm'"},
        RefusalCase{"Lminf/16x64", "the MLP factor after 'm'"},
        RefusalCase{"Lm1e9/16x64", "is not a valid stage"},
        RefusalCase{"w4_d1_h1_m0.1/16x64", "the MLP would have width 0"},
        RefusalCase{"L/", "after the slash"}, RefusalCase{"L/16", "after the slash"},
        RefusalCase{"L/16x", "after the slash"}, RefusalCase{"L/x64", "after the slash"},
        RefusalCase{"L/0x64", "after the slash"}, RefusalCase{"L/-16x64", "after the slash"},
        RefusalCase{"L/1x2x16x64", "after the slash"}, RefusalCase{"L/16x64/1", "after the slash"},
        RefusalCase{"L/16x64 ", "after the slash"}, RefusalCase{"L/16x99999", "after the slash"},
        RefusalCase{"L/16x99999999999999999999", "after the slash"}));

}  // namespace
}  // namespace qs::core::vitok
