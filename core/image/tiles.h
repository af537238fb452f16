#pragma once

#include "core/image/picture.h"
#include "core/image/pixel_map.h"

#include <vector>

namespace qs::core {

inline constexpr int kTileSide = 64;
inline constexpr int kTileStride = 32;

// A square part of a picture and the mean score in it. Smaller than kTileSide only where the map
// is.
struct Tile {
    int x = 0;  // in pixels of the picture
    int y = 0;
    int width = 0;
    int height = 0;
    double mean = 0.0;

    friend bool operator==(const Tile&, const Tile&) = default;
};

// The `count` tiles with the lowest mean of the map, the worst first: 64 x 64 at steps of 32, plus
// a last row and column flush with the edge. A tile that overlaps a worse one already chosen is
// left out, so that each step shows another place; there may be fewer than `count`. Equal means go
// in reading order. Tiles whose mean is NaN never count.
[[nodiscard]] std::vector<Tile> worstTiles(const PixelMap& map, int count);
// The same, but tiles in which `reference` is flat come after all others: there SSIM divides by
// next to nothing, and what it finds is not what one sees. The map is of pictures of its size.
[[nodiscard]] std::vector<Tile> worstTiles(const PixelMap& map, const Picture& reference,
                                           int count);

}  // namespace qs::core
