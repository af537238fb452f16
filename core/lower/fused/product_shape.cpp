#include "core/lower/fused/product_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::string_view kTileOrder = R"(
constexpr int kOutN = kTileN / kHalves;  // columns of the result
constexpr int kTilesM = (QS_M + kTileM - 1) / kTileM, kTilesN = (QS_N + kOutN - 1) / kOutN;
constexpr int kTiles = kTilesM * kTilesN;

// Tiles that are computed at once share rows and columns, which the cache then has.
__device__ __forceinline__ void qs_tile(int tile, int& m, int& n)
{
    constexpr int kBand = 8;
    const int band = tile / (kBand * kTilesN), first = band * kBand;
    const int rows = kTilesM - first < kBand ? kTilesM - first : kBand;
    const int within = tile - first * kTilesN;
    m = first + within % rows;
    n = within / rows;
}
)";

}  // namespace

std::string ProductShape::name() const
{
    const std::string tile =
        fmt::format("{}{}x{}", units == ProductUnits::Plain ? "plain_" : "", rows, columns);
    return splits > 1 ? fmt::format("{}_k{}", tile, splits) : tile;
}

std::vector<ProductShape> worthTrying(std::vector<ExpectedShape> expected, double times)
{
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    std::vector<ProductShape> shapes;
    for (const ExpectedShape& each : expected) {
        if (each.time <= times * expected.front().time)
            shapes.push_back(each.shape);
    }
    return shapes;
}

std::string_view tileOrder()
{
    return kTileOrder;
}

}  // namespace qs::core
