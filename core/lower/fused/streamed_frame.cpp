#include "core/lower/fused/streamed_codes.h"

namespace qs::core {

namespace {

constexpr std::string_view kStreamedFrame = R"(
constexpr bool kNibbles = kBits == 4;
constexpr int kColumns = kNibbles ? 32 : 16, kPieces = kColumns / 8;  // codes that a thread multiplies at once, in 16 bytes
constexpr int kSpan = 4 * kColumns, kOwnSpans = kTrips * kWarpsOfK;   // of k, of a warp at once and of a block
constexpr bool kWholeK = kOwnSpans * kSplits * kSpan == QS_K;
constexpr int kRowBytes = QS_K * kBits / 8, kChunk = 2048;            // of codes: in a row, and of all 16 rows in a line of the cache
// Elements of operands that are copied at once, for so many trips.
constexpr int kOperandElements = kOperandBytes / 2, kOperandTrips = kGroupSpans == 0 ? kTrips : kOperandElements * kGroupSpans;
constexpr int kSafeSpans = kGroupSpans == 0 ? 1 : kGroupSpans;
constexpr int kOperandSlots = kGroupSpans == 0 ? 0 : (2 * (kStages - 1) + kOperandTrips - 1) / kOperandTrips + 2;

struct qs_shared {
    unsigned char codes[kWarps][kStages][kChunk];
    unsigned char operands[kWarps][kOperandSlots == 0 ? 1 : kOperandSlots][32][kOperandBytes];
    qs_four x[kOwnSpans][kPieces][QS_M][4];
    float x_sums[kOwnSpans][kTilesM * 8];
    qs_sums sums[2];  // of this item and of the one before
};
static_assert(sizeof(qs_shared) <= QS_SHARED, "shared memory");

// Row `row` of the 16 of a warp in an item; beyond the last one: some row whose results nobody takes.
__device__ __forceinline__ long long qs_row_of(int item, int row_warp, int row)
{
    const int first = item * kOut + row_warp * kWarpOut, at = kHalves == 2 && row >= 8 ? QS_N + first + row - 8 : first + row;
    return QS_N % kOut == 0 || at < kHalves * QS_N ? at : kHalves * QS_N - 1;
}

// Where a warp is in what it copies: 128 bytes of each of its rows at a time, and the operands of these; item by item.
struct qs_stream {
    int item, trip, left;  // `left`: chunks
    int stage, operand_stage;
    int row_warp, first_span;    // of k
    const unsigned char* codes;  // of this thread: a piece of the first of its four rows
    const qs_element* operands;
};
__device__ __forceinline__ void qs_begin_item(qs_stream& stream, QS_PARAMETERS)
{
    const int lane = (int)threadIdx.x % 32;
    stream.trip = 0;
    stream.codes = qs_codes(QS_ARGUMENTS) + qs_row_of(stream.item, stream.row_warp, lane / 8) * kCodesPitch + stream.first_span * 64 + lane % 8 * 16;
    if (kGroupSpans > 0)
        stream.operands = qs_operand(lane % 2, QS_ARGUMENTS) + qs_row_of(stream.item, stream.row_warp, lane / 2) * kOperandPitch + stream.first_span / kSafeSpans;
}
__device__ __forceinline__ void qs_copy_operands(qs_stream& stream, qs_shared& shared)
{
    constexpr int kGroups = ((QS_K + kSpan - 1) / kSpan + kSafeSpans - 1) / kSafeSpans;
    const int lane = (int)threadIdx.x % 32, left = kGroups - (stream.first_span + stream.trip) / kSafeSpans;
    const int elements = kWholeK || left >= kOperandElements ? kOperandElements : left > 0 ? left : 0;
    if (lane % 2 < kOperands)
        qs_copy_some<kOperandBytes>(shared.operands[threadIdx.x / 32][stream.operand_stage][lane], (const unsigned char*)(stream.operands + stream.trip / kSafeSpans), 2 * elements);
    if (++stream.operand_stage == kOperandSlots) stream.operand_stage = 0;
}
// The next chunk, if there is one. Of the eight pieces of a row the latter four lie one row off, so that what is copied
// or read at once lies in different banks.
__device__ __forceinline__ void qs_copy_chunk(qs_stream& stream, qs_shared& shared, QS_PARAMETERS)
{
    if (stream.left > 0) {
        const int lane = (int)threadIdx.x % 32, piece = lane % 8;
        const int bytes = kWholeK || (stream.first_span + stream.trip) * 64 + piece * 16 < kRowBytes ? 16 : 0;
        unsigned char* const to = shared.codes[threadIdx.x / 32][stream.stage] + piece / 4 * 1024 + (lane / 8 ^ piece / 4) * 64 + piece % 4 * 16;
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            const long long rows = QS_N % kOut == 0 ? i % 2 * 4 + i / 2 * (kHalves == 2 ? QS_N : 8)
                : qs_row_of(stream.item, stream.row_warp, 4 * i + lane / 8) - qs_row_of(stream.item, stream.row_warp, lane / 8);
            qs_copy_sixteen(to + i % 2 * 256 + i / 2 * 512, stream.codes + rows * kCodesPitch + stream.trip * 64, bytes);
        }
        if (kGroupSpans > 0 && stream.trip % kOperandTrips == 0) qs_copy_operands(stream, shared);
        if (++stream.stage == kStages) stream.stage = 0;
        stream.trip += 2;
        if (stream.trip == kTrips) {
            stream.item += kClusters;
            qs_begin_item(stream, QS_ARGUMENTS);
        }
        --stream.left;
    }
    qs_end_copies();
}

// The part of the first operand that belongs to this block, in the order in which its threads multiply, and its sums.
__device__ __forceinline__ void qs_stage(qs_shared& shared, int rank, const unsigned short* first)
{
    constexpr int kLong = kOwnSpans * kPieces * 4, kThreads = kWarps * 32;
    #pragma unroll 8
    for (int i = threadIdx.x; i < QS_M * kLong; i += kThreads) {
        const int row = i / kLong, piece = i % kLong, k = rank * kOwnSpans * kSpan + piece * 8;
        qs_four x = {}, ordered;
        if (kWholeK || k < QS_K) x = *(const qs_four*)(first + (long long)row * QS_PITCH + k);
        qs_order(x, ordered.at);
        shared.x[piece / (4 * kPieces)][piece % kPieces][row][piece / kPieces % 4] = ordered;
    }
    __syncthreads();
    constexpr int kAll = kHasSummand || kUnder != 0.0f ? kOwnSpans * QS_M : 0;  // sums of rows beyond the last one are not used
    #pragma unroll 1
    for (int some = 0; some < kAll; some += kThreads / 4) {
        const int i = some + (int)threadIdx.x / 4, span = i / QS_M, row = i % QS_M;
        float sum = 0.0f;
        if (i < kAll)
            #pragma unroll
            for (int c = 0; c < kPieces; ++c)
                #pragma unroll
                for (int p = 0; p < 4; ++p) {
                    const unsigned pair = shared.x[span][c][row][threadIdx.x % 4].at[p];
                    sum += QS_WIDE((unsigned short)pair) + QS_WIDE((unsigned short)(pair >> 16));
                }
        sum = qs_sum_of_four(sum);
        if (i < kAll && threadIdx.x % 4 == 0) shared.x_sums[span][row] = sum;
    }
    __syncthreads();
}

// What is known of both rows of a thread.
struct qs_two { float upper[2], lower[2]; };
// Operands that are the same along a row.
__device__ __forceinline__ qs_two qs_read_rows(int item, int row_warp, int row, QS_PARAMETERS)
{
    qs_two read = {};
    if (kGroupSpans == 0)
        #pragma unroll
        for (int o = 0; o < kOperands; ++o) {
            read.upper[o] = QS_OPERAND(qs_operand(o, QS_ARGUMENTS)[qs_row_of(item, row_warp, row) * kOperandPitch]);
            read.lower[o] = QS_OPERAND(qs_operand(o, QS_ARGUMENTS)[qs_row_of(item, row_warp, row + 8) * kOperandPitch]);
        }
    return read;
}
// Those of a group: for two trips.
struct qs_both_trips { unsigned upper[2], lower[2]; };
__device__ __forceinline__ qs_both_trips qs_read_groups(const unsigned char (&rows)[32][kOperandBytes], int row, int trip)
{
    qs_both_trips read = {};
    #pragma unroll
    for (int o = 0; o < kOperands; ++o) {
        const unsigned char *upper = rows[2 * row + o], *lower = rows[2 * row + 16 + o];
        if (kGroupSpans == 1) {
            read.upper[o] = *(const unsigned*)(upper + 2 * trip);
            read.lower[o] = *(const unsigned*)(lower + 2 * trip);
        } else if (kGroupSpans > 1) {
            read.upper[o] = qs_both(*(const unsigned short*)(upper + trip / kGroupSpans * 2));
            read.lower[o] = qs_both(*(const unsigned short*)(lower + trip / kGroupSpans * 2));
        }
    }
    return read;
}

// A warp's 16 rows of codes along kSpan of k: its sums of codes times the first operand, and what of them counts kUpper times.
__device__ __forceinline__ void qs_multiply_span(float (&lower)[kTilesM][4], float (&upper)[kTilesM][4], const qs_four& first, const qs_four& second,
                                                 const qs_four (&x)[kPieces][QS_M][4], const int (&row)[kTilesM])
{
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        unsigned a[4], b[4];
        qs_pairs_of(first.at[i], a);
        qs_pairs_of(second.at[i], b);
        #pragma unroll
        for (int tile = 0; tile < kTilesM; ++tile) {
            const qs_four v = x[kNibbles ? i : i / 2][row[tile]][threadIdx.x % 4];
            if (kNibbles) {
                QS_MULTIPLY(lower[tile], a[0], b[0], a[1], b[1], v.at[0], v.at[1]);
                QS_MULTIPLY(upper[tile], a[2], b[2], a[3], b[3], v.at[2], v.at[3]);
            } else {
                QS_MULTIPLY(lower[tile], a[0], b[0], a[2], b[2], v.at[i % 2 * 2], v.at[i % 2 * 2 + 1]);
                if (kUpper != 0.0f) QS_MULTIPLY(upper[tile], a[1], b[1], a[3], b[3], v.at[i % 2 * 2], v.at[i % 2 * 2 + 1]);
            }
        }
    }
}

