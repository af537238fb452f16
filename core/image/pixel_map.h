#pragma once

#include <cstddef>
#include <vector>

namespace qs::core {

// One score per pixel position of a picture. Entry (0, 0) belongs to the picture's pixel (offsetX,
// offsetY); a map smaller than its picture leaves out the border where the score is not defined.
struct PixelMap {
    int width = 0;
    int height = 0;
    int offsetX = 0;
    int offsetY = 0;
    std::vector<float> values;

    [[nodiscard]] float at(int x, int y) const
    {
        return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

}  // namespace qs::core
