#include "core/lower/fused/product_source.h"

#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/plain_product.h"
#include "core/lower/fused/wgmma_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace qs::core {

namespace {

constexpr int kSharedBytes = 227 * 1024;  // that a block may have
constexpr int kAlignment = 1024;

struct Tile {
    int rows;
    int columns;
    double cost;  // of an element, beside that of the first; measured on an H200
};
constexpr std::array kProductTiles{Tile{128, 128, 1.0}, Tile{128, 96, 1.08}, Tile{64, 128, 1.15},
                                   Tile{64, 96, 1.25}, Tile{64, 64, 1.4}};
constexpr int kRowsOfTwo = 128;  // two instructions' worth
// Where tiles are few, most processors have none: blocks share one then.
constexpr std::array kSplits{1, 2, 4};

// The sums of a thread are of columns 8q + 2t + e. Rows of the operand come into shared memory in
// an order that makes neighbours of them, so that it reads and writes these at once; as many as the
// columns of the result allow. Where threads exchanged sums instead, an H100 took 159 µs for gates
// that take 135 so.
int neighboursOf(std::int64_t columns)
{
    constexpr int kThreads = 4;  // beside each other
    for (const int neighbours : {8, 4}) {
        if (columns % (kThreads * neighbours) == 0)
            return neighbours;
    }
    return 2;
}

// Of operands in shared memory: 128 bytes of k, and two barriers.
int stageBytes(const Tile& tile)
{
    constexpr int kBarriers = 2 * 8;
    return (tile.rows + tile.columns) * kProductBytes + kBarriers;
}

int stagesOf(const Tile& tile)
{
    return (kSharedBytes - kAlignment) / stageBytes(tile);
}

// Each block has some of k, and each of its threads as many columns to finish as the others'.
bool canSplit(const MatrixProduct& product, const Tile& tile, int splits, int neighbours,
              bool paired)
{
    const std::int64_t blocks = coveredBy(product.rowBytes(), kProductBytes);
    if ((splits - 1) * coveredBy(blocks, splits) >= blocks)
        return false;
    const int steps =
        tile.rows / (paired ? 64 : 32) * (tile.columns / product.halves / (4 * neighbours));
    return steps % splits == 0;
}

// All processors compute one tile at a time, or one part of it.
std::optional<ExpectedShape> expectedShape(const MatrixProduct& product, const Tile& tile,
                                           int splits, int processors)
{
    constexpr double kMeeting = 3.0;  // what blocks take to add their sums up, in blocks of k
    const int neighbours = neighboursOf(product.columns());
    const std::int64_t columns = tile.columns / product.halves;
    const std::int64_t tiles =
        coveredBy(product.a.rows, tile.rows) * coveredBy(product.columns(), columns);
    const bool paired = tile.rows == kRowsOfTwo && tiles * splits <= processors;
    if (columns % (4 * neighbours) != 0 || !canSplit(product, tile, splits, neighbours, paired) ||
        (splits > 1 && tiles * splits > processors))
        return std::nullopt;
    const double k =
        static_cast<double>(coveredBy(coveredBy(product.rowBytes(), kProductBytes), splits)) +
        (splits > 1 ? kMeeting : 0.0);
    const double time = static_cast<double>(coveredBy(tiles * splits, processors) * tile.rows) *
                        tile.columns * tile.cost * k;
    return ExpectedShape{{tile.rows, tile.columns, neighbours, stagesOf(tile),
                          stagesOf(tile) * stageBytes(tile) + kAlignment, splits, paired, tiles,
                          std::min<std::int64_t>(tiles * splits, processors)},
                         time};
}

// How profiles name a product, and its instruction.
struct ProductWords {
    std::string_view kernel;
    MultiplyWords multiply;
};

ProductWords wordsOf(ProductType type)
{
    constexpr std::string_view kName = "qs_multiply";
    switch (type) {
    case ProductType::Int8:
        return {"qs_product_int8", {kName, "s32.s8.s8", 32, "", true}};
    case ProductType::Float8:
        return {"qs_product_e4m3", {kName, "f32.e4m3.e4m3", 32, ", 1, 1"}};
    case ProductType::BFloat16:
        return {"qs_product_bf16", {kName, "f32.bf16.bf16", 16, ", 1, 1, 0, 0"}};
    case ProductType::Float16:
        break;
    }
    return {"qs_product_fp16", {kName, "f32.f16.f16", 16, ", 1, 1, 0, 0"}};
}

std::string sumsText(bool wholeNumbers)
{
    return fmt::format("typedef {0} qs_sum;\n#define QS_HELD \"+{1}\"\n#define QS_TAKEN "
                       "\"={1}\"\n",
                       wholeNumbers ? "int" : "float", wholeNumbers ? 'r' : 'f');
}

std::string sizesText(const MatrixProduct& product, const ProductShape& shape,
                      const KernelFrame& frame)
{
    return fmt::format("#define QS_M {}\n#define QS_N {}\n#define QS_K_BYTES {}\n"
                       "#define QS_TILE_M {}\n#define QS_TILE_N {}\n#define QS_NEIGHBOURS "
                       "{}\n#define QS_STAGES {}\n"
                       "#define QS_PRODUCT {}\n#define QS_PARAMETERS {}\n#define QS_ARGUMENTS {}\n",
                       product.a.rows, product.columns(), product.rowBytes(), shape.rows,
                       shape.columns, shape.neighbours, shape.stages, frame.name,
                       parametersOf(frame), argumentsOf(frame));
}

// What a kernel with Hopper's units has around what follows the sums.
std::string hopperText(const MultiplyWords& multiply, const ProductShape& shape,
                       const std::string& finish, bool early)
{
    const std::string cluster =
        shape.splits > 1 ? fmt::format("__cluster_dims__({}, 1, 1)", shape.splits) : "";
    return fmt::format("#define QS_SPLITS {}\n#define QS_CLUSTER {}\n"
                       "#define QS_SECOND_IS_WEIGHT {}\n#define QS_PAIRED {}\n",
                       shape.splits, cluster, early ? 1 : 0, shape.paired) +
           multiplyText(multiply, shape.columns) + finish + productFrame();
}

Result<MatrixProduct> productOf(const Graph& group, const InputStrides& strides)
{
    if (const auto product = matrixProduct(group, strides))
        return *product;
    return Error{ErrorCode::Unsupported, "operands that lie in another way"};
}

// `early`: the second operand is loaded before the kernels in front have ended.
Result<ProductSource> sourceOf(const Graph& group, const InputStrides& strides, Division division,
                               const MatrixProduct& product, const ProductShape& shape, bool early)
{
    const Rows rows{product.a.rows, product.columns()};
    KernelShape place;
    place.width = shape.neighbours;
    const ProductWords words = wordsOf(product.type);
    const std::string name = namedAfter(group, std::string(words.kernel));
    const KernelFrame frame{
        group, place, rows, rows.length, name + "_" + shape.name(), reachOf(group, strides)};
    QS_TRY(std::string finish, KernelWriter(frame, strides, division, &product).write());
    finish = fmt::format("constexpr int kHalves = {};\n", product.halves) + finish;
    std::string text =
        sizesText(product, shape, frame) + sumsText(words.multiply.wholeNumbers) +
        (shape.units == ProductUnits::Plain ? plainText(product, shape, finish)
                                            : hopperText(words.multiply, shape, finish, early));
    return ProductSource{std::move(finish), std::move(text), frame.name, product, shape};
}

}  // namespace

