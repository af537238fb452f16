#include "core/lower/fused/wgmma_text.h"

#include <fmt/format.h>

namespace qs::core {

namespace {

constexpr std::string_view kInstructions = R"(
struct alignas(64) qs_tensor_map { char bytes[128]; };
typedef unsigned long long qs_barrier;
__device__ __forceinline__ unsigned qs_shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void qs_barrier_init(qs_barrier* barrier, int arrivals)
{ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(qs_shared(barrier)), "r"(arrivals)); }
__device__ __forceinline__ void qs_barrier_expect(qs_barrier* barrier, int bytes)
{ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(qs_shared(barrier)), "r"(bytes) : "memory"); }
__device__ __forceinline__ void qs_barrier_arrive(qs_barrier* barrier)
{ asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(qs_shared(barrier)) : "memory"); }
__device__ __forceinline__ void qs_barrier_wait(qs_barrier* barrier, unsigned phase)
{
    asm volatile("{\n.reg .pred p;\nqs_wait:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra qs_done;\nbra qs_wait;\nqs_done:\n}"
                 :: "r"(qs_shared(barrier)), "r"(phase) : "memory");
}
// Where an instruction finds its operand: rows of 128 bytes, swizzled; groups of eight are 1,024 bytes apart.
__device__ __forceinline__ unsigned long long qs_operand(const void* at)
{ return ((unsigned long long)(qs_shared(at) & 0x3ffffu) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62); }
)";

}  // namespace

std::string_view hopperInstructions()
{
    return kInstructions;
}

std::string multiplyText(const MultiplyWords& words, int columns)
{
    const int sums = columns / 2;  // of a thread
    std::string list;
    std::string operands;
    for (int i = 0; i < sums; ++i) {
        list += fmt::format("{}%{}", i == 0 ? "" : ", ", i);
        operands +=
            fmt::format("{}\"+{}\"(d[{}])", i == 0 ? "" : ", ", words.wholeNumbers ? 'r' : 'f', i);
    }
    const int a = sums;  // the number of the first operand
    const int b = words.firstInRegisters ? a + 4 : a + 1;
    const std::string first = words.firstInRegisters
                                  ? fmt::format("{{%{}, %{}, %{}, %{}}}", a, a + 1, a + 2, a + 3)
                                  : fmt::format("%{}", a);
    return fmt::format(
        "__device__ __forceinline__ void {0}({1} (&d)[{2}], {3}, unsigned long long b, "
        "int more)\n{{\n"
        "    asm volatile(\"{{\\n.reg .pred p;\\nsetp.ne.b32 p, %{4}, 0;\\n"
        "wgmma.mma_async.sync.aligned.m64n{5}k{6}.{7} {{{8}}}, {9}, %{10}, p{11};\\n}}\" : {12} : "
        "{13}, \"l\"(b), \"r\"(more));\n}}\n",
        words.name, words.wholeNumbers ? "int" : "float", sums,
        words.firstInRegisters ? "const unsigned (&a)[4]" : "unsigned long long a", b + 1, columns,
        words.k, words.types, list, first, b, words.options, operands,
        words.firstInRegisters ? R"("r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]))" : "\"l\"(a)");
}

}  // namespace qs::core
