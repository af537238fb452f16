#include "core/lower/fused/kernel_source.h"

namespace qs::core {

namespace {

constexpr std::string_view kPrelude = R"(
__device__ __forceinline__ unsigned qs_thread() { return threadIdx.x; }
__device__ __forceinline__ unsigned qs_block() { return blockIdx.x; }
// A kernel may start before those in front of it have ended, so that no processor waits for a launch: only after this
// is there what they write, and nobody else reads what it writes.
__device__ __forceinline__ void qs_wait_for_others()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ __forceinline__ void qs_let_others_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
// What a kernel has asked for when it was launched.
__device__ __forceinline__ void* qs_shared_memory()
{
    extern __shared__ __align__(128) unsigned char qs_dynamic[];
    return qs_dynamic;
}
#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ void qs_meet_cluster()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// What another block of the cluster has where this one has its own.
__device__ __forceinline__ float qs_read_there(const float* own, int block)
{
    unsigned there;
    float y;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(own)), "r"(block));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(y) : "r"(there) : "memory");
    return y;
}
#else
__device__ __forceinline__ void qs_meet_cluster() { __syncthreads(); }
__device__ __forceinline__ float qs_read_there(const float* own, int) { return *own; }
#endif
__device__ __forceinline__ void qs_begin()
{
    qs_let_others_start();
    qs_wait_for_others();
}
__device__ __forceinline__ float qs_infinity() { return __int_as_float(0x7f800000); }
__device__ __forceinline__ float qs_nan() { return __int_as_float(0x7fffffff); }
__device__ __forceinline__ float qs_from_bf16(unsigned short x) { return __uint_as_float((unsigned)x << 16); }
__device__ __forceinline__ unsigned short qs_to_bf16(float x)
{ unsigned short y; asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x)); return y; }
// Rounded into the upper half of a pair, it is the float: one instruction. Alone it takes a unit that is eight times
// slower, and a shift.
__device__ __forceinline__ float qs_bf16(float x)
{ unsigned y; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(x), "f"(0.0f)); return __uint_as_float(y); }
__device__ __forceinline__ float qs_from_f16(unsigned short x)
{ float y; asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x)); return y; }
__device__ __forceinline__ unsigned short qs_to_f16(float x)
{ unsigned short y; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x)); return y; }
__device__ __forceinline__ float qs_f16(float x) { return qs_from_f16(qs_to_f16(x)); }
#if __CUDA_ARCH__ >= 890
__device__ __forceinline__ float qs_from_e4m3(unsigned char x)
{
    unsigned y;
    float z;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(y) : "h"((unsigned short)x));
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}" : "=f"(z) : "r"(y));
    return z;
}
// Of a number that is no larger than the largest of the type.
__device__ __forceinline__ unsigned char qs_to_e4m3_within(float x)
{
    unsigned short y;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(0.0f), "f"(x));
    return (unsigned char)y;
}
// Beyond the largest value PyTorch has NaN, where the instruction stops.
__device__ __forceinline__ unsigned char qs_to_e4m3(float x)
{ return (unsigned char)(qs_to_e4m3_within(x) | (fabsf(x) > 464.0f ? 0x7f : 0)); }
#else
__device__ __forceinline__ float qs_from_e4m3(unsigned char x)
{
    const unsigned w = (unsigned)x << 24, sign = w & 0x80000000u, rest = w & 0x7fffffffu;
    const float small = (float)(rest >> 24) * 0x1p-9f;
    const float y = (x & 0x78) == 0 ? small : __uint_as_float((rest >> 4) + 0x3c000000u);
    return (x & 0x7f) == 0x7f ? qs_nan() : __uint_as_float(__float_as_uint(y) | sign);
}
__device__ __forceinline__ unsigned char qs_to_e4m3(float x)
{
    unsigned bits = __float_as_uint(x);
    const unsigned sign = bits & 0x80000000u;
    bits ^= sign;
    unsigned char y;
    if (bits >= 0x43f00000u) y = 0x7f;
    else if (bits < 0x3c800000u) y = (unsigned char)(__float_as_uint(__uint_as_float(bits) + __uint_as_float(0x46800000u)) - 0x46800000u);
    else y = (unsigned char)((bits + 0xc407ffffu + ((bits >> 20) & 1)) >> 20);
    return y | (unsigned char)(sign >> 24);
}
__device__ __forceinline__ unsigned char qs_to_e4m3_within(float x) { return qs_to_e4m3(x); }
#endif
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ float qs_larger(float a, float b)
{ float y; asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b)); return y; }
__device__ __forceinline__ float qs_smaller(float a, float b)
{ float y; asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b)); return y; }
#else
__device__ __forceinline__ float qs_larger(float a, float b) { return a != a || a > b ? a : b; }
__device__ __forceinline__ float qs_smaller(float a, float b) { return a != a || a < b ? a : b; }
#endif
__device__ __forceinline__ float qs_e4m3(float x) { return qs_from_e4m3(qs_to_e4m3(x)); }
// The device's own exponential and reciprocal, within 2 and 1 units in the last place of a float, and zero for less than
// the least normal one: exact ones take longer than the product whose gate is made with them.
__device__ __forceinline__ float qs_power_of_two(float x)
{ float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ float qs_reciprocal(float x)
{ float y; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ unsigned qs_within(unsigned x, unsigned begin, unsigned end)
{ return x < begin ? 0 : x >= end ? end - begin - 1 : x - begin; }
// Four of the eight bytes of two words.
__device__ __forceinline__ unsigned qs_bytes(unsigned a, unsigned b, unsigned which) { return __byte_perm(a, b, which); }
// The bits of x that the mask has, and those of y: one instruction, where the compiler writes two.
__device__ __forceinline__ unsigned qs_masked(unsigned x, unsigned mask, unsigned y)
{ unsigned z; asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(z) : "r"(x), "r"(mask), "r"(y)); return z; }
#if __CUDA_ARCH__ >= 800
// Two numbers of 16 bits in a word, the first in its lower half.
__device__ __forceinline__ unsigned qs_pair_bf16(float first, float second)
{ unsigned y; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(second), "f"(first)); return y; }
__device__ __forceinline__ unsigned qs_pair_f16(float first, float second)
{ unsigned y; asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(second), "f"(first)); return y; }
// a · b + c of pairs, rounded once.
__device__ __forceinline__ unsigned qs_fma2_bf16(unsigned a, unsigned b, unsigned c)
{ unsigned y; asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(c)); return y; }
__device__ __forceinline__ unsigned qs_fma2_f16(unsigned a, unsigned b, unsigned c)
{ unsigned y; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(c)); return y; }
// Of a warp: 16 rows times 8, along 16 of k. Each thread has pairs of rows lane / 4 and eight further of the first operand,
// of row lane / 4 of the second, and sums of these rows with rows lane % 4 · 2 and the next.
__device__ __forceinline__ void qs_multiply_bf16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void qs_multiply_f16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
// The same along 32 of k, of a byte each: four neighbours in a word.
__device__ __forceinline__ void qs_multiply_s8(int (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
#if __CUDA_ARCH__ >= 890
__device__ __forceinline__ void qs_multiply_e4m3(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
#endif
// Four blocks of eight rows, 16 bytes each, in shared memory: each thread says where one of the rows is, lane % 8 of block
// lane / 8, and gets bytes lane % 4 · 4 and on of row lane / 4 of every block.
__device__ __forceinline__ void qs_read_four(unsigned (&x)[4], const unsigned char* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}
// Sixteen bytes into shared memory, zeros but for the first ones. It goes on beside the thread, which later waits for all
// its copies but those of the last so many groups.
__device__ __forceinline__ void qs_copy_sixteen(unsigned char* to, const unsigned char* from, int bytes)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes) : "memory");
}
// The same with four or eight bytes.
template <int Bytes> __device__ __forceinline__ void qs_copy_some(unsigned char* to, const unsigned char* from, int bytes)
{
    if constexpr (Bytes == 16) qs_copy_sixteen(to, from, bytes);
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                      :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "n"(Bytes), "r"(bytes) : "memory");
}
// Of the four threads that have a row of a warp's product.
__device__ __forceinline__ float qs_sum_of_four(float x)
{
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}
__device__ __forceinline__ void qs_end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Groups> __device__ __forceinline__ void qs_wait_for_copies() { asm volatile("cp.async.wait_group %0;" :: "n"(Groups) : "memory"); }
#endif
)";

