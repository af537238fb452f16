#include "tests/engine/host_threads.h"

namespace qs::tests {

namespace {

constexpr std::string_view kHostThreads = R"(
#include <barrier>
#include <memory>
#include <thread>
#include <vector>
// Blocks of several threads, one cluster after the other: each is a thread of the host.
#define __cluster_dims__(...)
struct qs_dimension { unsigned x; };
static thread_local qs_dimension threadIdx, blockIdx;
static thread_local unsigned qs_block_of_cluster, qs_warp_of_cluster;
typedef std::vector<std::unique_ptr<std::barrier<>>> qs_meetings;
static qs_meetings qs_cluster_meets, qs_block_meets, qs_warp_meets;
static std::vector<std::vector<unsigned char>> qs_memory;  // that blocks share, of each
static unsigned qs_given[128][32][6];  // of each thread of a warp: pairs of both operands
static const unsigned char* qs_given_rows[128][32];
static void __syncthreads() { qs_block_meets[qs_block_of_cluster]->arrive_and_wait(); }
static void qs_meet_cluster() { qs_cluster_meets[0]->arrive_and_wait(); }
static void* qs_shared_memory() { return qs_memory[qs_block_of_cluster].data(); }
static float qs_read_there(const float* own, int block)
{ return *(const float*)(qs_memory[block].data() + ((const unsigned char*)own - (const unsigned char*)qs_shared_memory())); }
static void qs_wait_for_others() {}
static void qs_let_others_start() {}
static unsigned qs_bytes(unsigned a, unsigned b, unsigned which)
{
    const unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned y = 0;
    for (int i = 0; i < 4; ++i) y |= (unsigned)(both >> (which >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return y;
}
static unsigned qs_masked(unsigned x, unsigned mask, unsigned y) { return (x & mask) | y; }
static unsigned qs_pair_bf16(float first, float second) { return qs_to_bf16(first) | (unsigned)qs_to_bf16(second) << 16; }
static unsigned qs_pair_f16(float first, float second) { return qs_to_f16(first) | (unsigned)qs_to_f16(second) << 16; }
static unsigned qs_fma2_bf16(unsigned a, unsigned b, unsigned c)
{
    const auto one = [&](int at) { return (float)((double)qs_from_bf16(a >> at) * qs_from_bf16(b >> at) + qs_from_bf16(c >> at)); };
    return qs_pair_bf16(one(0), one(16));
}
static unsigned qs_fma2_f16(unsigned a, unsigned b, unsigned c)
{
    const auto one = [&](int at) { return (float)((double)qs_from_f16(a >> at) * qs_from_f16(b >> at) + qs_from_f16(c >> at)); };
    return qs_pair_f16(one(0), one(16));
}
// What the instruction m16n8k16 does, from what all threads of the warp have given.
template <class Open> static void qs_multiply_pairs(float (&d)[4], const unsigned (&given)[6], Open open)
{
    const unsigned warp = qs_warp_of_cluster, lane = threadIdx.x % 32;
    memcpy(qs_given[warp][lane], given, sizeof(given));
    qs_warp_meets[warp]->arrive_and_wait();
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 16; ++k) {
            const unsigned *a = qs_given[warp][lane / 4 * 4 + k % 8 / 2], *b = qs_given[warp][(lane % 4 * 2 + i % 2) * 4 + k % 8 / 2];
            const int half = k % 2 * 16;
            d[i] += open((unsigned short)(a[k / 8 * 2 + i / 2] >> half)) * open((unsigned short)(b[4 + k / 8] >> half));
        }
    qs_warp_meets[warp]->arrive_and_wait();
}
static void qs_multiply_bf16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{ qs_multiply_pairs(d, {a0, a1, a2, a3, b0, b1}, qs_from_bf16); }
static void qs_multiply_f16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{ qs_multiply_pairs(d, {a0, a1, a2, a3, b0, b1}, qs_from_f16); }
// m16n8k32: the same, four bytes in each word.
template <class Sum, class Open> static void qs_multiply_bytes(Sum (&d)[4], const unsigned (&given)[6], Open open)
{
    const unsigned warp = qs_warp_of_cluster, lane = threadIdx.x % 32;
    memcpy(qs_given[warp][lane], given, sizeof(given));
    qs_warp_meets[warp]->arrive_and_wait();
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 32; ++k) {
            const unsigned *a = qs_given[warp][lane / 4 * 4 + k % 16 / 4], *b = qs_given[warp][(lane % 4 * 2 + i % 2) * 4 + k % 16 / 4];
            const int byte = k % 4 * 8;
            d[i] += open((unsigned char)(a[k / 16 * 2 + i / 2] >> byte)) * open((unsigned char)(b[4 + k / 16] >> byte));
        }
    qs_warp_meets[warp]->arrive_and_wait();
}
static void qs_multiply_s8(int (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{ qs_multiply_bytes(d, {a0, a1, a2, a3, b0, b1}, [](unsigned char x) { return (int)(signed char)x; }); }
static void qs_multiply_e4m3(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{ qs_multiply_bytes(d, {a0, a1, a2, a3, b0, b1}, qs_from_e4m3); }
static void qs_read_four(unsigned (&x)[4], const unsigned char* row)
{
    const unsigned warp = qs_warp_of_cluster, lane = threadIdx.x % 32;
    qs_given_rows[warp][lane] = row;
    qs_warp_meets[warp]->arrive_and_wait();
    for (int i = 0; i < 4; ++i) memcpy(&x[i], qs_given_rows[warp][i * 8 + lane / 4] + lane % 4 * 4, 4);
    qs_warp_meets[warp]->arrive_and_wait();
}
// A copy is there no sooner than a thread has waited for it.
struct qs_copy { unsigned char bytes[16]; unsigned char* to; int size; };
static thread_local std::vector<std::vector<qs_copy>> qs_copies;
static thread_local std::vector<qs_copy> qs_open_copies;
static void qs_copy_sixteen(unsigned char* to, const unsigned char* from, int bytes)
{
    qs_copy copy = {};
    memcpy(copy.bytes, from, bytes);
    copy.to = to;
    copy.size = 16;
    qs_open_copies.push_back(copy);
}
template <int Bytes> static void qs_copy_some(unsigned char* to, const unsigned char* from, int bytes)
{
    qs_copy_sixteen(to, from, bytes);
    qs_open_copies.back().size = Bytes;
}
static void __syncwarp() { qs_warp_meets[qs_warp_of_cluster]->arrive_and_wait(); }
static float qs_sum_of_four(float x)
{
    const unsigned lane = threadIdx.x % 32;
    auto& given = qs_given[qs_warp_of_cluster];
    given[lane][0] = bits(x);
    __syncwarp();
    const auto at = [&](unsigned i) { return number(given[lane / 4 * 4 + i][0]); };
    const float sum = (at(0) + at(1)) + (at(2) + at(3));
    __syncwarp();
    return sum;
}
static void qs_end_copies() { qs_copies.push_back(std::move(qs_open_copies)); qs_open_copies.clear(); }
template <int Groups> static void qs_wait_for_copies()
{
    while (qs_copies.size() > Groups) {
        for (const qs_copy& copy : qs_copies.front()) memcpy(copy.to, copy.bytes, copy.size);
        qs_copies.erase(qs_copies.begin());
    }
}
static qs_meetings qs_meet(unsigned count, unsigned threads)
{
    qs_meetings meetings;
    for (unsigned i = 0; i < count; ++i) meetings.push_back(std::make_unique<std::barrier<>>(threads));
    return meetings;
}
template <class Kernel> static void qs_run_clusters(unsigned clusters, unsigned splits, unsigned warps, unsigned bytes, Kernel kernel)
{
    qs_cluster_meets = qs_meet(1, splits * warps * 32);
    qs_block_meets = qs_meet(splits, warps * 32);
    qs_warp_meets = qs_meet(splits * warps, 32);
    for (unsigned cluster = 0; cluster < clusters; ++cluster) {
        qs_memory.assign(splits, std::vector<unsigned char>(bytes, 0xff));
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < splits * warps * 32; ++i)
            threads.emplace_back([=] {
                qs_block_of_cluster = i / (warps * 32);
                qs_warp_of_cluster = i / 32;
                threadIdx.x = i % (warps * 32);
                blockIdx.x = cluster * splits + qs_block_of_cluster;
                kernel();
            });
        for (std::thread& each : threads) each.join();
    }
}
)";

}  // namespace

std::string_view hostThreads()
{
    return kHostThreads;
}

}  // namespace qs::tests
