#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/skinny_shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace qs::core {

namespace {

constexpr std::array kStreamedRowWarps{1, 2, 4, 8};
constexpr std::array kStreamedWarps{8, 16};
constexpr std::array kStreamedSplits{1, 2, 4};
constexpr std::size_t kMostStreamed = 6;
constexpr int kMostStages = 4;
constexpr std::int64_t kMostStreamedBytes = 224 * 1024;   // of a block
constexpr std::int64_t kMostWithoutClusters = 96 * 1024;  // without clusters
constexpr std::int64_t kWeightRows = 16;                  // of weights, of a warp
constexpr std::int64_t kFirstRows = 8;                    // of the first operand

// In steps of a warp: a span of its rows.
struct StreamedEstimate {
    SkinnyShape shape;
    double time = 0.0;
};

struct StreamedProblem {
    const SkinnyProduct& skinny;
    const StreamedCodes& codes;
    int processors;
    bool hasClusters;
};

std::int64_t toWhole(std::int64_t size, std::int64_t unit)
{
    return coveredBy(size, unit) * unit;
}

// What the kernel declares, member by member.
std::int64_t streamedBytes(const StreamedProblem& problem, const SkinnyShape& shape)
{
    constexpr std::int64_t kChunkBytes = 2048;
    constexpr std::int64_t kLineSpans = 2;
    constexpr std::int64_t kOperandLanes = 32;
    constexpr std::int64_t kElement = 2;
    constexpr std::int64_t kSumRow = 17;
    constexpr std::int64_t kAligned = 16;
    const std::int64_t rows = problem.skinny.product.a.rows;
    const std::int64_t spans = shape.trips * shape.kWarps;
    const std::int64_t copied = problem.codes.operandBytes(shape.trips);
    std::int64_t slots = 1;
    if (problem.codes.group > 0) {
        const std::int64_t trips = copied / kElement * (problem.codes.group / problem.codes.span());
        slots = coveredBy(kLineSpans * (shape.stages - 1), trips) + 2;
    }
    const std::int64_t ahead = shape.warps() * (shape.stages * kChunkBytes +
                                                toWhole(slots * kOperandLanes * copied, kAligned));
    const std::int64_t first = spans * problem.codes.span() * rows * kElement;
    const std::int64_t sumsOfFirst =
        spans * coveredBy(rows, kFirstRows) * kFirstRows * std::int64_t{sizeof(float)};
    const std::int64_t sums = 2 * shape.warps() * rows * kSumRow * std::int64_t{sizeof(float)};
    return toWhole(ahead + first + sumsOfFirst + sums, kAligned);
}

std::optional<StreamedEstimate> estimated(const StreamedProblem& problem, int rowWarps, int warps,
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
        toWhole(coveredBy(spans, std::int64_t{shape.kWarps} * splits), problem.codes.step());
    const std::int64_t items =
        coveredBy(product.columns(), kWeightRows / product.halves * rowWarps);
    shape.clusters = std::min<std::int64_t>(items, problem.processors / splits);
    const std::int64_t most = problem.hasClusters ? kMostStreamedBytes : kMostWithoutClusters;
    for (shape.stages = kMostStages; shape.stages > 1; --shape.stages) {
        if (streamedBytes(problem, shape) <= most)
            break;
    }
    // More spans than there are: a warp has nothing to do.
    if (shape.stages < 2 || shape.clusters == 0 ||
        (shape.trips * (shape.kWarps * splits - 1) >= spans && shape.kWarps * splits > 1))
        return std::nullopt;
    shape.sharedBytes = static_cast<int>(streamedBytes(problem, shape));
    const auto tiles = static_cast<double>(coveredBy(product.a.rows, kFirstRows));
    const double step = std::max(kAlone, kOfAll * warps) * (1.0 + (tiles - 1.0) * kTileCost);
    const auto rounds = static_cast<double>(coveredBy(items, shape.clusters));
    return StreamedEstimate{
        shape, rounds * (static_cast<double>(shape.trips) * step + kItemCost * splits)};
}

}  // namespace

std::vector<SkinnyShape> streamedShapes(const SkinnyProduct& skinny, const StreamedCodes& codes,
                                        int processors, bool hasClusters)
{
    const StreamedProblem problem{skinny, codes, processors, hasClusters};
    std::vector<StreamedEstimate> all;
    for (const int rowWarps : kStreamedRowWarps) {
        for (const int warps : kStreamedWarps) {
            for (const int splits : kStreamedSplits) {
                if (const auto one = estimated(problem, rowWarps, warps, splits))
                    all.push_back(*one);
            }
        }
    }
    std::stable_sort(
        all.begin(), all.end(),
        [](const StreamedEstimate& a, const StreamedEstimate& b) { return a.time < b.time; });
    std::vector<SkinnyShape> shapes;
    for (const StreamedEstimate& each : all) {
        if (shapes.size() < kMostStreamed)
            shapes.push_back(each.shape);
    }
    return shapes;
}

}  // namespace qs::core
