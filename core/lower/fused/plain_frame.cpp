#include "core/lower/fused/plain_product.h"

namespace qs::core {

namespace {

constexpr std::string_view kPlainFrame = R"(
constexpr int kNeighbours = QS_NEIGHBOURS, kTogether = 4 * kNeighbours;  // columns of a thread, of four
constexpr int kBlocksK = (QS_K_BYTES + 127) / 128;
constexpr int kWarpOut = 32;  // columns of the result, of a warp
constexpr int kWarpsN = kOutN / kWarpOut, kWarpsM = QS_THREADS / 32 / kWarpsN;
constexpr int kParts = kTileM / kWarpsM / 16;    // of a warp, 16 rows each
constexpr int kLines = kHalves * kWarpOut / 8;   // of a warp, 8 columns each
constexpr int kABytes = kTileM * 128, kStageBytes = kABytes + kTileN * 128;
constexpr int kPass = QS_THREADS / 8, kCopiesA = kTileM / kPass, kCopiesB = kTileN / kPass;  // rows that are copied at once

#if __CUDA_ARCH__ == 900
constexpr int kUnrolled = kFloat8 ? 1 : 4;  // Hopper's warps make float16 of it first: that takes registers
#else
constexpr int kUnrolled = 4;
#endif

// Sixteen bytes of a row. Those of eight rows that are read at once lie in different banks.
__device__ __forceinline__ unsigned char* qs_piece_of(unsigned char* rows, int row, int piece)
{ return rows + row * 128 + (piece ^ row % 8) * 16; }

// What a thread copies of each block of k: a piece of some rows. Beyond the operand there are zeros.
struct qs_places { qs_offset first[kCopiesA], second[kCopiesB]; unsigned inside; };
// Which column of the result, from the first of a tile on, a row of the second operand in shared memory belongs to.
__device__ __forceinline__ int qs_column_in_tile(int row)
{
    const int within = row % kTogether;
    return row % kOutN / kTogether * kTogether + within % 8 / 2 * kNeighbours + within / 8 * 2 + within % 2;
}
__device__ __forceinline__ qs_places qs_places_of(int m, int n)
{
    qs_places places;
    places.inside = 0;
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
        const int row = m * kTileM + i * kPass + (int)threadIdx.x / 8;
        const bool inside = row < QS_M;
        places.first[i] = (qs_offset)(inside ? row : 0) * QS_FIRST_PITCH;
        places.inside |= (unsigned)inside << i;
    }
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
        const int row = i * kPass + (int)threadIdx.x / 8, column = n * kOutN + qs_column_in_tile(row);
        const bool inside = column < QS_N;
        places.second[i] = (qs_offset)(inside ? row / kOutN * QS_N + column : 0) * QS_SECOND_PITCH;
        places.inside |= (unsigned)inside << (kCopiesA + i);
    }
    return places;
}
__device__ __forceinline__ void qs_copy_block(unsigned char* stage, const qs_places& places, int k, QS_PARAMETERS)
{
    const int row = (int)threadIdx.x / 8, piece = (int)threadIdx.x % 8, at = k * 128 + piece * 16;
    // Of the last block of k only some bytes may be there.
    const int left = QS_K_BYTES - at, bytes = QS_K_BYTES % 128 == 0 || left >= 16 ? 16 : left > 0 ? left : 0;
    const int from = bytes > 0 ? at : 0;
    unsigned char* const to = qs_piece_of(stage, row, piece);
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i)
        qs_copy_sixteen(to + i * kPass * 128, QS_FIRST + places.first[i] + from, QS_M % kTileM == 0 || (places.inside >> i & 1) != 0 ? bytes : 0);
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i)
        qs_copy_sixteen(to + kABytes + i * kPass * 128, QS_SECOND + places.second[i] + from,
                        QS_N % kOutN == 0 || (places.inside >> (kCopiesA + i) & 1) != 0 ? bytes : 0);
}

