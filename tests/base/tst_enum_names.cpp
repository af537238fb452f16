#include "core/base/enum_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class Colour { Red, Green, Unnamed };

constexpr auto kColours = enumNames<Colour>({{Colour::Red, "red"}, {Colour::Green, "green"}});

TEST(EnumNames, GoBothWays)
{
    static_assert(kColours.of(Colour::Green) == "green");
    EXPECT_EQ(kColours.find("red"), Colour::Red);
    EXPECT_EQ(kColours.find("Red"), std::nullopt);
    EXPECT_EQ(kColours.parse("green", "colour").value(), Colour::Green);
    EXPECT_THAT(kColours.values(), ElementsAre(Colour::Red, Colour::Green));
}

TEST(EnumNames, RefuseWithWhatIsKnown)
{
    const auto unknown = kColours.parse("blue", "colour");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().message, "unknown colour \"blue\"; known are red, green");
    EXPECT_LT(kColours.parse(std::string(10'000, 'x'), "colour").error().message.size(), 200U);
    EXPECT_DEATH((void)kColours.of(Colour::Unnamed), "false");
}

}  // namespace
}  // namespace qs::core
