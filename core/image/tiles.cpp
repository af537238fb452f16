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

std::vector<Tile> allTiles(const PixelMap& map)
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
    return all;
}

// The first `count` that do not overlap one before.
std::vector<Tile> chosenOf(const std::vector<Tile>& all, int count)
{
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

// Deviations below five levels of 8 bits, in every channel.
bool isFlat(const Picture& picture, const Tile& tile)
{
    constexpr double kFlat = 5.0 / 255.0;
    for (int channel = 0; channel < picture.channels; ++channel) {
        double sum = 0.0;
        double squares = 0.0;
        for (int y = tile.y; y < tile.y + tile.height; ++y) {
            for (int x = tile.x; x < tile.x + tile.width; ++x) {
                const auto value = static_cast<double>(picture.at(x, y, channel));
                sum += value;
                squares += value * value;
            }
        }
        const double count = static_cast<double>(tile.width) * tile.height;
        const double mean = sum / count;
        if (squares / count - mean * mean >= kFlat * kFlat)
            return false;
    }
    return true;
}

}  // namespace

std::vector<Tile> worstTiles(const PixelMap& map, int count)
{
    return chosenOf(allTiles(map), count);
}

std::vector<Tile> worstTiles(const PixelMap& map, const Picture& reference, int count)
{
    std::vector<Tile> all = allTiles(map);
    std::stable_partition(all.begin(), all.end(),
                          [&](const Tile& tile) { return !isFlat(reference, tile); });
    return chosenOf(all, count);
}

}  // namespace qs::core
