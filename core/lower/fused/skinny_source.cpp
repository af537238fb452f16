#include "core/lower/fused/skinny_source.h"

#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/weight_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace qs::core {

namespace {

constexpr int kFinished = 4;    // columns of the result that a thread finishes at once
constexpr int kBlockRows = 16;  // of weights
constexpr std::array kWarps{8, 4, 16};

constexpr std::string_view kFrame = R"(
constexpr int kColumns = QS_COLUMNS, kPairs = kColumns / 2;  // of k, that a thread widens at once
constexpr int kWarps = QS_WARPS, kSpan = 4 * kColumns, kStep = kWarps * kSpan, kTrips = (QS_K + kStep - 1) / kStep;
constexpr int kTilesM = (QS_M + 7) / 8, kOut = 16 / kHalves;  // columns of the result that a block computes
constexpr int kAhead = kTrips < 4 ? kTrips : 4;

// What a thread reads of both of its rows of weights.
struct qs_two { qs_weight_reads upper, lower; };
__device__ __forceinline__ qs_two qs_read_two(qs_index upper, qs_index lower, qs_index k, QS_PARAMETERS)
{
    const qs_index inside = k < QS_K ? k : QS_K - kColumns;  // what is read there is not used
    return {qs_read_weight(upper, inside, QS_ARGUMENTS), qs_read_weight(lower, inside, QS_ARGUMENTS)};
}

// The columns of the first operand that belong to a thread's weights: of the row that it has in a tile.
__device__ __forceinline__ void qs_read_first(int row, qs_index k, unsigned (&pairs)[kPairs], const unsigned short* first)
{
    #pragma unroll
    for (int c = 0; c < kPairs / 4; ++c) {
        qs_four x = {};
        if (row < QS_M && k < QS_K) x = *(const qs_four*)(first + (qs_index)row * QS_PITCH + k + 8 * c);
        unsigned ordered[4];
        qs_order(x, ordered);
        #pragma unroll
        for (int p = 0; p < 4; ++p) pairs[4 * c + p] = ordered[p];
    }
}

extern "C" __global__ void __launch_bounds__(kWarps * 32) QS_NAME(QS_PARAMETERS)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4;
    const qs_index first = (qs_index)blockIdx.x * kOut;
    const qs_index upper = first + row, below = kHalves == 2 ? QS_N + first + row : first + row + 8;
    const qs_index lower = below < kHalves * QS_N ? below : kHalves * QS_N - 1;  // whose results nobody takes
    qs_index k = warp * kSpan + lane % 4 * kColumns;
    if (!QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    const qs_weight_row of_upper = qs_read_weight_row(upper, QS_ARGUMENTS), of_lower = qs_read_weight_row(lower, QS_ARGUMENTS);
    qs_two ahead[kAhead];
    #pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = qs_read_two(upper, lower, k + a * kStep, QS_ARGUMENTS);
    if (QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    float d[kTilesM][4] = {};
    #pragma unroll 1
    for (int trip = 0; trip < kTrips; trip += kAhead)
        #pragma unroll
        for (int a = 0; a < kAhead; ++a) {
            if (kTrips % kAhead != 0 && trip + a >= kTrips) continue;
            const qs_two now = ahead[a];
            if (trip + a + kAhead < kTrips) ahead[a] = qs_read_two(upper, lower, k + kAhead * kStep, QS_ARGUMENTS);
            unsigned wide[2][kPairs] = {};
            if (QS_K % kStep == 0 || k < QS_K) {
                qs_widen(upper, k, of_upper, now.upper, wide[0], QS_ARGUMENTS);
                qs_widen(lower, k, of_lower, now.lower, wide[1], QS_ARGUMENTS);
            }
            #pragma unroll
            for (int tile = 0; tile < kTilesM; ++tile) {
                unsigned x[kPairs];
                qs_read_first(tile * 8 + row, k, x, QS_FIRST);
                #pragma unroll
                for (int p = 0; p < kPairs; p += 2)
                    QS_MULTIPLY(d[tile], wide[0][p], wide[1][p], wide[0][p + 1], wide[1][p + 1], x[p], x[p + 1]);
            }
            k += kStep;
        }
    qs_let_others_start();
    __shared__ float sums[kWarps][kTilesM * 8][17];
    #pragma unroll
    for (int tile = 0; tile < kTilesM; ++tile)
        #pragma unroll
        for (int i = 0; i < 4; ++i) sums[warp][tile * 8 + lane % 4 * 2 + i % 2][row + i / 2 * 8] = d[tile][i];
    __syncthreads();
    constexpr int kTogether = kOut / QS_NEIGHBOURS;
    for (int item = threadIdx.x; item < QS_M * kTogether; item += kWarps * 32) {
        const int r = item / kTogether, column = item % kTogether * QS_NEIGHBOURS;
        if (first + column >= QS_N) continue;
        qs_sum acc[kHalves][QS_NEIGHBOURS];
        #pragma unroll
        for (int half = 0; half < kHalves; ++half)
            #pragma unroll
            for (int j = 0; j < QS_NEIGHBOURS; ++j) {
                float sum = 0.0f;
                #pragma unroll
                for (int w = 0; w < kWarps; ++w) sum += sums[w][r][half * 8 + column + j];
                acc[half][j] = sum;
            }
        qs_finish(r, first + column, acc, qs_read_row(r, QS_ARGUMENTS), qs_read_columns(first + column, QS_ARGUMENTS),
                  qs_read(r, first + column, QS_ARGUMENTS), QS_ARGUMENTS);
    }
}
)";

std::string sizesText(const SkinnyProduct& skinny, const KernelFrame& frame, int width, int warps,
                      bool early)
{
    const MatrixProduct& product = skinny.product;
    const char* type = product.type == ProductType::BFloat16 ? "bf16" : "f16";
    return fmt::format(
        "#define QS_M {0}\n#define QS_N {1}\n#define QS_K {2}\n#define QS_PITCH {3}\n"
        "#define QS_FIRST x{4}_\n#define QS_NAME {5}\n#define QS_WARPS {6}\n"
        "#define QS_COLUMNS {7}\n#define QS_NEIGHBOURS {8}\n"
        "#define QS_CODES_ARE_WEIGHTS {9}\n"
        "#define QS_PARAMETERS {10}\n#define QS_ARGUMENTS {11}\n"
        "#define QS_FMA2 qs_fma2_{12}\n#define QS_PAIR qs_pair_{12}\n"
        "#define QS_MULTIPLY qs_multiply_{12}\n"
        "typedef float qs_sum;\nconstexpr int kHalves = {13};\n",
        product.a.rows, product.columns(), product.k, product.a.pitch, product.a.input, frame.name,
        warps, width, kFinished, early ? 1 : 0, parametersOf(frame), argumentsOf(frame), type,
        product.halves);
}

}  // namespace