// Without anything of the device: what the host compiles, too.
constexpr std::string_view kCommon = R"(
template <class T, int Width> struct alignas(sizeof(T) * Width < 16 ? sizeof(T) * Width : 16) qs_pack { T at[Width]; };
typedef qs_pack<unsigned, 4> qs_four;
__device__ __forceinline__ unsigned qs_both(unsigned short x) { return x * 0x10001u; }  // halves of a word
__device__ __forceinline__ float qs_relu(float x) { return x != x || x > 0.0f ? x : 0.0f; }
__device__ __forceinline__ float qs_at_least(float x, float low) { return x < low ? low : x; }
__device__ __forceinline__ float qs_at_most(float x, float high) { return x > high ? high : x; }
__device__ __forceinline__ int qs_at_least(int x, int low) { return x < low ? low : x; }
__device__ __forceinline__ int qs_at_most(int x, int high) { return x > high ? high : x; }
__device__ __forceinline__ long long qs_at_least(long long x, long long low) { return x < low ? low : x; }
__device__ __forceinline__ long long qs_at_most(long long x, long long high) { return x > high ? high : x; }
__device__ __forceinline__ long long qs_at_least(long long x, int low) { return qs_at_least(x, (long long)low); }
__device__ __forceinline__ long long qs_at_most(long long x, int high) { return qs_at_most(x, (long long)high); }
__device__ __forceinline__ long long qs_abs(long long x) { return x < 0 ? -x : x; }
// The nearest whole number between two that a byte holds, in the lowest byte; 0 for NaN. Added to 1.5 * 2^23 a number
// is rounded to a whole one, which the bits are then: conversions take a unit that is eight times slower.
__device__ __forceinline__ unsigned qs_code(float x, float low, float high)
{
    union { float number; unsigned bits; } y;
    y.number = qs_at_most(qs_at_least(x, low), high) + 12582912.0f;
    return y.bits < 0x4b400100u ? y.bits : 0x4b400100u;
}
// Quotients by a divisor y that many numbers have in common. Both are multiplied by a power of two first, which takes y to
// 0.5 ... 1 (denormal ones below, the largest up to 4): so its reciprocal is a float, and products with it lose nothing.
// With the sign of y, so that zeros keep theirs.
__device__ __forceinline__ float qs_divisor_factor(float y)
{
    union { float number; unsigned bits; } x;
    x.number = y;
    const unsigned exponent = x.bits >> 23 & 0xffu;
    x.bits = (x.bits & 0x80000000u) | (exponent < 253u ? 253u - exponent : 1u) << 23;
    return x.number;
}
// What is taken from numbers again: nothing where the reciprocal is 0, or no number.
__device__ __forceinline__ float qs_divisor(float scaled) { return scaled <= 4.0f ? scaled : 1.0f; }
// x / y with that factor, y times it and the reciprocal of this, rounded as a division is by two steps of Newton's; near
// the ends of the range of floats it may be off by two units in the last place. A division there makes kernels twice as long.
__device__ __forceinline__ float qs_quotient(float x, float factor, float divisor, float reciprocal)
{
    const float scaled = x * factor;
    const float rough = scaled * reciprocal;
    const float better = fmaf(fmaf(rough, divisor, -scaled), -reciprocal, rough);
    const float best = fmaf(fmaf(better, divisor, -scaled), -reciprocal, better);
    return fabsf(rough) < 0x1p127f ? best : rough;
}
// The same of numbers that 16 bits hold: their quotient never lies so near the middle between two floats that one step
// would take the wrong one.
__device__ __forceinline__ float qs_quotient_of_16_bits(float x, float factor, float divisor, float reciprocal)
{
    const float scaled = x * factor;
    const float rough = scaled * reciprocal;
    const float better = fmaf(fmaf(rough, divisor, -scaled), -reciprocal, rough);
    return fabsf(rough) < 0x1p127f ? better : rough;
}
__device__ __forceinline__ float qs_sigmoid(float x) { return qs_reciprocal(1.0f + qs_power_of_two(x * -1.44269504088896341f)); }
__device__ __forceinline__ float qs_silu(float x) { return x * qs_sigmoid(x); }
__device__ __forceinline__ float qs_gelu(float x) { return x * 0.5f * (1.0f + erff(x * 0.70710678118654752440f)); }
__device__ __forceinline__ float qs_gelu_tanh(float x)
{
    const float inner = 0.79788456080286535588f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
}
// Both for numbers that are rounded to 16 bits afterwards: in front of them a product ends sooner than its gates. The
// tail of the normal distribution is that of Abramowitz and Stegun, 7.1.26, within 8e-8.
__device__ __forceinline__ float qs_gelu_near(float x)
{
    const float t = qs_reciprocal(fmaf(fabsf(x), 0.231641888f, 1.0f));
    float p = fmaf(t, 0.5307027145f, -0.7265760135f);
    p = fmaf(t, p, 0.7107068705f);
    p = fmaf(t, p, -0.142248368f);
    p = fmaf(t, p, 0.127414796f);
    const float tail = t * p * qs_power_of_two(x * x * -0.72134752044448170368f);
    return x * (x < 0.0f ? tail : 1.0f - tail);
}
__device__ __forceinline__ float qs_gelu_tanh_near(float x)
{ return x * qs_sigmoid(1.59576912160573071176f * fmaf(0.044715f * x * x, x, x)); }
)";

