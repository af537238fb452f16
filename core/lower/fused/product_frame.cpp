#include "core/lower/fused/product_source.h"

#include "core/lower/fused/wgmma_text.h"

namespace qs::core {

namespace {

constexpr std::string_view kLoads = R"(
// A box of an operand: some rows, 128 bytes of k. Those of the second come in another order.
__device__ __forceinline__ void qs_load(void* to, const qs_tensor_map* map, int k, int row, qs_barrier* barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(qs_shared(to)), "l"(map), "r"(qs_shared(barrier)), "r"(k), "r"(row) : "memory");
}
__device__ __forceinline__ void qs_load_interleaved(void* to, const qs_tensor_map* map, int k, int rows, qs_barrier* barrier)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %5, %5, %5, %4}], [%2];"
                 :: "r"(qs_shared(to)), "l"(map), "r"(qs_shared(barrier)), "r"(k), "r"(rows), "r"(0) : "memory");
}
// The two parts of a block take turns at multiplying.
template <int Part> __device__ __forceinline__ void qs_turn_wait() { asm volatile("bar.sync %0, 256;" :: "n"(1 + Part) : "memory"); }
template <int Part> __device__ __forceinline__ void qs_turn_give() { asm volatile("bar.arrive %0, 256;" :: "n"(1 + Part) : "memory"); }
)";

constexpr std::string_view kTiles = R"(
// Both computing parts of a block may share a tile, half of its rows each.
constexpr bool kPaired = QS_PAIRED;
constexpr int kStages = QS_STAGES, kTileM = QS_TILE_M, kTileN = QS_TILE_N, kParts = kTileM / (kPaired ? 128 : 64);
constexpr int kSplits = QS_SPLITS;  // blocks, neighbours in a cluster, that share a tile: each adds up a part of its k
constexpr int kBlocksK = (QS_K_BYTES + 127) / 128, kPartK = (kBlocksK + kSplits - 1) / kSplits;
constexpr int kABytes = kTileM * 128, kBBytes = kTileN * 128;
__device__ __forceinline__ int qs_first_k() { return kSplits == 1 ? 0 : (int)blockIdx.x % kSplits * kPartK; }
__device__ __forceinline__ int qs_end_k() { return min(kBlocksK, qs_first_k() + kPartK); }
)";

constexpr std::string_view kSteps = R"(
// Steps in which a thread finishes its part of a tile: neighbouring columns of a row each, one row after the other.
constexpr int kNeighbours = QS_NEIGHBOURS, kTogether = 4 * kNeighbours;  // columns of a thread, of four
constexpr int kRows = kParts * 2, kSteps = kRows * (kOutN / kTogether), kAhead = kSteps < 4 ? kSteps : 4;
__device__ __forceinline__ int qs_row_of(int step, int row) { return row + step % kRows / 2 * 64 + threadIdx.x % 32 / 4 + step % 2 * 8; }
__device__ __forceinline__ int qs_column_of(int step, int column) { return column + step / kRows * kTogether + threadIdx.x % 4 * kNeighbours; }

// What is read of memory beyond the result is not used.
__device__ __forceinline__ qs_row_reads qs_read_row_of(int step, int row, QS_PARAMETERS)
{ return qs_read_row(min(qs_row_of(step, row), QS_M - 1), QS_ARGUMENTS); }
__device__ __forceinline__ qs_column_reads qs_read_columns_of(int step, int column, QS_PARAMETERS)
{ return qs_read_columns(min(qs_column_of(step, column), QS_N - kNeighbours), QS_ARGUMENTS); }
__device__ __forceinline__ qs_reads qs_read_step(int step, int row, int column, QS_PARAMETERS)
{ return qs_read(min(qs_row_of(step, row), QS_M - 1), min(qs_column_of(step, column), QS_N - kNeighbours), QS_ARGUMENTS); }

// What the first steps need: read before the tile is multiplied.
struct qs_ahead { qs_row_reads rows[kRows]; qs_column_reads columns; qs_reads reads[kAhead]; };
__device__ __forceinline__ qs_ahead qs_read_ahead(int row, int column, QS_PARAMETERS)
{
    qs_ahead ahead;
    #pragma unroll
    for (int step = 0; step < kRows; ++step) ahead.rows[step] = qs_read_row_of(step, row, QS_ARGUMENTS);
    ahead.columns = qs_read_columns_of(0, column, QS_ARGUMENTS);
    #pragma unroll
    for (int step = 0; step < kAhead; ++step) ahead.reads[step] = qs_read_step(step, row, column, QS_ARGUMENTS);
    return ahead;
}

