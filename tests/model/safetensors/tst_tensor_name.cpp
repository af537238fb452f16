#include "core/model/safetensors/tensor_name.h"

#include "core/model/safetensors/stored_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

TEST(TensorName, AcceptsWhatModelsUse)
{
    for (const char* name : {"", "w", "decoder_blocks.3.ffn.fc1.weight", "größe", "重み", "🙂",
                             "a b/c:d", "__x__", "\uFFFD"})
        EXPECT_EQ(nameComplaint(name, 100), "") << name;
}

TEST(TensorName, RefusesWhatCannotBePrinted)
{
    for (const char* name : {"\n", "\x1B[31m", "\x7F", "\u0085", "\u061C", "\u200F", "\u2028",
                             "\u202E", "\u2066", "\uFEFF", "\uFFFF"})
        EXPECT_THAT(nameComplaint(name, 100), HasSubstr("cannot be printed at its byte 0"));
    EXPECT_THAT(nameComplaint("ab\tc", 100), HasSubstr("at its byte 2"));
}

TEST(TensorName, RefusesWhatIsNotUtf8)
{
    for (const char* name :
         {"\x80", "\xFF", "\xC3", "\xC3(", "\xC0\x80", "\xE0\x80\x80", "\xED\xBF\xBF",
          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"})
        EXPECT_EQ(nameComplaint(name, 100), "the name is not UTF-8 at its byte 0");
}

TEST(TensorName, IsLimitedInBytes)
{
    EXPECT_EQ(nameComplaint("ééé", 6), "");
    EXPECT_EQ(nameComplaint("éééx", 6), "the name is 7 bytes long, more than 6");
}

TEST(TensorName, IsQuotedSafely)
{
    EXPECT_EQ(quotedName("größe"), "\"größe\"");
    EXPECT_EQ(quotedName("a\x1B[31m\xFF\u202E"), "\"a?[31m??\"");
    EXPECT_EQ(quotedName(std::string(500, 'x')), "\"" + std::string(80, 'x') + "…\"");
}

TEST(StoredType, TextsReadBack)
{
    for (int i = 0; i <= static_cast<int>(StoredType::U64); ++i) {
        const auto type = static_cast<StoredType>(i);
        EXPECT_EQ(storedTypeFromText(toString(type)), type);
    }
    EXPECT_FALSE(storedTypeFromText("F128").has_value());
    EXPECT_EQ(bitsOf(StoredType::BF16), 16U);
    EXPECT_EQ(bitsOf(StoredType::F4), 4U);
    EXPECT_EQ(bitsOf(StoredType::C64), 64U);
    EXPECT_EQ(bitsOf(StoredType::F8_E4M3), 8U);
}

}  // namespace
}  // namespace qs::core