// Two trips of a warp: a chunk of its codes.
__device__ __forceinline__ void qs_multiply_chunk(float (&d)[kTilesM][4], const qs_shared& shared, const unsigned char* codes, const qs_two& of_rows, const qs_both_trips& of_groups,
                                                  int span, const int (&row)[kTilesM])
{
    const int lane = (int)threadIdx.x % 32;
    #pragma unroll
    for (int c = 0; c < 2; ++c) {
        const qs_four first = *(const qs_four*)(codes + c * 1024 + (lane ^ 4 * c) * 16), second = *(const qs_four*)(codes + c * 1024 + 512 + (lane ^ 4 * c) * 16);
        float lower[kTilesM][4] = {}, upper[kTilesM][4] = {};
        qs_multiply_span(lower, upper, first, second, shared.x[span + c], row);
        qs_two s = of_rows;
        if (kGroupSpans > 0)
            #pragma unroll
            for (int o = 0; o < kOperands; ++o) {
                s.upper[o] = QS_WIDE((unsigned short)(of_groups.upper[o] >> 16 * c));
                s.lower[o] = QS_WIDE((unsigned short)(of_groups.lower[o] >> 16 * c));
            }
        const qs_line line[2] = {qs_line_of(s.upper), qs_line_of(s.lower)};
        #pragma unroll
        for (int tile = 0; tile < kTilesM; ++tile)
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float x_sum = shared.x_sums[span + c][tile * 8 + lane % 4 * 2 + i % 2];
                const float both = kUpper == 0.0f ? lower[tile][i] : fmaf(kUpper, upper[tile][i], lower[tile][i]);
                const float sum = kUnder == 0.0f ? both : fmaf(-kUnder, x_sum, both);  // of codes alone
                if (kHasSummand) d[tile][i] = fmaf(line[i / 2].summand, x_sum, d[tile][i]);
                d[tile][i] = fmaf(line[i / 2].factor, sum, d[tile][i]);
            }
    }
}

