#include "core/image/region.h"

#include "core/image/difference.h"

#include <algorithm>
#include <cstdint>

namespace qs::core {

namespace {

// First and one past the last of start … start + length that lie in 0 … limit. 64 bits: a region
// comes from a mouse and may start and end anywhere.
struct Span {
    int first = 0;
    int last = 0;
};

Span clipped(int start, int length, int limit)
{
    const std::int64_t end = std::int64_t{start} + std::max(0, length);
    const auto first = static_cast<int>(std::clamp<std::int64_t>(start, 0, limit));
    const auto last = static_cast<int>(std::clamp<std::int64_t>(end, first, limit));
    return {first, last};
}

}  // namespace

Region clippedTo(const Region& region, int width, int height)
{
    const Span across = clipped(region.x, region.width, width);
    const Span down = clipped(region.y, region.height, height);
    if (across.first == across.last || down.first == down.last)
        return {across.first, down.first, 0, 0};
    return {across.first, down.first, across.last - across.first, down.last - down.first};
}

std::optional<double> meanInside(const PixelMap& map, const Region& region)
{
    const Region inside =
        clippedTo({region.x - map.offsetX, region.y - map.offsetY, region.width, region.height},
                  map.width, map.height);
    if (inside.width == 0)
        return std::nullopt;
    double sum = 0.0;
    for (int y = inside.y; y < inside.y + inside.height; ++y) {
        // Row by row, so that the rounding error of the sum does not grow with the region.
        double row = 0.0;
        for (int x = inside.x; x < inside.x + inside.width; ++x)
            row += static_cast<double>(map.at(x, y));
        sum += row;
    }
    return sum / (static_cast<double>(inside.width) * inside.height);
}

Result<RegionScore> scoreRegion(const Picture& picture, const Picture& reference,
                                const PixelMap& ssimMap, const Region& region)
{
    RegionScore score;
    score.region = clippedTo(region, picture.width, picture.height);
    if (score.region.width == 0)
        return Error{ErrorCode::InvalidArgument, "the region is outside the image"};
    if (reference.width != picture.width || reference.height != picture.height)
        return Error{ErrorCode::InvalidArgument, "the images have different sizes"};
    const auto part = [&](const Picture& whole) {
        const Region& r = score.region;
        return cropped(whole, r.x, r.y, r.width, r.height);
    };
    const Picture own = part(picture);
    const Picture other = part(reference);
    QS_TRY(const Difference raw, difference(own, other, 1.0));
    QS_TRY(const Difference seen,
           difference(clamped(own, 0.0F, 1.0F), clamped(other, 0.0F, 1.0F), 1.0));
    score.ssim = meanInside(ssimMap, score.region);
    score.psnrDb = seen.psnrDb;
    score.maxAbsolute = raw.maxAbsolute;
    score.identical = raw.identical;
    return score;
}

}  // namespace qs::core