std::vector<ExpectedShape> expectedShapes(const MatrixProduct& product, const ProductChip& chip)
{
    if (chip.units == ProductUnits::Plain)
        return plainShapes(product, chip, neighboursOf(product.columns()));
    std::vector<ExpectedShape> expected;
    for (const Tile& tile : kProductTiles) {
        for (const int splits : kSplits) {
            if (auto shape = expectedShape(product, tile, splits, chip.processors))
                expected.push_back(*shape);
        }
    }
    return expected;
}

std::vector<ProductShape> productShapes(const MatrixProduct& product, const ProductChip& chip)
{
    constexpr double kWorthTrying = 1.4;  // of the least time that is expected
    constexpr double kWorthTryingPlain = 1.6;
    return worthTrying(expectedShapes(product, chip),
                       chip.units == ProductUnits::Plain ? kWorthTryingPlain : kWorthTrying);
}

Result<std::vector<ProductSource>> productSources(const Graph& group, const InputStrides& strides,
                                                  Division division, const ProductChip& chip,
                                                  const std::vector<bool>& weights)
{
    QS_TRY(const MatrixProduct product, productOf(group, strides));
    std::vector<ProductSource> sources;
    for (const ProductShape& shape : productShapes(product, chip)) {
        QS_TRY(ProductSource source, productSource(group, strides, division, shape, weights));
        sources.push_back(std::move(source));
    }
    return sources;
}

Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                    Division division, const ProductShape& shape,
                                    const std::vector<bool>& weights)
{
    QS_TRY(const MatrixProduct product, productOf(group, strides));
    const bool early = !weights.empty() && weights[product.b.input];
    return sourceOf(group, strides, division, product, shape, early);
}

Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                    Division division, const ProductChip& chip)
{
    QS_TRY(const MatrixProduct product, productOf(group, strides));
    return productSource(group, strides, division, productShapes(product, chip).front(), {});
}

}  // namespace qs::core
