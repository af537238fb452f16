#include "core/lower/fused/skinny_shape.h"

#include "core/lower/fused/kernel_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace qs::core {

namespace {

constexpr std::array kRowWarps{1, 2, 4, 8};
constexpr std::array kBlockWarps{4, 8, 16};  // of a block
constexpr std::array kClusterSizes{1, 2, 4, 8};
constexpr std::size_t kMostTried = 6;
constexpr int kWarpsResident = 16;                // of a processor: each thread has 128 registers
constexpr std::int64_t kMostShared = 220 * 1024;  // of a processor
// Of architectures without clusters the smallest that has the units: 8.6 and 8.9.
constexpr std::int64_t kMostSharedOfOthers = 96 * 1024;
constexpr std::int64_t kTileRows = 8;  // of the first operand
constexpr int kRows = 16;              // of weights, of a warp

// In steps of a warp: reads of 16 rows of weights, and what is done with them.
struct Expected {
    SkinnyShape shape;
    double time = 0.0;
};

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

std::int64_t sumBytes(const Problem& problem, const SkinnyShape& shape)
{
    constexpr std::int64_t kSumRow = 17;
    return 2 * shape.warps() * problem.skinny.product.a.rows * kSumRow *
           std::int64_t{sizeof(float)};
}

// Processors for clusters of that size: they come in groups of 16 or 18, which large ones do not
// fill.
std::int64_t atOnce(int processors, int splits)
{
    constexpr int kLarge = 8;
    return splits < kLarge ? processors : processors * 7 / 8;
}

std::optional<Expected> expected(const Problem& problem, int rowWarps, int warps, int splits)
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
    const std::int64_t items = coveredBy(product.columns(), kRows / product.halves * rowWarps);
    shape.clusters = std::min(items, std::max<std::int64_t>(1, atOnce(problem.processors, splits) *
                                                                   shape.resident / splits));
    const std::int64_t sums = sumBytes(problem, shape);
    const std::int64_t staged = stagedBytes(problem, ownSpans);
    const std::int64_t most = problem.hasClusters ? kMostShared : kMostSharedOfOthers;
    shape.staged = (sums + staged) * shape.resident <= most;
    shape.sharedBytes = static_cast<int>(sums + (shape.staged ? staged : 0));
    if (!shape.staged && splits > 1)
        return std::nullopt;
    const auto tiles = static_cast<double>(coveredBy(product.a.rows, kTileRows));
    const double step = 1.0 + tiles * kTileCost * (shape.staged ? 1.0 : 3.0);
    const auto steps = static_cast<double>(coveredBy(ownSpans, shape.kWarps));
    const auto rounds = static_cast<double>(coveredBy(items, shape.clusters));
    const double stagedPieces = static_cast<double>(staged) / 16.0 / shape.warps();
    return Expected{shape, kStartCost + rounds * (steps * step + kItemCost) +
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
        coveredBy(problem.skinny.product.columns(), kRows / problem.skinny.product.halves);
    shape.sharedBytes = static_cast<int>(sumBytes(problem, shape));
    return shape;
}

}  // namespace

std::string SkinnyShape::name() const
{
    if (isOneItem)
        return fmt::format("k{}", kWarps);
    return fmt::format("r{}_k{}_s{}", rowWarps, kWarps, splits) +
           (stages > 0 ? fmt::format("_c{}", stages) : std::string());
}

std::vector<SkinnyShape> skinnyShapes(const SkinnyProduct& skinny, int columns, int processors,
                                      bool hasClusters)
{
    const Problem problem{skinny, columns, processors, hasClusters};
    std::vector<Expected> all;
    for (const int rowWarps : kRowWarps) {
        for (const int warps : kBlockWarps) {
            for (const int splits : kClusterSizes) {
                if (const auto one = expected(problem, rowWarps, warps, splits))
                    all.push_back(*one);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Expected& a, const Expected& b) { return a.time < b.time; });
    std::vector<SkinnyShape> shapes;
    for (const int warps : kBlockWarps)
        shapes.push_back(oneItem(problem, warps));
    for (const Expected& each : all) {
        if (shapes.size() < kMostTried)
            shapes.push_back(each.shape);
    }
    return shapes;
}

}  // namespace qs::core
