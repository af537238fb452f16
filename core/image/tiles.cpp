#include "core/image/tiles.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

// Starts of the tiles along one side of the map.
std::vector<int> startsAlong(int side)
{
    std::vector<int> starts;
    for (int start = 0; start + kTileSide < side; start += kTileStride)
        starts.push_back(start);
    starts.push_back(std::max(0, side - kTileSide));
    return starts;
}

double meanOf(const PixelMap& map, int left, int top, int width, int height)
{
    double sum = 0.0;
    for (int y = top; y < top + height; ++y) {
        for (int x = left; x < left + width; ++x)
            sum += static_cast<double>(map.at(x, y));
    }
    return sum / (static_cast<double>(width) * height);
}

bool overlaps(const Tile& a, const Tile& b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

}  // namespace

std::vector<Tile> worstTiles(const PixelMap& map, int count)
{
    std::vector<Tile> all;
    if (map.width < 1 || map.height < 1)
        return all;
    const int width = std::min(kTileSide, map.width);
    const int height = std::min(kTileSide, map.height);
    for (const int top : startsAlong(map.height)) {
        for (const int left : startsAlong(map.width)) {
            const double mean = meanOf(map, left, top, width, height);
            if (!std::isnan(mean))
                all.push_back({left + map.offsetX, top + map.offsetY, width, height, mean});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Tile& a, const Tile& b) { return a.mean < b.mean; });
    std::vector<Tile> chosen;
    for (const Tile& tile : all) {
        if (static_cast<int>(chosen.size()) >= count)
            break;
        if (std::none_of(chosen.begin(), chosen.end(),
                         [&](const Tile& worse) { return overlaps(worse, tile); }))
            chosen.push_back(tile);
    }
    return chosen;
}

}  // namespace qs::core