Result<std::vector<SkinnySource>> skinnySources(const Graph& group, const InputStrides& strides,
                                                Division division, const std::vector<bool>& weights)
{
    const auto skinny = skinnyProduct(group, strides);
    if (!skinny)
        return Error{ErrorCode::Unsupported, "operands that lie in another way"};
    const MatrixProduct& product = skinny->product;
    QS_TRY(const WeightReader reader, weightReader(group, strides, division, *skinny));
    const Rows rows{product.a.rows, product.columns()};
    KernelShape place;
    place.width = kFinished;
    const std::string name =
        namedAfter(group, reader.width == kByteCodes ? "qs_skinny_8bit" : "qs_skinny_4bit");
    // Whether all that the weights are made of is there before a pass.
    const bool early =
        !weights.empty() && std::all_of(reader.inputs.begin(), reader.inputs.end(),
                                        [&](std::size_t input) { return weights[input]; });
    const int out = kBlockRows / product.halves;
    KernelFrame frame{group, place, rows, rows.length, name};
    QS_TRY(const std::string finish, KernelWriter(frame, strides, division, &product).write());
    std::vector<SkinnySource> sources;
    for (const int warps : kWarps) {
        frame.name = fmt::format("{}_w{}", name, warps);
        sources.push_back({sizesText(*skinny, frame, reader.width, warps, early) + finish +
                               reader.text + std::string(kFrame),
                           frame.name, *skinny, warps, (product.columns() + out - 1) / out});
    }
    return sources;
}

}  // namespace qs::core