constexpr std::string_view kRows = R"(
template <int Threads, class Join> __device__ __forceinline__ float qs_row(float x, float start, Join join)
{
    constexpr int kLanes = Threads < 32 ? Threads : 32;
    #pragma unroll
    for (int step = kLanes / 2; step > 0; step /= 2) x = join(x, __shfl_xor_sync(0xffffffffu, x, step));
    if constexpr (Threads > 32) {
        __shared__ float parts[32];
        __syncthreads();
        if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
        __syncthreads();
        x = threadIdx.x % 32 < Threads / 32 ? parts[threadIdx.x % 32] : start;
        #pragma unroll
        for (int step = 16; step > 0; step /= 2) x = join(x, __shfl_xor_sync(0xffffffffu, x, step));
    }
    return x;
}
template <int Threads> __device__ __forceinline__ float qs_row_sum(float x)
{ return qs_row<Threads>(x, 0.0f, [](float a, float b) { return a + b; }); }
template <int Threads> __device__ __forceinline__ float qs_row_larger(float x)
{ return qs_row<Threads>(x, -qs_infinity(), [](float a, float b) { return qs_larger(a, b); }); }
template <int Threads> __device__ __forceinline__ float qs_row_smaller(float x)
{ return qs_row<Threads>(x, qs_infinity(), [](float a, float b) { return qs_smaller(a, b); }); }
)";

}  // namespace

std::string_view elementPrelude()
{
    return kCommon;
}

std::string cudaPrelude()
{
    return std::string(kPrelude).append(kCommon).append(kRows);
}

}  // namespace qs::core
