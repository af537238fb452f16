#include "core/device/clock_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The numbers are those of nvmlClocksEventReasons in the driver's header.
TEST(ClockReasons, NameWhatSlowsAClockDown)
{
    EXPECT_THAT(slowdownReasons(0x4), ElementsAre("power cap"));
    EXPECT_THAT(slowdownReasons(0x8), ElementsAre("hardware slowdown"));
    EXPECT_THAT(slowdownReasons(0x20 | 0x40),
                ElementsAre("software thermal slowdown", "hardware thermal slowdown"));
    EXPECT_THAT(slowdownReasons(0x80), ElementsAre("hardware power brake"));
}

TEST(ClockReasons, IdlenessAndSettingsSlowNothingDown)
{
    EXPECT_THAT(slowdownReasons(0), IsEmpty());
    EXPECT_THAT(slowdownReasons(0x1), IsEmpty());
    EXPECT_THAT(slowdownReasons(0x1 | 0x2), IsEmpty());
    EXPECT_THAT(slowdownReasons(0x2 | 0x4), ElementsAre("power cap"));
}

}  // namespace
}  // namespace qs::core