// Of a tile that blocks share, each leaves its sums where the others read them, and finishes some of the steps.
constexpr int kShare = kSteps / kSplits;
struct qs_share { qs_row_reads rows[kShare]; qs_column_reads columns[kShare]; qs_reads reads[kShare]; };
__device__ __forceinline__ int qs_step_of(int i) { return i * kSplits + (int)blockIdx.x % kSplits; }
__device__ __forceinline__ qs_share qs_read_share(int row, int column, QS_PARAMETERS)
{
    qs_share share;
    #pragma unroll
    for (int i = 0; i < kShare; ++i) {
        share.rows[i] = qs_read_row_of(qs_step_of(i), row, QS_ARGUMENTS);
        share.columns[i] = qs_read_columns_of(qs_step_of(i), column, QS_ARGUMENTS);
        share.reads[i] = qs_read_step(qs_step_of(i), row, column, QS_ARGUMENTS);
    }
    return share;
}
// Neighbours that lie next to each other, as many as are read at once.
constexpr int kPiece = kNeighbours < 4 ? kNeighbours : 4;
struct alignas(4 * kPiece) qs_piece { qs_sum at[kPiece]; };
// What the blocks have at the same place of their shared memory, always added in the same order.
__device__ __forceinline__ qs_piece qs_sum_of_cluster(const qs_piece* own)
{
    qs_piece total;
    #pragma unroll
    for (unsigned block = 0; block < kSplits; ++block) {
        qs_piece part;
        unsigned there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(qs_shared(own)), "r"(block));
        if constexpr (kPiece == 4)
            asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
                         : QS_TAKEN(part.at[0]), QS_TAKEN(part.at[1]), QS_TAKEN(part.at[2]), QS_TAKEN(part.at[3]) : "r"(there) : "memory");
        else
            asm volatile("ld.shared::cluster.v2.b32 {%0, %1}, [%2];" : QS_TAKEN(part.at[0]), QS_TAKEN(part.at[1]) : "r"(there) : "memory");
        #pragma unroll
        for (int i = 0; i < kPiece; ++i) total.at[i] = block == 0 ? part.at[i] : total.at[i] + part.at[i];
    }
    return total;
}
// The sums of a step: of both halves of a gate, neighbour after neighbour.
__device__ __forceinline__ int qs_sum_at(int step, int half, int j)
{ return ((step / kRows * kTogether + half * kOutN) / 8 + j / 2) * 4 + step % 2 * 2 + j % 2; }
__device__ __forceinline__ qs_piece* qs_pieces_of(unsigned char* storage, int step, int half)
{ return (qs_piece*)storage + ((step * kHalves + half) * 256 + threadIdx.x % 256) * (kNeighbours / kPiece); }
__device__ __forceinline__ void qs_write_share(const qs_sum (&d)[kParts][kTileN / 2], const qs_share& share, unsigned char* storage, int row, int column, QS_PARAMETERS)
{
    asm volatile("bar.sync 3, %0;" :: "n"(kPaired ? 256 : 128) : "memory");  // the units have read what lies there
    #pragma unroll
    for (int step = 0; step < kSteps; ++step)
        #pragma unroll
        for (int half = 0; half < kHalves; ++half)
            #pragma unroll
            for (int first = 0; first < kNeighbours; first += kPiece) {
                qs_piece piece;
                #pragma unroll
                for (int j = 0; j < kPiece; ++j) piece.at[j] = d[step % kRows / 2][qs_sum_at(step, half, first + j)];
                qs_pieces_of(storage, step, half)[first / kPiece] = piece;
            }
    qs_meet_cluster();
    #pragma unroll
    for (int i = 0; i < kShare; ++i) {
        const int step = qs_step_of(i);
        qs_sum acc[kHalves][kNeighbours];
        #pragma unroll
        for (int half = 0; half < kHalves; ++half)
            #pragma unroll
            for (int first = 0; first < kNeighbours; first += kPiece) {
                const qs_piece piece = qs_sum_of_cluster(qs_pieces_of(storage, step, half) + first / kPiece);
                #pragma unroll
                for (int j = 0; j < kPiece; ++j) acc[half][first + j] = piece.at[j];
            }
        const int r = qs_row_of(step, row), first = qs_column_of(step, column);
        if (r < QS_M && first < QS_N) qs_finish(r, first, acc, share.rows[i], share.columns[i], share.reads[i], QS_ARGUMENTS);
    }
    qs_meet_cluster();  // nobody leaves while another reads
}

