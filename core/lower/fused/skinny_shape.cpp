#include "core/lower/fused/skinny_shape.h"

#include "core/lower/fused/kernel_shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace qs::core {

namespace {

constexpr std::array kBlockWarps{4, 8, 16};  // of a block
constexpr std::array kClusterSizes{1, 2, 4, 8};
constexpr int kWarpsResident = 16;                // of a processor: each thread has 128 registers
constexpr std::int64_t kMostShared = 220 * 1024;  // of a processor

struct Problem {
    const SkinnyProduct& skinny;
    std::int64_t columns;  // of k, of a thread
    int processors;
    bool hasClusters;
};

// As the text of the kernel has it.
std::int64_t stagedBytes(const Problem& problem, std::int64_t spans)
{
    constexpr std::int64_t kPieceBytes = 16;
    constexpr std::int64_t kPieceColumns = 8;
    constexpr std::int64_t kMostPadding = 4;
    const std::int64_t pieces = problem.columns / kPieceColumns;
    return spans * pieces * (problem.skinny.product.a.rows * 4 + kMostPadding) * kPieceBytes;
}

// Processors for clusters of that size: they come in groups of 16 or 18, which large ones do not
// fill.
std::int64_t atOnce(int processors, int splits)
{
    constexpr int kLarge = 8;
    return splits < kLarge ? processors : processors * 7 / 8;
}

// A step reads 16 rows of weights.
std::optional<ShapeEstimate> expected(const Problem& problem, int rowWarps, int warps, int splits)
{
    constexpr double kTileCost = 0.25;     // of a step, for each tile of the first operand
    constexpr double kItemCost = 1.0;      // adding up and writing, in steps
    constexpr double kStartCost = 3.0;     // until the first weights are there
    constexpr double kStagedCost = 0.004;  // for each piece of the first operand, a warp's
    const MatrixProduct& product = problem.skinny.product;
    if (rowWarps > warps || (splits > 1 && !problem.hasClusters))
        return std::nullopt;
    SkinnyShape shape{.rowWarps = rowWarps, .kWarps = warps / rowWarps, .splits = splits};
    shape.resident = kWarpsResident / warps;
    const std::int64_t spans = coveredBy(product.k, 4 * problem.columns);
    const std::int64_t ownSpans = coveredBy(spans, splits);
    if (splits > 1 && spans < splits)
        return std::nullopt;
    const std::int64_t items =
        coveredBy(product.columns(), kWeightRows / product.halves * rowWarps);
    shape.clusters = std::min(items, std::max<std::int64_t>(1, atOnce(problem.processors, splits) *
                                                                   shape.resident / splits));
    const std::int64_t sums = sumBytes(shape.warps(), product.a.rows);
    const std::int64_t staged = stagedBytes(problem, ownSpans);
    const std::int64_t most = problem.hasClusters ? kMostShared : kMostSharedWithoutClusters;
    shape.staged = (sums + staged) * shape.resident <= most;
    shape.sharedBytes = static_cast<int>(sums + (shape.staged ? staged : 0));
    if (!shape.staged && splits > 1)
        return std::nullopt;
    const auto tiles = static_cast<double>(coveredBy(product.a.rows, kTileRows));
    const double step = 1.0 + tiles * kTileCost * (shape.staged ? 1.0 : 3.0);
    const auto steps = static_cast<double>(coveredBy(ownSpans, shape.kWarps));
    const auto rounds = static_cast<double>(coveredBy(items, shape.clusters));
    const double stagedPieces = static_cast<double>(staged) / 16.0 / shape.warps();
    return ShapeEstimate{shape, kStartCost + rounds * (steps * step + kItemCost) +
                                    (shape.staged ? stagedPieces * kStagedCost : 0.0)};
}

// One item for each block. With one row that is faster.
SkinnyShape oneItem(const Problem& problem, int warps)
{
    constexpr int kOfBytes = 16;  // neighbours, which take more registers
    SkinnyShape shape{.kWarps = warps,
                      .resident = problem.columns > kOfBytes ? kWarpsResident / warps : 1,
                      .staged = false,
                      .isOneItem = true};
    shape.clusters =
        coveredBy(problem.skinny.product.columns(), kWeightRows / problem.skinny.product.halves);
    shape.sharedBytes = static_cast<int>(sumBytes(shape.warps(), problem.skinny.product.a.rows));
    return shape;
}

}  // namespace

std::vector<SkinnyShape> skinnyShapes(const SkinnyProduct& skinny, int columns, int processors,
                                      bool hasClusters)
{
    const Problem problem{skinny, columns, processors, hasClusters};
    std::vector<SkinnyShape> shapes;
    for (const int warps : kBlockWarps)
        shapes.push_back(oneItem(problem, warps));
    const auto others = fastestShapes(kBlockWarps, kClusterSizes, kMostShapesTried - shapes.size(),
                                      [&](int rowWarps, int warps, int splits) {
                                          return expected(problem, rowWarps, warps, splits);
                                      });
    shapes.insert(shapes.end(), others.begin(), others.end());
    return shapes;
}

}  // namespace qs::core
