#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/skinny_shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace qs::core {

namespace {

constexpr std::array kStreamedWarps{8, 16};
constexpr std::array kStreamedSplits{1, 2, 4};
constexpr int kMostStages = 4;
constexpr std::int64_t kMostStreamedBytes = 224 * 1024;  // of a block

struct StreamedProblem {
    const SkinnyProduct& skinny;
    const StreamedCodes& codes;
    int processors;
    bool hasClusters;
};

// What the kernel declares, member by member.
std::int64_t streamedBytes(const StreamedProblem& problem, const SkinnyShape& shape)
{
    constexpr std::int64_t kChunkBytes = 2048;
    constexpr std::int64_t kOperandLanes = 32;
    constexpr std::int64_t kElement = 2;
    constexpr std::int64_t kAligned = 16;
    const std::int64_t rows = problem.skinny.product.a.rows;
    const std::int64_t spans = shape.trips * shape.kWarps;
    const std::int64_t copied = problem.codes.operandBytes(shape.trips);
    std::int64_t slots = 1;
    if (problem.codes.group > 0) {
        const std::int64_t trips = copied / kElement * (problem.codes.group / problem.codes.span());
        slots = coveredBy(kSpansAtOnce * (shape.stages - 1), trips) + 2;
    }
    const std::int64_t ahead =
        shape.warps() *
        (shape.stages * kChunkBytes + roundedUp(slots * kOperandLanes * copied, kAligned));
    const std::int64_t first = spans * problem.codes.span() * rows * kElement;
    const std::int64_t sumsOfFirst =
        spans * coveredBy(rows, kTileRows) * kTileRows * std::int64_t{sizeof(float)};
    return roundedUp(ahead + first + sumsOfFirst + sumBytes(shape.warps(), rows), kAligned);
}

// A step multiplies a span of the rows.
std::optional<ShapeEstimate> estimated(const StreamedProblem& problem, int rowWarps, int warps,
                                       int splits)
{
    constexpr double kAlone = 4.0;      // a step that no other warp is beside
    constexpr double kOfAll = 0.3;      // of each warp that is
    constexpr double kTileCost = 0.25;  // of a step, for each further tile of the first operand
    constexpr double kItemCost = 2.0;   // adding up and writing
    const MatrixProduct& product = problem.skinny.product;
    if (rowWarps > warps || (splits > 1 && !problem.hasClusters))
        return std::nullopt;
    SkinnyShape shape{.rowWarps = rowWarps, .kWarps = warps / rowWarps, .splits = splits};
    shape.resident = 1;
    const std::int64_t spans = coveredBy(product.k, problem.codes.span());
    shape.trips =
        roundedUp(coveredBy(spans, std::int64_t{shape.kWarps} * splits), problem.codes.step());
    const std::int64_t items =
        coveredBy(product.columns(), kWeightRows / product.halves * rowWarps);
    shape.clusters = std::min<std::int64_t>(items, problem.processors / splits);
    const std::int64_t most = problem.hasClusters ? kMostStreamedBytes : kMostSharedWithoutClusters;
    for (shape.stages = kMostStages; shape.stages > 1; --shape.stages) {
        if (streamedBytes(problem, shape) <= most)
            break;
    }
    // More spans than there are: a warp has nothing to do.
    if (shape.stages < 2 || shape.clusters == 0 ||
        (shape.trips * (shape.kWarps * splits - 1) >= spans && shape.kWarps * splits > 1))
        return std::nullopt;
    shape.sharedBytes = static_cast<int>(streamedBytes(problem, shape));
    const auto tiles = static_cast<double>(coveredBy(product.a.rows, kTileRows));
    const double step = std::max(kAlone, kOfAll * warps) * (1.0 + (tiles - 1.0) * kTileCost);
    const auto rounds = static_cast<double>(coveredBy(items, shape.clusters));
    return ShapeEstimate{shape,
                         rounds * (static_cast<double>(shape.trips) * step + kItemCost * splits)};
}

}  // namespace

std::vector<SkinnyShape> streamedShapes(const SkinnyProduct& skinny, const StreamedCodes& codes,
                                        int processors, bool hasClusters)
{
    const StreamedProblem problem{skinny, codes, processors, hasClusters};
    return fastestShapes(kStreamedWarps, kStreamedSplits, kMostShapesTried,
                         [&](int rowWarps, int warps, int splits) {
                             return estimated(problem, rowWarps, warps, splits);
                         });
}

}  // namespace qs::core