// `Whole`: no row or column of the tile is beyond the result. Without branches the compiler mixes all of it.
template <bool Whole> __device__ __forceinline__ void qs_write(const qs_sum (&d)[kParts][kTileN / 2], qs_ahead& ahead, int row, int column, QS_PARAMETERS)
{
    qs_column_reads columns, next = ahead.columns;
    #pragma unroll
    for (int step = 0; step < kSteps; ++step) {
        if (step % kRows == 0) {
            columns = next;
            if (step + kRows < kSteps) next = qs_read_columns_of(step + kRows, column, QS_ARGUMENTS);
        }
        const qs_reads reads = ahead.reads[step % kAhead];
        if (step + kAhead < kSteps) ahead.reads[step % kAhead] = qs_read_step(step + kAhead, row, column, QS_ARGUMENTS);
        qs_sum acc[kHalves][kNeighbours];
        #pragma unroll
        for (int half = 0; half < kHalves; ++half)
            #pragma unroll
            for (int j = 0; j < kNeighbours; ++j) {
                acc[half][j] = d[step % kRows / 2][qs_sum_at(step, half, j)];
            }
        const int r = qs_row_of(step, row), first = qs_column_of(step, column);
        if (Whole || (r < QS_M && first < QS_N)) qs_finish(r, first, acc, ahead.rows[step % kRows], columns, reads, QS_ARGUMENTS);
    }
}
)";

constexpr std::string_view kKernel = R"(
// Registers that the units write to are left alone until they have done.
__device__ __forceinline__ void qs_hold(qs_sum (&d)[kParts][kTileN / 2])
{
    #pragma unroll
    for (int p = 0; p < kParts; ++p)
        #pragma unroll
        for (int i = 0; i < kTileN / 2; ++i) asm volatile("" : QS_HELD(d[p][i]) :: "memory");
}

// Stages of shared memory, in turns.
struct qs_turn
{
    int stage = 0;
    unsigned phase = 0;
    __device__ __forceinline__ void next() { if (++stage == kStages) { stage = 0; phase ^= 1; } }
};

__device__ __forceinline__ void qs_load_second(const qs_tensor_map* b, unsigned char* bs, int k, int n, int stage, qs_barrier* full)
{
    qs_barrier_expect(full + stage, kABytes + kBBytes);
    #pragma unroll
    for (int half = 0; half < kHalves; ++half)
        qs_load_interleaved(bs + stage * kBBytes + half * (kBBytes / kHalves), b, k * 128, (n * kOutN + half * QS_N) / kTogether, full + stage);
}

// Weights are nobody's result: as many of them as there is room for are loaded while others still compute.
__device__ __forceinline__ void qs_load_tiles(const qs_tensor_map* a, const qs_tensor_map* b, unsigned char* as, unsigned char* bs,
                                              qs_barrier* full, qs_barrier* empty)
{
    const int first = qs_first_k(), end = qs_end_k();
    int early = QS_SECOND_IS_WEIGHT ? min(kStages, end - first) : 0, m, n;
    qs_tile(blockIdx.x / kSplits, m, n);
    for (int i = 0; i < early; ++i) qs_load_second(b, bs, first + i, n, i, full);
    qs_wait_for_others();
    qs_turn turn;
    for (int tile = blockIdx.x / kSplits; tile < kTiles; tile += gridDim.x / kSplits) {
        qs_tile(tile, m, n);
        for (int k = first; k < end; ++k, turn.next()) {
            if (early-- <= 0) {
                qs_barrier_wait(empty + turn.stage, turn.phase ^ 1);
                qs_load_second(b, bs, k, n, turn.stage, full);
            }
            qs_load(as + turn.stage * kABytes, a, k * 128, m * kTileM, full + turn.stage);
        }
    }
}

