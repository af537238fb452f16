#pragma once

namespace qs::widgets {

// Every margin and every space between widgets is a multiple of it, in pixels at scale 1. Usual are
// 2 within a group, 4 between groups, 6 between controls and 8 around a page.
inline constexpr int kGridUnit = 2;
inline constexpr int kUsualSpacing = 3 * kGridUnit;
inline constexpr int kUsualMargin = 4 * kGridUnit;

// The multiple that is not longer than a length which a font has made.
[[nodiscard]] constexpr int onGrid(int length)
{
    return length / kGridUnit * kGridUnit;
}

}  // namespace qs::widgets