// The part of a warp: 32 bytes of k after the other.
__device__ __forceinline__ void qs_multiply_block(qs_sum (&d)[kParts][kLines][4], unsigned char* stage)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int row = warp / kWarpsN * kParts * 16 + lane % 16, column = warp % kWarpsN * kWarpOut + lane / 16 * 8 + lane % 8;
    #pragma unroll kUnrolled
    for (int s = 0; s < 4; ++s) {
        unsigned a[kParts][4], b[kLines / 2][4];
        #pragma unroll
        for (int p = 0; p < kParts; ++p) qs_read_four(a[p], qs_piece_of(stage, row + p * 16, 2 * s + lane / 16));
        #pragma unroll
        for (int l = 0; l < kLines / 2; ++l)
            qs_read_four(b[l], qs_piece_of(stage + kABytes, l * 16 / kWarpOut * kOutN + column + l * 16 % kWarpOut, 2 * s + lane / 8 % 2));
        #pragma unroll
        for (int p = 0; p < kParts; ++p)
            #pragma unroll
            for (int l = 0; l < kLines; ++l)
                QS_MULTIPLY(d[p][l], a[p][0], a[p][1], a[p][2], a[p][3], b[l / 2][l % 2 * 2], b[l / 2][l % 2 * 2 + 1]);
    }
}

// `Whole`: no row or column of the tile is beyond the result. Without branches the compiler mixes all of it.
template <bool Whole> __device__ __forceinline__ void qs_write(const qs_sum (&d)[kParts][kLines][4], int row, int column, QS_PARAMETERS)
{
    constexpr int kRows = 2 * kParts;
    qs_row_reads rows[kRows];
    #pragma unroll
    for (int i = 0; i < kRows; ++i) rows[i] = qs_read_row(row + 8 * i < QS_M ? row + 8 * i : QS_M - 1, QS_ARGUMENTS);
    #pragma unroll
    for (int group = 0; group < kWarpOut / kTogether; ++group) {
        const int first = column + group * kTogether, there = first < QS_N ? first : QS_N - kNeighbours;
        const qs_column_reads columns = qs_read_columns(there, QS_ARGUMENTS);
        #pragma unroll
        for (int i = 0; i < kRows; ++i) {
            const int r = row + 8 * i;
            const qs_reads reads = qs_read(r < QS_M ? r : QS_M - 1, there, QS_ARGUMENTS);
            qs_sum acc[kHalves][kNeighbours];
            #pragma unroll
            for (int half = 0; half < kHalves; ++half)
                #pragma unroll
                for (int j = 0; j < kNeighbours; ++j)
                    acc[half][j] = d[i / 2][(half * kWarpOut + group * kTogether) / 8 + j / 2][i % 2 * 2 + j % 2];
            if (Whole || (r < QS_M && first < QS_N)) qs_finish(r, first, acc, rows[i], columns, reads, QS_ARGUMENTS);
        }
    }
}

extern "C" __global__ void __launch_bounds__(QS_THREADS, QS_RESIDENT) QS_PRODUCT(QS_PARAMETERS)
{
    unsigned char* const storage = (unsigned char*)qs_shared_memory();
    int m, n;
    qs_tile(blockIdx.x, m, n);
    const qs_places places = qs_places_of(m, n);
    qs_wait_for_others();
    #pragma unroll
    for (int k = 0; k < kStages - 1; ++k) {
        if (k < kBlocksK) qs_copy_block(storage + k * kStageBytes, places, k, QS_ARGUMENTS);
        qs_end_copies();
    }
    qs_sum d[kParts][kLines][4] = {};
    int stage = 0, free = kStages - 1;
    #pragma unroll 1
    for (int k = 0; k < kBlocksK; ++k) {
        qs_wait_for_copies<kStages - 2>();
        __syncthreads();  // all have copied this block of k, and have multiplied the one before
        if (k + kStages - 1 < kBlocksK) qs_copy_block(storage + free * kStageBytes, places, k + kStages - 1, QS_ARGUMENTS);
        qs_end_copies();
        qs_multiply_block(d, storage + stage * kStageBytes);
        free = stage;
        if (++stage == kStages) stage = 0;
    }
    qs_let_others_start();
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int row = m * kTileM + warp / kWarpsN * kParts * 16 + lane / 4, column = n * kOutN + warp % kWarpsN * kWarpOut + lane % 4 * kNeighbours;
    const bool whole = (QS_M % kTileM == 0 || (m + 1) * kTileM <= QS_M) && (QS_N % kOutN == 0 || (n + 1) * kOutN <= QS_N);
    if (whole) qs_write<true>(d, row, column, QS_ARGUMENTS);
    else qs_write<false>(d, row, column, QS_ARGUMENTS);
}
)";

}  // namespace

std::string_view plainFrame()
{
    return kPlainFrame;
}

}  // namespace qs::core