extern "C" __global__ void QS_CLUSTER __launch_bounds__(kWarps * 32, 1) QS_NAME(QS_PARAMETERS)
{
    qs_shared& shared = *(qs_shared*)qs_shared_memory();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row_warp = warp / kWarpsOfK, k_warp = warp % kWarpsOfK, rank = blockIdx.x % kSplits, first_item = blockIdx.x / kSplits;
    qs_let_others_start();
    if (!QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    qs_stream stream = {first_item, 0, (kItems - first_item + kClusters - 1) / kClusters * (kTrips / 2), 0, 0, row_warp, (rank * kWarpsOfK + k_warp) * kTrips};
    qs_begin_item(stream, QS_ARGUMENTS);
    #pragma unroll 1
    for (int i = 0; i < kStages - 1; ++i) qs_copy_chunk(stream, shared, QS_ARGUMENTS);
    qs_two of_rows = qs_read_rows(first_item, row_warp, lane / 4, QS_ARGUMENTS);
    if (QS_CODES_ARE_WEIGHTS) qs_wait_for_others();
    qs_stage(shared, rank, QS_FIRST);
    int row[kTilesM];  // of the first operand, in each tile; beyond the last one: some row
    #pragma unroll
    for (int tile = 0; tile < kTilesM; ++tile) row[tile] = tile * 8 + lane / 4 < QS_M ? tile * 8 + lane / 4 : QS_M - 1;
    int which = 0, stage = 0, operand_stage = 0;
    #pragma unroll 1
    for (int item = first_item; item < kItems; item += kClusters) {
        const qs_two of_next = qs_read_rows(item + kClusters < kItems ? item + kClusters : item, row_warp, lane / 4, QS_ARGUMENTS);
        float d[kTilesM][4] = {};
        #pragma unroll 1
        for (int trip = 0; trip < kTrips; trip += 2) {
            qs_wait_for_copies<kStages - 2>();
            __syncwarp();  // all of the warp have taken the chunk before, which the next one overwrites
            qs_copy_chunk(stream, shared, QS_ARGUMENTS);
            const qs_both_trips of_groups = qs_read_groups(shared.operands[warp][operand_stage], lane / 4, trip % kOperandTrips);
            qs_multiply_chunk(d, shared, shared.codes[warp][stage], of_rows, of_groups, k_warp * kTrips + trip, row);
            if (++stage == kStages) stage = 0;
            if (kGroupSpans > 0 && (trip + 2) % kOperandTrips == 0 && ++operand_stage == kOperandSlots) operand_stage = 0;
        }
        of_rows = of_next;
        #pragma unroll
        for (int tile = 0; tile < kTilesM; ++tile)
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = tile * 8 + lane % 4 * 2 + i % 2;
                if (column < QS_M) shared.sums[which][warp][column][lane / 4 + i / 2 * 8] = d[tile][i];
            }
        // Whoever has come here has finished the item before, whose sums the next one overwrites.
        if (kSplits > 1) qs_meet_cluster();
        else __syncthreads();
        qs_finish_item(item, rank, shared.sums[which], QS_ARGUMENTS);
        which ^= 1;
    }
    if (kSplits > 1) qs_meet_cluster();  // nobody leaves while another reads
}
)";

}  // namespace

std::string_view streamedFrame()
{
    return kStreamedFrame;
}

}  // namespace qs::core
