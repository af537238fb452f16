#include "core/image/colormap.h"

#include "core/image/colormap_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace qs::core {
namespace {

// Rec. 709 luma of the encoded bytes: enough to tell whether a map rises, up to half a level of
// rounding.
double luma(const RgbBytes& colour)
{
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
}

TEST(Colormap, MagmaIsTheKnownTable)
{
    // First, middle and last entry as matplotlib shows them.
    EXPECT_EQ(mapToRgb(0.0, Colormap::Magma), (RgbBytes{0, 0, 4}));
    EXPECT_EQ(mapToRgb(128.0 / 255.0, Colormap::Magma), (RgbBytes{183, 55, 121}));
    EXPECT_EQ(mapToRgb(1.0, Colormap::Magma), (RgbBytes{252, 253, 191}));
}

TEST(Colormap, MagmaBrightensSteadily)
{
    for (std::size_t i = 1; i < kMagmaTable.size(); ++i)
        EXPECT_GE(luma(kMagmaTable[i]), luma(kMagmaTable[i - 1]) - 0.5) << i;
    EXPECT_GT(luma(kMagmaTable[255]) - luma(kMagmaTable[0]), 240.0);
}

TEST(Colormap, DivergingIsPaleInTheMiddleAndDarkAtBothEnds)
{
    for (std::size_t i = 1; i < 127; ++i) {
        EXPECT_GE(luma(kBlueWhiteRedTable[i]), luma(kBlueWhiteRedTable[i - 1])) << i;
        EXPECT_GE(luma(kBlueWhiteRedTable[255 - i]), luma(kBlueWhiteRedTable[256 - i])) << i;
    }
    EXPECT_GT(luma(mapToRgb(0.5, Colormap::BlueWhiteRed)), 235.0);
    const RgbBytes negative = mapToRgb(0.2, Colormap::BlueWhiteRed);
    const RgbBytes positive = mapToRgb(0.8, Colormap::BlueWhiteRed);
    EXPECT_GT(negative[2], negative[0] + 80);
    EXPECT_GT(positive[0], positive[2] + 80);
}

TEST(Colormap, NanIsOutsideEveryMap)
{
    EXPECT_EQ(mapToRgb(std::nan(""), Colormap::Magma), kNotANumberColour);
    for (const ColormapTable* table : {&kMagmaTable, &kBlueWhiteRedTable}) {
        for (const RgbBytes& colour : *table) {
            int distance = 0;
            for (std::size_t c = 0; c < 3; ++c)
                distance += std::abs(int{colour[c]} - int{kNotANumberColour[c]});
            EXPECT_GT(distance, 100);
        }
    }
}

TEST(Colormap, LimitsAndRounds)
{
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(mapToRgb(-3.0, Colormap::Magma), kMagmaTable.front());
    EXPECT_EQ(mapToRgb(-infinity, Colormap::Magma), kMagmaTable.front());
    EXPECT_EQ(mapToRgb(infinity, Colormap::Magma), kMagmaTable.back());
    EXPECT_EQ(mapToRgb(0.49 / 255.0, Colormap::Magma), kMagmaTable[0]);
    EXPECT_EQ(mapToRgb(0.51 / 255.0, Colormap::Magma), kMagmaTable[1]);
}

}  // namespace
}  // namespace qs::core
