#include "core/lower/fused/plain_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace qs::core {

namespace {

struct PlainTile {
    int rows;
    int columns;
    int warps;
    double cost;  // of an element, beside that of the first; expected by what a warp reads for it
};
constexpr std::array kPlainTiles{PlainTile{128, 128, 8, 1.0}, PlainTile{128, 64, 4, 1.1},
                                 PlainTile{64, 64, 4, 1.3}, PlainTile{32, 64, 4, 1.8}};
constexpr int kWarpThreads = 32;
constexpr int kWarpsOfTwo = 4;    // a processor has registers for two blocks of so many
constexpr int kWarpColumns = 32;  // of the result; with two halves it multiplies twice as many

// Where columns of the tile are those of two halves, there are half as many of the result.
bool canHave(const PlainTile& tile, int halves)
{
    constexpr int kInstructionRows = 16;
    const int warpsBeside = tile.columns / halves / kWarpColumns;
    return warpsBeside > 0 && tile.rows % (tile.warps / warpsBeside * kInstructionRows) == 0;
}

int stageBytesOf(const PlainTile& tile)
{
    return (tile.rows + tile.columns) * kProductBytes;
}

struct Stages {
    int count = 0;
    int blocks = 0;  // that a processor holds with them
};

// Two blocks of a processor hide each other's waiting better than one more stage does. Of larger
// blocks it holds one.
Stages stagesWithin(const PlainTile& tile, int sharedBytes)
{
    constexpr int kReserved = 1024;  // of each block, for the driver
    const int most = tile.warps > kWarpsOfTwo ? 1 : 2;
    const int stageBytes = stageBytesOf(tile);
    Stages best;
    for (const int count : {4, 3}) {
        const int blocks =
            std::min(most, (sharedBytes + kReserved) / (count * stageBytes + kReserved));
        if (blocks > best.blocks)
            best = {count, blocks};
    }
    return best;
}

ExpectedShape expectedPlainShape(const MatrixProduct& product, const PlainTile& tile,
                                 const ProductChip& chip, int neighbours)
{
    const Stages stages = stagesWithin(tile, chip.sharedBytes);
    const std::int64_t tiles = coveredBy(product.a.rows, tile.rows) *
                               coveredBy(product.columns(), tile.columns / product.halves);
    ProductShape shape{tile.rows, tile.columns, neighbours, stages.count,
                       stages.count * stageBytesOf(tile)};
    shape.tiles = tiles;
    shape.blocks = tiles;
    shape.units = ProductUnits::Plain;
    shape.threads = tile.warps * kWarpThreads;
    shape.resident = stages.blocks;
    const double time = static_cast<double>(coveredBy(tiles, chip.processors) * tile.rows) *
                        tile.columns * tile.cost;
    return {shape, time};
}

std::string_view multiplyOf(ProductType type)
{
    switch (type) {
    case ProductType::Int8:
        return "qs_multiply_s8";
    case ProductType::Float8:
        return "qs_multiply_e4m3";
    case ProductType::BFloat16:
        return "qs_multiply_bf16";
    case ProductType::Float16:
        break;
    }
    return "qs_multiply_f16";
}

// How far bytes of an operand are from its first.
bool needsWideOffsets(const MatrixProduct& product)
{
    const auto bytes = [&](const ProductOperand& operand) {
        return operand.rows * operand.pitch * elementBytes(product.type);
    };
    return std::max(bytes(product.a), bytes(product.b)) > std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::vector<ExpectedShape> plainShapes(const MatrixProduct& product, const ProductChip& chip,
                                       int neighbours)
{
    std::vector<ExpectedShape> expected;
    for (const PlainTile& tile : kPlainTiles) {
        if (canHave(tile, product.halves))
            expected.push_back(expectedPlainShape(product, tile, chip, neighbours));
    }
    return expected;
}

std::string plainText(const MatrixProduct& product, const ProductShape& shape,
                      const std::string& finish)
{
    const auto operand = [&](std::string_view name, const ProductOperand& of) {
        return fmt::format("#define QS_{0} ((const unsigned char*)x{1}_)\n"
                           "#define QS_{0}_PITCH {2}\n",
                           name, of.input, of.pitch * elementBytes(product.type));
    };
    return operand("FIRST", product.a) + operand("SECOND", product.b) +
           fmt::format("#define QS_MULTIPLY {}\n#define QS_THREADS {}\n#define QS_RESIDENT {}\n"
                       "typedef {} qs_offset;\nconstexpr bool kFloat8 = {};\n",
                       multiplyOf(product.type), shape.threads, shape.resident,
                       needsWideOffsets(product) ? "long long" : "int",
                       product.type == ProductType::Float8) +
           finish + "constexpr int kStages = QS_STAGES, kTileM = QS_TILE_M, kTileN = QS_TILE_N;\n" +
           std::string(tileOrder()) + std::string(plainFrame());
}

}  // namespace qs::core
