#include "core/lower/fused/product_source.h"

namespace qs::core {

namespace {

// Instructions of PTX that C++ has no words for.
constexpr std::string_view kInstructions = R"(
struct alignas(64) qs_tensor_map { char bytes[128]; };
typedef unsigned long long qs_barrier;
__device__ __forceinline__ unsigned qs_shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void qs_barrier_init(qs_barrier* barrier)
{ asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(qs_shared(barrier))); }
__device__ __forceinline__ void qs_barrier_expect(qs_barrier* barrier, int bytes)
{ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(qs_shared(barrier)), "r"(bytes) : "memory"); }
__device__ __forceinline__ void qs_barrier_arrive(qs_barrier* barrier)
{ asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(qs_shared(barrier)) : "memory"); }
__device__ __forceinline__ void qs_barrier_wait(qs_barrier* barrier, unsigned phase)
{
    asm volatile("{\n.reg .pred p;\nqs_wait:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra qs_done;\nbra qs_wait;\nqs_done:\n}"
                 :: "r"(qs_shared(barrier)), "r"(phase) : "memory");
}
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
// Where an instruction finds its operand: rows of 128 bytes, swizzled; groups of eight are 1,024 bytes apart.
__device__ __forceinline__ unsigned long long qs_operand(const void* at)
{ return ((unsigned long long)(qs_shared(at) & 0x3ffffu) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62); }
// The two parts of a block take turns at multiplying.
template <int Part> __device__ __forceinline__ void qs_turn_wait() { asm volatile("bar.sync %0, 256;" :: "n"(1 + Part) : "memory"); }
template <int Part> __device__ __forceinline__ void qs_turn_give() { asm volatile("bar.arrive %0, 256;" :: "n"(1 + Part) : "memory"); }
)";

constexpr std::string_view kTiles = R"(
constexpr int kStages = QS_STAGES, kTileM = QS_TILE_M, kTileN = QS_TILE_N, kParts = kTileM / 64;
constexpr int kBlocksK = (QS_K + 127) / 128;
constexpr int kOutN = kTileN / kHalves;  // columns of the result
constexpr int kTilesM = (QS_M + kTileM - 1) / kTileM, kTilesN = (QS_N + kOutN - 1) / kOutN;
constexpr int kTiles = kTilesM * kTilesN;
constexpr int kABytes = kTileM * 128, kBBytes = kTileN * 128;

// Tiles that are computed at once share rows and columns, which the cache then has.
__device__ __forceinline__ void qs_tile(int tile, int& m, int& n)
{
    constexpr int kBand = 8;
    const int band = tile / (kBand * kTilesN), first = band * kBand;
    const int rows = kTilesM - first < kBand ? kTilesM - first : kBand;
    const int within = tile - first * kTilesN;
    m = first + within % rows;
    n = within / rows;
}

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
                const int pair = (step / kRows * kTogether + half * kOutN) / 8 + j / 2;
                acc[half][j] = d[step % kRows / 2][pair * 4 + step % 2 * 2 + j % 2];
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

__device__ __forceinline__ void qs_load_tiles(const qs_tensor_map* a, const qs_tensor_map* b, unsigned char* as, unsigned char* bs,
                                              qs_barrier* full, qs_barrier* empty)
{
    int stage = 0;
    unsigned phase = 0;
    for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
        int m, n;
        qs_tile(tile, m, n);
        for (int k = 0; k < kBlocksK; ++k) {
            qs_barrier_wait(empty + stage, phase ^ 1);
            qs_barrier_expect(full + stage, kABytes + kBBytes);
            qs_load(as + stage * kABytes, a, k * 128, m * kTileM, full + stage);
            #pragma unroll
            for (int half = 0; half < kHalves; ++half)
                qs_load_interleaved(bs + stage * kBBytes + half * (kBBytes / kHalves), b, k * 128, (n * kOutN + half * QS_N) / kTogether, full + stage);
            if (++stage == kStages) { stage = 0; phase ^= 1; }
        }
    }
}

extern "C" __global__ void __launch_bounds__(384, 1)
QS_PRODUCT(const __grid_constant__ qs_tensor_map a, const __grid_constant__ qs_tensor_map b, QS_PARAMETERS)
{
    extern __shared__ __align__(1024) unsigned char qs_storage[];
    unsigned char* as = qs_storage;
    unsigned char* bs = as + kStages * kABytes;
    qs_barrier* full = (qs_barrier*)(bs + kStages * kBBytes);
    qs_barrier* empty = full + kStages;
    if (threadIdx.x == 0) {
        for (int i = 0; i < kStages; ++i) { qs_barrier_init(full + i); qs_barrier_init(empty + i); }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) qs_load_tiles(&a, &b, as, bs, full, empty);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int part = threadIdx.x / 128 - 1;
    const bool elected = threadIdx.x % 128 == 0;
    int stage = 0;
    unsigned phase = 0;
    if (part == 1) {
        qs_turn_give<0>();
        stage = kBlocksK % kStages;
        phase = kBlocksK / kStages & 1;
    }
    for (int tile = blockIdx.x + part * gridDim.x; tile < kTiles; tile += 2 * gridDim.x) {
        int m, n;
        qs_tile(tile, m, n);
        const int row = m * kTileM + threadIdx.x / 32 % 4 * 16, column = n * kOutN;
        qs_ahead ahead = qs_read_ahead(row, column, QS_ARGUMENTS);
        qs_sum d[kParts][kTileN / 2];
        int before = 0;
        if (part == 0) qs_turn_wait<0>(); else qs_turn_wait<1>();
        #pragma unroll 1
        for (int k = 0; k < kBlocksK; ++k) {
            qs_barrier_wait(full + stage, phase);
            qs_hold(d);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            #pragma unroll
            for (int s = 0; s < 4; ++s)
                #pragma unroll
                for (int p = 0; p < kParts; ++p)
                    qs_multiply(d[p], qs_operand(as + stage * kABytes + p * 8192) + 2 * s, qs_operand(bs + stage * kBBytes) + 2 * s, k + s > 0);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            if (k > 0) {
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (elected) qs_barrier_arrive(empty + before);
            }
            before = stage;
            if (++stage == kStages) { stage = 0; phase ^= 1; }
        }
        if (part == 0) qs_turn_give<1>(); else qs_turn_give<0>();
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (elected) qs_barrier_arrive(empty + before);
        qs_hold(d);
        // What the other part loads meanwhile is passed over.
        phase ^= (stage + kBlocksK) / kStages & 1;
        stage = (stage + kBlocksK) % kStages;
        const bool whole = (QS_M % kTileM == 0 || (m + 1) * kTileM <= QS_M) && (QS_N % kOutN == 0 || (n + 1) * kOutN <= QS_N);
        if (whole) qs_write<true>(d, ahead, row, column, QS_ARGUMENTS); else qs_write<false>(d, ahead, row, column, QS_ARGUMENTS);
    }
}
)";

}  // namespace

std::string productFrame()
{
    return std::string(kInstructions).append(kTiles).append(kKernel);
}

}  // namespace qs::core
