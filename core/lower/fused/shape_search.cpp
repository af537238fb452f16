#include "core/lower/fused/shape_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace qs::core {

std::string SkinnyShape::name() const
{
    if (isOneItem)
        return fmt::format("k{}", kWarps);
    return fmt::format("r{}_k{}_s{}", rowWarps, kWarps, splits) +
           (stages > 0 ? fmt::format("_c{}", stages) : std::string());
}

std::vector<SkinnyShape> fastestShapes(std::span<const int> warps, std::span<const int> splits,
                                       std::size_t most, const EstimateShape& estimate)
{
    constexpr std::array kRowWarps{1, 2, 4, 8};
    std::vector<ShapeEstimate> all;
    for (const int rowWarps : kRowWarps) {
        for (const int ofBlock : warps) {
            for (const int ofCluster : splits) {
                if (const auto one = estimate(rowWarps, ofBlock, ofCluster))
                    all.push_back(*one);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const ShapeEstimate& a, const ShapeEstimate& b) {
        return a.time < b.time;
    });
    std::vector<SkinnyShape> shapes;
    for (const ShapeEstimate& each : all) {
        if (shapes.size() < most)
            shapes.push_back(each.shape);
    }
    return shapes;
}

std::int64_t sumBytes(int warps, std::int64_t rows)
{
    constexpr std::int64_t kSumRow = 17;
    return 2 * warps * rows * kSumRow * std::int64_t{sizeof(float)};
}

}  // namespace qs::core
