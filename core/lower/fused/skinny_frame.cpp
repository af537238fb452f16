#include "core/lower/fused/skinny_source.h"

namespace qs::core {

namespace {

constexpr std::string_view kSkinnyCommon = R"(
constexpr int kWarps = kRowWarps * kWarpsOfK;
constexpr int kTilesM = (QS_M + 7) / 8;
constexpr int kWarpOut = 16 / kHalves, kOut = kWarpOut * kRowWarps;  // columns of the result, of a warp and of an item
constexpr int kItems = (QS_N + kOut - 1) / kOut, kClusters = QS_BLOCKS / kSplits;
typedef float qs_sums[kWarps][QS_M][17];  // of an item

// Adds up what the warps and the blocks have of an item, and finishes it: each block a part.
__device__ __forceinline__ void qs_finish_item(int item, int rank, const qs_sums& sums, QS_PARAMETERS)
{
    constexpr int kTogether = kOut / QS_NEIGHBOURS, kAll = QS_M * kTogether, kThreads = kWarps * 32;
    #pragma unroll 1
    for (int i = rank * kThreads + threadIdx.x; i < kAll; i += kSplits * kThreads) {
        const int r = i / kTogether, at = i % kTogether * QS_NEIGHBOURS, column = item * kOut + at;
        if (column >= QS_N) continue;
        const int row_warp = at / kWarpOut, within = at % kWarpOut;
        qs_sum acc[kHalves][QS_NEIGHBOURS] = {};
        #pragma unroll
        for (int half = 0; half < kHalves; ++half)
            #pragma unroll
            for (int j = 0; j < QS_NEIGHBOURS; ++j)
                #pragma unroll
                for (int block = 0; block < kSplits; ++block)
                    #pragma unroll
                    for (int w = 0; w < kWarpsOfK; ++w) {
                        const float* own = &sums[row_warp * kWarpsOfK + w][r][half * 8 + within + j];
                        acc[half][j] += kSplits == 1 ? *own : qs_read_there(own, block);
                    }
        qs_finish(r, column, acc, qs_read_row(r, QS_ARGUMENTS), qs_read_columns(column, QS_ARGUMENTS),
                  qs_read(r, column, QS_ARGUMENTS), QS_ARGUMENTS);
    }
}
)";

constexpr std::string_view kFrame = R"(
constexpr int kColumns = QS_COLUMNS, kPairs = kColumns / 2;  // of k, that a thread widens at once
constexpr int kSpan = 4 * kColumns, kSpans = (QS_K + kSpan - 1) / kSpan;  // of k, that a warp takes at once
constexpr int kOwnSpans = (kSpans + kSplits - 1) / kSplits;               // of a block
constexpr int kTrips = (kOwnSpans + kWarpsOfK - 1) / kWarpsOfK;           // of a warp
constexpr int kAhead = kTrips < 4 ? kTrips : 4, kSteps = (kTrips + kAhead - 1) / kAhead * kAhead;
// Eight numbers of a row of the first operand lie together in shared memory, those that a warp reads at once behind each
// other; lines are so long that what is written at once lies in different banks.
constexpr int kPieces = kColumns / 8, kLine = QS_M * 4 + (kPieces == 4 ? 2 : QS_M % 2 == 0 ? 4 : 0);
constexpr int kStagedBytes = kStaged ? kOwnSpans * kPieces * kLine * 16 : 0;

// What a thread reads of both of its rows of weights.
struct qs_two { qs_weight_reads upper, lower; };
// The rows of a thread in an item; beyond the last one: some row whose results nobody takes.
struct qs_rows { qs_index upper, lower; };
__device__ __forceinline__ qs_rows qs_rows_of(int item, int row, int row_warp)
{
    const int first = item * kOut + row_warp * kWarpOut + row, second = kHalves == 2 ? QS_N + first : first + 8;
    const int last = kHalves * QS_N - 1;
    return {(qs_index)(first < last ? first : last), (qs_index)(second < last ? second : last)};
}
// Where a thread is in k at a trip; kHalves and beyond: nowhere.
__device__ __forceinline__ qs_index qs_column_of(int trip, int rank, int k_warp, int lane)
{
    const int span = trip * kWarpsOfK + k_warp;
    return span < kOwnSpans ? (qs_index)((rank * kOwnSpans + span) * kSpan + lane % 4 * kColumns) : (qs_index)QS_K;
}
__device__ __forceinline__ qs_two qs_read_two(const qs_rows& rows, qs_index k, QS_PARAMETERS)
{
    const qs_index inside = k < QS_K ? k : QS_K - kColumns;  // what is read there is not used
    return {qs_read_weight(rows.upper, inside, QS_ARGUMENTS), qs_read_weight(rows.lower, inside, QS_ARGUMENTS)};
}

// The part of the first operand that belongs to this block, in the order in which its threads multiply.
__device__ __forceinline__ void qs_stage(qs_four* staged, int rank, const unsigned short* first)
{
    constexpr int kLong = kOwnSpans * kPieces * 4;
    #pragma unroll 4
    for (int i = threadIdx.x; i < QS_M * kLong; i += kWarps * 32) {
        const int row = i / kLong, piece = i % kLong;
        const qs_index k = (qs_index)rank * kOwnSpans * kSpan + piece * 8;
        qs_four x = {};
        if (k < QS_K) x = *(const qs_four*)(first + (qs_index)row * QS_PITCH + k);
        qs_four ordered;
        qs_order(x, ordered.at);
        staged[(piece / (4 * kPieces) * kPieces + piece % kPieces) * kLine + row * 4 + piece / kPieces % 4] = ordered;
    }
}
// The columns of the first operand that belong to a thread's weights: of the row that it has in a tile.
__device__ __forceinline__ void qs_read_first(int row, int span, qs_index k, unsigned (&pairs)[kPairs], const qs_four* staged, const unsigned short* first)
{
    #pragma unroll
    for (int c = 0; c < kPieces; ++c) {
        qs_four x = {};
        if (kStaged) {
            if (QS_M % 8 == 0 || row < QS_M) x = staged[(span * kPieces + c) * kLine + row * 4 + threadIdx.x % 4];
        } else {
            qs_four there = {};
            if (row < QS_M && k < QS_K) there = *(const qs_four*)(first + (qs_index)row * QS_PITCH + k + 8 * c);
            qs_order(there, x.at);
        }
        #pragma unroll
        for (int p = 0; p < 4; ++p) pairs[4 * c + p] = x.at[p];
    }
}

// A step of a warp: its 16 rows of weights, along kSpan of k.
__device__ __forceinline__ void qs_multiply_step(float (&d)[kTilesM][4], const qs_rows& rows, qs_index k, int span, const qs_two& now, const qs_weight_row& of_upper, const qs_weight_row& of_lower, const qs_four* staged, QS_PARAMETERS)
{
    unsigned wide[2][kPairs] = {};
    if (QS_K % (kSpan * kSplits) == 0 || k < QS_K) {  // else the first operand is zero there
        qs_widen(rows.upper, k, of_upper, now.upper, wide[0], QS_ARGUMENTS);
        qs_widen(rows.lower, k, of_lower, now.lower, wide[1], QS_ARGUMENTS);
    }
    #pragma unroll
    for (int tile = 0; tile < kTilesM; ++tile) {
        unsigned x[kPairs];
        qs_read_first(tile * 8 + threadIdx.x % 32 / 4, span, k, x, staged, QS_FIRST);
        #pragma unroll
        for (int p = 0; p < kPairs; p += 2)
            QS_MULTIPLY(d[tile], wide[0][p], wide[1][p], wide[0][p + 1], wide[1][p + 1], x[p], x[p + 1]);
    }
}

extern "C" __global__ void QS_CLUSTER __launch_bounds__(kWarps * 32, QS_RESIDENT) QS_NAME(QS_PARAMETERS)
{
    qs_four* const staged = (qs_four*)qs_shared_memory();
    qs_sums* const sums = (qs_sums*)((char*)qs_shared_memory() + kStagedBytes);  // of this item and of the one before
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4;
    const int row_warp = warp / kWarpsOfK, k_warp = warp % kWarpsOfK, rank = blockIdx.x % kSplits;
    int item = blockIdx.x / kSplits;
    if (!QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    qs_rows rows = qs_rows_of(item, row, row_warp);
    qs_weight_row of_upper = qs_read_weight_row(rows.upper, QS_ARGUMENTS), of_lower = qs_read_weight_row(rows.lower, QS_ARGUMENTS);
    qs_two ahead[kAhead];
    #pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = qs_read_two(rows, qs_column_of(a, rank, k_warp, lane), QS_ARGUMENTS);
    if (QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    if (kStaged) {
        qs_stage(staged, rank, QS_FIRST);
        __syncthreads();
    }
    int which = 0;
    #pragma unroll 1
    for (; item < kItems; item += kClusters) {
        const bool more = kItems > kClusters && item + kClusters < kItems;
        const qs_rows next = qs_rows_of(more ? item + kClusters : item, row, row_warp);
        const qs_weight_row of_next_upper = qs_read_weight_row(next.upper, QS_ARGUMENTS), of_next_lower = qs_read_weight_row(next.lower, QS_ARGUMENTS);
        float d[kTilesM][4] = {};
        #pragma unroll 1
        for (int trip = 0; trip < kSteps; trip += kAhead)
            #pragma unroll
            for (int a = 0; a < kAhead; ++a) {
                // Read as early as can be: bytes took 29 instead of 20 us on an H200 where they were read behind the product.
                const qs_two now = ahead[a];
                const int then = trip + a + kAhead;
                const bool here = then < kSteps;
                if (here || more)
                    ahead[a] = qs_read_two(here ? rows : next, qs_column_of(here ? then : then - kSteps, rank, k_warp, lane), QS_ARGUMENTS);
                const int span = (trip + a) * kWarpsOfK + k_warp;
                if (kOwnSpans % (kAhead * kWarpsOfK) == 0 || span < kOwnSpans)
                    qs_multiply_step(d, rows, qs_column_of(trip + a, rank, k_warp, lane), span, now, of_upper, of_lower, staged, QS_ARGUMENTS);
            }
        if (!more) qs_let_others_start();
        #pragma unroll
        for (int tile = 0; tile < kTilesM; ++tile)
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = tile * 8 + lane % 4 * 2 + i % 2;
                if (column < QS_M) sums[which][warp][column][row + i / 2 * 8] = d[tile][i];
            }
        // Whoever has come here has finished the item before, whose sums the next one overwrites.
        if (kSplits > 1) qs_meet_cluster();
        else __syncthreads();
        qs_finish_item(item, rank, sums[which], QS_ARGUMENTS);
        which ^= 1;
        rows = next;
        of_upper = of_next_upper;
        of_lower = of_next_lower;
    }
    if (kSplits > 1) qs_meet_cluster();  // nobody leaves while another reads
}
)";

}  // namespace

std::string_view skinnyCommon()
{
    return kSkinnyCommon;
}

std::string_view skinnyFrame()
{
    return kFrame;
}

}  // namespace qs::core
