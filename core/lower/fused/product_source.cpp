#include "core/lower/fused/product_source.h"

#include "core/lower/fused/kernel_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
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
constexpr std::array kProductTiles{Tile{128, 128, 1.0}, Tile{64, 128, 1.15}, Tile{64, 64, 1.4}};

std::int64_t parts(std::int64_t whole, std::int64_t part)
{
    return (whole + part - 1) / part;
}

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

// The tile with which the processors have done soonest: all of them compute one tile at a time.
ProductShape shapeOf(const MatrixProduct& product, int processors)
{
    ProductShape shape;
    shape.neighbours = neighboursOf(product.columns());
    double least = std::numeric_limits<double>::infinity();
    for (const Tile& tile : kProductTiles) {
        const std::int64_t count = parts(product.a.rows, tile.rows) *
                                   parts(product.columns(), tile.columns / product.halves);
        const double time =
            static_cast<double>(parts(count, processors) * tile.rows) * tile.columns * tile.cost;
        if (time >= least)
            continue;
        least = time;
        shape.rows = tile.rows;
        shape.columns = tile.columns;
        shape.blocks = std::min<std::int64_t>(count, processors);
    }
    const int stage = (shape.rows + shape.columns) * kProductBytes;
    constexpr int kBarriers = 2 * 8;  // bytes of those of a stage
    shape.stages = (kSharedBytes - kAlignment) / (stage + kBarriers);
    shape.sharedBytes = shape.stages * (stage + kBarriers) + kAlignment;
    return shape;
}

std::string_view nameOf(ProductType type)
{
    return type == ProductType::Int8 ? "qs_product_int8" : "qs_product_e4m3";
}

// The instruction that multiplies 64 rows by `columns`, for 32 bytes of k.
std::string multiplyText(ProductType type, int columns)
{
    const bool whole = type == ProductType::Int8;
    const int sums = columns / 2;  // of a thread
    std::string list;
    std::string operands;
    for (int i = 0; i < sums; ++i) {
        list += fmt::format("{}%{}", i == 0 ? "" : ", ", i);
        operands += fmt::format("{}\"+{}\"(d[{}])", i == 0 ? "" : ", ", whole ? 'r' : 'f', i);
    }
    return fmt::format(
        "typedef {0} qs_sum;\n#define QS_HELD \"+{1}\"\n"
        "__device__ __forceinline__ void qs_multiply(qs_sum (&d)[{2}], unsigned long long a, "
        "unsigned long long b, int more)\n{{\n"
        "    asm volatile(\"{{\\n.reg .pred p;\\nsetp.ne.b32 p, %{3}, 0;\\n"
        "wgmma.mma_async.sync.aligned.m64n{4}k32.{5} {{{6}}}, %{2}, %{7}, p{8};\\n}}\" : {9} : "
        "\"l\"(a), \"l\"(b), \"r\"(more));\n}}\n",
        whole ? "int" : "float", whole ? 'r' : 'f', sums, sums + 2, columns,
        whole ? "s32.s8.s8" : "f32.e4m3.e4m3", list, sums + 1, whole ? "" : ", 1, 1", operands);
}

std::string sizesText(const MatrixProduct& product, const ProductShape& shape,
                      const KernelFrame& frame)
{
    return fmt::format("#define QS_M {}\n#define QS_N {}\n#define QS_K {}\n#define QS_TILE_M {}\n"
                       "#define QS_TILE_N {}\n#define QS_NEIGHBOURS {}\n#define QS_STAGES {}\n"
                       "#define QS_PRODUCT {}\n"
                       "#define QS_PARAMETERS {}\n#define QS_ARGUMENTS {}\n",
                       product.a.rows, product.columns(), product.k, shape.rows, shape.columns,
                       shape.neighbours, shape.stages, frame.name, parametersOf(frame),
                       argumentsOf(frame));
}

}  // namespace

Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                    Division division, int processors)
{
    const auto product = matrixProduct(group, strides);
    if (!product)
        return Error{ErrorCode::Unsupported, "operands that lie in another way"};
    const ProductShape shape = shapeOf(*product, processors);
    const Rows rows{product->a.rows, product->columns()};
    KernelShape place;
    place.width = shape.neighbours;
    const KernelFrame frame{group, place, rows, rows.length,
                            namedAfter(group, std::string(nameOf(product->type)))};
    QS_TRY(std::string finish, KernelWriter(frame, strides, division, &*product).write());
    finish = fmt::format("constexpr int kHalves = {};\n", product->halves) + finish;
    std::string text = sizesText(*product, shape, frame) +
                       multiplyText(product->type, shape.columns) + finish + productFrame();
    return ProductSource{std::move(finish), std::move(text), frame.name, *product, shape};
}

}  // namespace qs::core
