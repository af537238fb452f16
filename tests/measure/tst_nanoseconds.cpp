#include "core/measure/nanoseconds.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

TEST(Nanoseconds, AreWrittenWithoutTheNoiseOfTheirFloats)
{
    const std::vector<double> rounded =
        wholeNanoseconds({0.0018458880186080933, 2.13121327799999, 133.340190013, 5e-10, 0.0});
    EXPECT_EQ(nlohmann::json(rounded).dump(), "[0.001845888,2.131213278,133.340190013,1e-09,0.0]");
}

TEST(Microseconds, AreThoseOfTheClock)
{
    EXPECT_EQ(wholeMicroseconds(133.340190013), 133.34019);
    EXPECT_EQ(wholeMicroseconds(-5.67e-6), -6e-6);
}

TEST(Nanoseconds, StayWhatTheyAre)
{
    for (const double seconds : {0.006136476, 873.377022854, 86400.000000001})
        EXPECT_EQ(wholeNanoseconds(seconds), seconds);
}

}  // namespace
}  // namespace qs::core
