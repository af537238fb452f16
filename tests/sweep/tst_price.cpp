#include "core/sweep/price.h"

#include "core/sweep/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

TEST(Price, ReadsWhatItWrites)
{
    for (const char* text : {"2.5:USD", "0:EUR", "0.125:€", "1000000000:Yen"}) {
        const auto price = parsePrice(text);
        ASSERT_TRUE(price.ok()) << price.error().message;
        EXPECT_EQ(parsePrice(priceText(price.value())).value(), price.value());
        std::vector<JsonIssue> issues;
        EXPECT_EQ(priceFromJson(toJson(price.value()), "$", issues), price.value());
        EXPECT_TRUE(issues.empty());
    }
    EXPECT_EQ(parsePrice("2.5:USD").value(), (Price{2.5, "USD"}));
    EXPECT_DOUBLE_EQ((Price{3.6, "USD"}).of(1000.0), 1.0);
    EXPECT_TRUE(Price().empty());
}

TEST(Price, RefusesWhatIsNone)
{
    for (const char* text : {"", ":", "2.5", "2.5:", ":USD", "2,5:USD", "-1:USD", "nan:USD",
                             "inf:USD", "1e10:USD", "2.5 :USD", "2.5:US D", "2.5:=A1", "2.5:U\nSD",
                             "2.5:<b>", "2.5:abcdefghijklm", "x:USD", "2.5:USD:EUR", "0x10:USD"}) {
        const auto price = parsePrice(text);
        ASSERT_FALSE(price.ok()) << text;
        EXPECT_EQ(price.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(price.error().message, HasSubstr("is not a price per hour"));
    }
}

TEST(Price, BelongsToAPreset)
{
    Preset preset;
    preset.name = "n";
    preset.defaults.model = "demo";
    preset.defaults.precision = {"bf16"};
    EXPECT_FALSE(toJson(preset).contains("price")) << "plans without a price stay as they were";
    preset.price = {2.5, "USD"};
    std::vector<JsonIssue> issues;
    EXPECT_EQ(presetFromJson(toJson(preset), issues).price, preset.price);
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
}

}  // namespace
}  // namespace qs::core
