#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"

#include <optional>

namespace qs::core {

// A rectangle of a picture, in pixels.
struct Region {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    friend bool operator==(const Region&, const Region&) = default;
};

// The part of `region` that lies in a picture of this size; width and height 0 if none does.
[[nodiscard]] Region clippedTo(const Region& region, int width, int height);

// How a region differs from the same of a reference.
struct RegionScore {
    Region region;  // what was scored: the part inside the picture
    // Mean of the map over its positions inside the region; empty where the region has none, as in
    // the border that an uncropped window cannot reach.
    std::optional<double> ssim;
    double psnrDb = 0.0;       // of values clamped to 0..1; +infinity if those are equal
    double maxAbsolute = 0.0;  // of the values before clamping
    bool identical = false;    // every value equal, before clamping
};

// The mean of the map over its positions inside the region, which is in pixels of the picture.
[[nodiscard]] std::optional<double> meanInside(const PixelMap& map, const Region& region);

// `ssimMap` is the map of the whole pictures, so that a region's score is a part of the picture's
// score and that of a tile equals Tile::mean. Errors: pictures that cannot be compared, a region
// outside of them.
[[nodiscard]] Result<RegionScore> scoreRegion(const Picture& picture, const Picture& reference,
                                              const PixelMap& ssimMap, const Region& region);

}  // namespace qs::core