extern "C" __global__ void QS_CLUSTER __launch_bounds__(384, 1)
QS_PRODUCT(const __grid_constant__ qs_tensor_map a, const __grid_constant__ qs_tensor_map b, QS_PARAMETERS)
{
    extern __shared__ __align__(1024) unsigned char qs_storage[];
    unsigned char* as = qs_storage;
    unsigned char* bs = as + kStages * kABytes;
    qs_barrier* full = (qs_barrier*)(bs + kStages * kBBytes);
    qs_barrier* empty = full + kStages;
    if (threadIdx.x == 0) {
        for (int i = 0; i < kStages; ++i) { qs_barrier_init(full + i, 1); qs_barrier_init(empty + i, kPaired ? 2 : 1); }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) qs_load_tiles(&a, &b, as, bs, full, empty);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    qs_wait_for_others();
    const int part = threadIdx.x / 128 - 1;
    const bool elected = threadIdx.x % 128 == 0;
    const int first_k = qs_first_k(), end_k = qs_end_k();
    int stage = 0;
    unsigned phase = 0;
    if (part == 1 && !kPaired) {
        qs_turn_give<0>();
        stage = kBlocksK % kStages;
        phase = kBlocksK / kStages & 1;
    }
    const int turns = kPaired ? 1 : 2;
    for (int tile = (blockIdx.x + (kPaired ? 0 : part * gridDim.x)) / kSplits; tile < kTiles; tile += turns * gridDim.x / kSplits) {
        int m, n;
        qs_tile(tile, m, n);
        const int half = kPaired ? part * 64 : 0, row = m * kTileM + half + threadIdx.x / 32 % 4 * 16, column = n * kOutN;
        qs_ahead ahead;
        qs_share share;
        if constexpr (kSplits == 1) ahead = qs_read_ahead(row, column, QS_ARGUMENTS);
        else share = qs_read_share(row, column, QS_ARGUMENTS);
        qs_sum d[kParts][kTileN / 2];
        int before = 0;
        if (!kPaired) { if (part == 0) qs_turn_wait<0>(); else qs_turn_wait<1>(); }
        #pragma unroll 1
        for (int k = first_k; k < end_k; ++k) {
            qs_barrier_wait(full + stage, phase);
            qs_hold(d);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            #pragma unroll
            for (int s = 0; s < 4; ++s)
                #pragma unroll
                for (int p = 0; p < kParts; ++p)
                    qs_multiply(d[p], qs_operand(as + stage * kABytes + half * 128 + p * 8192) + 2 * s, qs_operand(bs + stage * kBBytes) + 2 * s, k > first_k || s > 0);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            if (k > first_k) {
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (elected) qs_barrier_arrive(empty + before);
            }
            before = stage;
            if (++stage == kStages) { stage = 0; phase ^= 1; }
        }
        if (!kPaired) { if (part == 0) qs_turn_give<1>(); else qs_turn_give<0>(); }
        // Sooner, and kernels behind this one would all gather where no tile is: on an H100 rows took 3 µs instead of 2.
        if (tile + turns * gridDim.x / kSplits >= kTiles) qs_let_others_start();
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (elected) qs_barrier_arrive(empty + before);
        qs_hold(d);
        if constexpr (kSplits > 1) {
            qs_write_share(d, share, qs_storage, row, column, QS_ARGUMENTS);
            continue;
        }
        // What the other part loads meanwhile is passed over.
        if (!kPaired) {
            phase ^= (stage + kBlocksK) / kStages & 1;
            stage = (stage + kBlocksK) % kStages;
        }
        const bool whole = (QS_M % kTileM == 0 || (m + 1) * kTileM <= QS_M) && (QS_N % kOutN == 0 || (n + 1) * kOutN <= QS_N);
        if (whole) qs_write<true>(d, ahead, row, column, QS_ARGUMENTS); else qs_write<false>(d, ahead, row, column, QS_ARGUMENTS);
    }
}
)";

}  // namespace

std::string productFrame()
{
    return std::string(hopperInstructions())
        .append(kLoads)
        .append(kTiles)
        .append(tileOrder())
        .append(kSteps)
        .append(kKernel);
}

}  // namespace qs::core
