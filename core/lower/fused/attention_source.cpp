#include "core/lower/fused/attention_source.h"

#include "core/lower/fused/wgmma_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace qs::core {

namespace {

constexpr int kQueries = 64;  // of a block: the rows of one instruction
constexpr int kPartWidth = 64;
constexpr int kRowBytes = 128;
constexpr int kTwoBarriers = 2 * 8;
constexpr int kStorageAlignment = 1024;

constexpr std::string_view kAttentionFrame = R"(
constexpr int kParts = (QS_WIDTH + 63) / 64;  // of the width of a head: 128 bytes of it each
constexpr int kPart = kParts > 1 ? 64 : QS_WIDTH;
constexpr int kTiles = (QS_QUERIES + 63) / 64;
constexpr int kQueryBytes = 64 * 128, kKeyBytes = QS_KEY_ROWS * 128;

__device__ __forceinline__ void qs_load_part(void* to, const qs_tensor_map* map, int part, int token, int head, int batch, qs_barrier* barrier)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
                 :: "r"(qs_shared(to)), "l"(map), "r"(qs_shared(barrier)), "r"(part * 128), "r"(token), "r"(head), "r"(batch) : "memory");
}
__device__ __forceinline__ float qs_exp2(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
template <class Join> __device__ __forceinline__ float qs_of_four(float x, Join join)
{
    x = join(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return join(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

// Scores of a thread: of rows g and g + 8, columns 8 i + 2 t + e. They become weights, not yet divided by their sum.
__device__ __forceinline__ void qs_weigh(float (&s)[QS_KEY_ROWS / 2], int row, float (&sums)[2])
{
    const int column = threadIdx.x % 4 * 2;
    #pragma unroll
    for (int half = 0; half < 2; ++half) {
        float most = -qs_infinity();
        #pragma unroll
        for (int i = 0; i < QS_KEY_ROWS / 8; ++i)
            #pragma unroll
            for (int e = 0; e < 2; ++e) {
                float& score = s[i * 4 + half * 2 + e];
                const int key = i * 8 + column + e;
                if ((QS_KEYS < QS_KEY_ROWS && key >= QS_KEYS) || (QS_CAUSAL && key > row + half * 8)) score = -qs_infinity();
                most = fmaxf(most, score);
            }
        most = qs_of_four(most, [](float a, float b) { return fmaxf(a, b); }) * QS_SCALE;
        float sum = 0.0f;
        #pragma unroll
        for (int i = 0; i < QS_KEY_ROWS / 8; ++i)
            #pragma unroll
            for (int e = 0; e < 2; ++e) {
                float& score = s[i * 4 + half * 2 + e];
                score = qs_exp2(fmaf(score, QS_SCALE, -most));
                sum += score;
            }
        sums[half] = qs_of_four(sum, [](float a, float b) { return a + b; });
    }
}

// Through shared memory, where each warp has 16 rows of its own: lines of 128 bytes go out.
__device__ __forceinline__ void qs_store(unsigned char* storage, const float (&o)[kParts][kPart / 2], const float (&sums)[2],
                                         int tile, int head, int batch, unsigned short* y)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    #pragma unroll
    for (int part = 0; part < kParts; ++part) {
        unsigned char* rows = storage + part * kQueryBytes + warp * 16 * 128;
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float share = 1.0f / sums[half];
            const int row = lane / 4 + half * 8;
            #pragma unroll
            for (int i = 0; i < kPart / 8; ++i)
                *(unsigned*)(rows + row * 128 + ((i ^ (row & 7)) * 16) + lane % 4 * 4) =
                    qs_pair(o[part][i * 4 + half * 2] * share, o[part][i * 4 + half * 2 + 1] * share);
        }
    }
    __syncwarp();
    #pragma unroll
    for (int part = 0; part < kParts; ++part) {
        const unsigned char* rows = storage + part * kQueryBytes + warp * 16 * 128;
        constexpr int kChunks = kPart / 8;
        #pragma unroll
        for (int i = 0; i < (16 * kChunks + 31) / 32; ++i) {
            const int at = i * 32 + lane, row = at / kChunks, chunk = at % kChunks, query = tile * 64 + warp * 16 + row;
            if (row < 16 && query < QS_QUERIES)
                *(uint4*)(y + (((long long)batch * QS_QUERIES + query) * QS_HEADS + head) * QS_WIDTH + part * 64 + chunk * 8) =
                    *(const uint4*)(rows + row * 128 + ((chunk ^ (row & 7)) * 16));
        }
    }
}

extern "C" __global__ void __launch_bounds__(128)
QS_ATTENTION(const __grid_constant__ qs_tensor_map q, const __grid_constant__ qs_tensor_map k, const __grid_constant__ qs_tensor_map v,
             unsigned short* y)
{
    extern __shared__ __align__(1024) unsigned char qs_storage[];
    unsigned char* qs = qs_storage;
    unsigned char* ks = qs + kParts * kQueryBytes;
    unsigned char* vs = ks + kParts * kKeyBytes;
    qs_barrier* scored = (qs_barrier*)(vs + kParts * kKeyBytes);
    qs_barrier* valued = scored + 1;
    const int tile = blockIdx.x % kTiles, head = blockIdx.x / kTiles % QS_HEADS, batch = blockIdx.x / kTiles / QS_HEADS;
    if (threadIdx.x == 0) {
        qs_barrier_init(scored, 1);
        qs_barrier_init(valued, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        qs_wait_for_others();
        qs_barrier_expect(scored, kParts * (kQueryBytes + kKeyBytes));
        for (int part = 0; part < kParts; ++part) {
            qs_load_part(qs + part * kQueryBytes, &q, part, tile * 64, head, batch, scored);
            qs_load_part(ks + part * kKeyBytes, &k, part, 0, head, batch, scored);
        }
        qs_barrier_expect(valued, kParts * kKeyBytes);
        for (int part = 0; part < kParts; ++part) qs_load_part(vs + part * kKeyBytes, &v, part, 0, head, batch, valued);
    }
    __syncthreads();
    qs_wait_for_others();
    float s[QS_KEY_ROWS / 2];
    qs_barrier_wait(scored, 0);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int step = 0; step < QS_WIDTH / 16; ++step)
        qs_score(s, qs_operand(qs + step / 4 * kQueryBytes) + step % 4 * 2, qs_operand(ks + step / 4 * kKeyBytes) + step % 4 * 2, step > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    #pragma unroll
    for (int i = 0; i < QS_KEY_ROWS / 2; ++i) asm volatile("" : "+f"(s[i]) :: "memory");
    qs_let_others_start();
    float sums[2];
    qs_weigh(s, tile * 64 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, sums);
    unsigned weights[QS_KEY_ROWS / 16][4];
    #pragma unroll
    for (int i = 0; i < QS_KEY_ROWS / 16; ++i)
        #pragma unroll
        for (int j = 0; j < 4; ++j) weights[i][j] = qs_pair(s[i * 8 + j * 2], s[i * 8 + j * 2 + 1]);
    float o[kParts][kPart / 2];
    qs_barrier_wait(valued, 0);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int i = 0; i < QS_KEY_ROWS / 16; ++i)
        #pragma unroll
        for (int part = 0; part < kParts; ++part)
            qs_mix(o[part], weights[i], qs_operand(vs + part * kKeyBytes + i * 16 * 128), i > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    #pragma unroll
    for (int part = 0; part < kParts; ++part)
        #pragma unroll
        for (int i = 0; i < kPart / 2; ++i) asm volatile("" : "+f"(o[part][i]) :: "memory");
    __syncthreads();  // nobody reads queries any more
    qs_store(qs, o, sums, tile, head, batch, y);
}
)";

std::string attentionSizes(const AttentionSource& source)
{
    const ShortAttention& attention = source.attention;
    const bool bfloat = attention.type == DType::BFloat16;
    return fmt::format(
        "#define QS_ATTENTION {}\n#define QS_QUERIES {}\n#define QS_KEYS {}\n"
        "#define QS_KEY_ROWS {}\n#define QS_HEADS {}\n#define QS_WIDTH {}\n"
        "#define QS_SCALE {:.9g}f\n#define QS_CAUSAL {}\n"
        "__device__ __forceinline__ unsigned qs_pair(float low, float high)\n"
        "{{ unsigned y; asm(\"cvt.rn.{}.f32 %0, %1, %2;\" : \"=r\"(y) : \"f\"(high), "
        "\"f\"(low)); return y; }}\n",
        source.name, attention.q.tokens, attention.k.tokens, source.keyRows, attention.heads,
        attention.width, attention.scale * std::numbers::log2e, attention.causal ? 1 : 0,
        bfloat ? "bf16x2" : "f16x2");
}

}  // namespace

AttentionSource attentionSource(const ShortAttention& attention)
{
    constexpr int kKeysAtOnce = 16;  // that an instruction adds up over
    AttentionSource source;
    source.attention = attention;
    source.name = fmt::format("qs_attention_{}x{}{}", attention.k.tokens, attention.width,
                              attention.causal ? "_causal" : "");
    source.keyRows = static_cast<int>(roundedUp(attention.k.tokens, kKeysAtOnce));
    source.queryRows = kQueries;
    const int parts = static_cast<int>(coveredBy(attention.width, kPartWidth));
    source.sharedBytes =
        parts * (kQueries + 2 * source.keyRows) * kRowBytes + kTwoBarriers + kStorageAlignment;
    source.blocks = attention.batch * attention.heads * coveredBy(attention.q.tokens, kQueries);
    const std::string types = attention.type == DType::BFloat16 ? "f32.bf16.bf16" : "f32.f16.f16";
    // The values come with tokens as rows: the instruction turns them.
    source.text =
        std::string(hopperInstructions()) + attentionSizes(source) +
        multiplyText({"qs_score", types, 16, ", 1, 1, 0, 0"}, source.keyRows) +
        multiplyText({"qs_mix", types, 16, ", 1, 1, 1", false, true},
                     static_cast<int>(std::min<std::int64_t>(attention.width, kPartWidth))) +
        std::string(kAttentionFrame);
    return source;
}

}  // namespace qs::core
