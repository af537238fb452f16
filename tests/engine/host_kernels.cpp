#include "tests/engine/host_kernels.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/skinny_source.h"

#include <ATen/ops/empty.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace qs::tests {

namespace {

constexpr int kProcessors = 1;
constexpr const char* kHostPrelude = R"(
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>
#define __global__
#define __device__ static
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define rsqrtf(x) (1.0f / sqrtf(x))
static unsigned qs_block_number;
static void qs_begin() {}
static unsigned qs_thread() { return 0; }
static unsigned qs_block() { return qs_block_number; }
static float qs_infinity() { return INFINITY; }
static float qs_nan() { return NAN; }
static unsigned bits(float x) { unsigned y; memcpy(&y, &x, 4); return y; }
static float number(unsigned x) { float y; memcpy(&y, &x, 4); return y; }
static float qs_from_bf16(unsigned short x) { return number((unsigned)x << 16); }
static unsigned short qs_to_bf16(float x)
{
    if (x != x) return 0x7fc0;
    const unsigned b = bits(x);
    return (unsigned short)((b + 0x7fff + ((b >> 16) & 1)) >> 16);
}
static float qs_bf16(float x) { return qs_from_bf16(qs_to_bf16(x)); }
static float qs_from_f16(unsigned short x) { _Float16 y; memcpy(&y, &x, 2); return (float)y; }
static unsigned short qs_to_f16(float x) { const _Float16 y = (_Float16)x; unsigned short z; memcpy(&z, &y, 2); return z; }
static float qs_f16(float x) { return (float)(_Float16)x; }
static float qs_from_e4m3(unsigned char x)
{
    const float size = (x & 0x78) == 0 ? ldexpf((float)(x & 7), -9) : ldexpf((float)(8 + (x & 7)), ((x >> 3) & 15) - 10);
    return (x & 0x7f) == 0x7f ? NAN : (x & 0x80) != 0 ? -size : size;
}
// The nearest value, of two the even one, by trying all of them.
static unsigned char qs_to_e4m3(float x)
{
    if (!(fabsf(x) <= 464.0f)) return 0x7f | (signbit(x) ? 0x80 : 0);
    unsigned char best = 0;
    for (unsigned char y = 0; y < 0x7f; ++y) {
        const float far = fabsf(qs_from_e4m3(y) - fabsf(x)), least = fabsf(qs_from_e4m3(best) - fabsf(x));
        if (far < least || (far == least && y % 2 == 0)) best = y;
    }
    return best | (signbit(x) ? 0x80 : 0);
}
static float qs_e4m3(float x) { return qs_from_e4m3(qs_to_e4m3(x)); }
static float qs_larger(float a, float b) { return a != a || a > b ? a : b; }
static float qs_smaller(float a, float b) { return a != a || a < b ? a : b; }
static float qs_sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
static unsigned qs_within(unsigned x, unsigned begin, unsigned end)
{ return x < begin ? 0 : x >= end ? end - begin - 1 : x - begin; }
template <int Threads> static float qs_row_sum(float x) { return x; }
template <int Threads> static float qs_row_larger(float x) { return x; }
template <int Threads> static float qs_row_smaller(float x) { return x; }

// Blocks of several threads, one cluster after the other: each is a thread of the host.
#define __cluster_dims__(...)
struct qs_dimension { unsigned x; };
static thread_local qs_dimension threadIdx, blockIdx;
static thread_local unsigned qs_block_of_cluster, qs_warp_of_cluster;
typedef std::vector<std::unique_ptr<std::barrier<>>> qs_meetings;
static qs_meetings qs_cluster_meets, qs_block_meets, qs_warp_meets;
static std::vector<std::vector<unsigned char>> qs_memory;  // that blocks share, of each
static unsigned qs_given[128][32][6];  // of each thread of a warp: pairs of both operands
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

struct Pointers {
    std::string types;
    std::string values;
};

Pointers pointersOf(const core::Graph& group)
{
    Pointers pointers;
    for (std::size_t i = 0; i < group.inputs.size() + group.outputs.size(); ++i) {
        pointers.types += i == 0 ? "void*" : ", void*";
        pointers.values += (i == 0 ? "p[" : ", p[") + std::to_string(i) + "]";
    }
    return pointers;
}

// A kernel under a name of its own, and a function that runs all its blocks.
std::string kernelText(const core::Graph& group, const core::KernelSource& source,
                       std::size_t number)
{
    const std::string name = "group_" + std::to_string(number);
    const Pointers pointers = pointersOf(group);
    return "#define " + source.name + " " + name + "\nnamespace space_" + name + " {\n" +
           source.text + "}\n#undef " + source.name + "\n#undef QS_ACTIVE\n" +
           "extern \"C\" void run_" + std::to_string(number) +
           "(void** p)\n{\n    for (qs_block_number = 0; qs_block_number < " +
           std::to_string(source.shape.blocks) + "; ++qs_block_number)\n        ((void (*)(" +
           pointers.types + "))space_" + name + "::" + name + ")(" + pointers.values + ");\n}\n";
}

// Sums by loops, and what follows them as the kernel has it.
std::string productText(const core::Graph& group, const core::ProductSource& source,
                        std::size_t number)
{
    const core::MatrixProduct& product = source.product;
    const bool whole = product.type == core::ProductType::Int8;
    const bool wide = core::elementBytes(product.type) == 2;
    const std::string reader = product.type == core::ProductType::BFloat16  ? "qs_from_bf16("
                               : product.type == core::ProductType::Float16 ? "qs_from_f16("
                                                                            : "qs_from_e4m3(";
    const Pointers pointers = pointersOf(group);
    const std::string width = std::to_string(source.shape.neighbours);
    const auto element = [&](const core::ProductOperand& operand, const std::string& row) {
        const std::string stored = whole  ? "signed char"
                                   : wide ? "unsigned short"
                                          : "unsigned char";
        const std::string at = "((const " + stored + "*)p[" + std::to_string(operand.input) +
                               "])[(" + row + ") * " + std::to_string(operand.pitch) + " + k]";
        return whole ? at : reader + at + ")";
    };
    return "namespace product_" + std::to_string(number) + " {\ntypedef " +
           (whole ? "int" : "float") + " qs_sum;\n" + source.finish +
           "#undef QS_ACTIVE\nextern \"C\" void run_" + std::to_string(number) +
           "(void** p)\n{\n    constexpr int kColumns = " + std::to_string(product.columns()) +
           ";\n    for (unsigned r = 0; r < " + std::to_string(product.a.rows) +
           "; ++r)\n    for (unsigned first = 0; first < kColumns; first += " + width +
           ") {\n        qs_sum acc[kHalves][" + width + "] = {};\n        for (int k = 0; k < " +
           std::to_string(product.k) +
           "; ++k)\n            for (int half = 0; half < kHalves; ++half)\n"
           "                for (int j = 0; j < " +
           width + "; ++j) acc[half][j] += " + element(product.a, "r") + " * " +
           element(product.b, "half * kColumns + first + j") +
           ";\n        const qs_row_reads row = ((qs_row_reads (*)(qs_index, " + pointers.types +
           "))qs_read_row)(r, " + pointers.values +
           ");\n        const qs_column_reads columns = ((qs_column_reads (*)(qs_index, " +
           pointers.types + "))qs_read_columns)(first, " + pointers.values +
           ");\n        const qs_reads reads = ((qs_reads (*)(qs_index, qs_index, " +
           pointers.types + "))qs_read)(r, first, " + pointers.values +
           ");\n        ((void (*)(qs_index, qs_index, const qs_sum (&)[kHalves][" + width +
           "], "
           "const qs_row_reads&, const qs_column_reads&, const qs_reads&, " +
           pointers.types + "))qs_finish)(r, first, acc, row, columns, reads, " + pointers.values +
           ");\n    }\n}\n}\n";
}

// All threads of all blocks, with the instructions of a GPU as functions.
std::string skinnyText(const core::Graph& group, const core::SkinnySource& source,
                       std::size_t number)
{
    const std::string name = "skinny_" + std::to_string(number);
    const Pointers pointers = pointersOf(group);
    const core::SkinnyShape& shape = source.shape;
    std::string text = "#define " + source.name + " " + name + "\nnamespace space_" + name +
                       " {\n" + source.text + "}\n#undef " + source.name +
                       "\n#undef QS_ACTIVE\nextern \"C\" void run_" + std::to_string(number) +
                       "(void** p)\n{\n    qs_run_clusters(";
    for (const std::int64_t size : {shape.clusters, std::int64_t{shape.splits},
                                    std::int64_t{shape.warps()}, std::int64_t{shape.sharedBytes}})
        text += std::to_string(size) + ", ";
    return text + "[=] { ((void (*)(" + pointers.types + "))space_" + name + "::" + name + ")(" +
           pointers.values + "); });\n}\n";
}

std::string textOf(const core::Graph& group, const core::InputStrides& strides, std::size_t number)
{
    // So few processors that blocks have several items; each group in another shape.
    const auto skinny =
        core::skinnySources(group, strides, core::Division::Exact, kProcessors, true, {});
    if (skinny.ok())
        return skinnyText(group, skinny.value()[number % skinny.value().size()], number);
    if (core::matrixProduct(group, strides))
        return productText(
            group, core::productSource(group, strides, core::Division::Exact, 1).value(), number);
    return kernelText(group, core::kernelSource(group, strides, core::Division::Exact, 1).value(),
                      number);
}

}  // namespace

HostKernels::HostKernels(const std::vector<const core::Graph*>& groups,
                         const std::vector<core::InputStrides>& strides,
                         const std::filesystem::path& folder)
    : m_groups(groups)
{
    const auto source = folder / "kernels.cpp";
    std::ofstream text(source);
    text << kHostPrelude << core::elementPrelude();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        text << textOf(*groups[i], strides[i], i);
        const bool product = core::matrixProduct(*groups[i], strides[i]) ||
                             core::skinnyProduct(*groups[i], strides[i]);
        m_pitches.push_back(
            product ? std::vector<std::int64_t>()
                    : core::kernelSource(*groups[i], strides[i], core::Division::Exact, 1)
                          .value()
                          .pitches);
    }
    text.close();
    const auto library = folder / "kernels.so";
    const std::string command =
        "c++ -std=c++20 -pthread -O1 -w -ffp-contract=off -shared -fPIC -o " + library.string() +
        " " + source.string();
    if (std::system(command.c_str()) != 0) {
        ADD_FAILURE() << "does not compile: " << source;
        std::abort();
    }
    m_library = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

HostKernels::~HostKernels()
{
    ::dlclose(m_library);
}

std::vector<at::Tensor> HostKernels::run(std::size_t group,
                                         const std::vector<at::Tensor>& inputs) const
{
    std::vector<void*> pointers;
    for (const at::Tensor& input : inputs)
        pointers.push_back(input.data_ptr());
    std::vector<at::Tensor> outputs;
    for (std::size_t i = 0; i < m_groups[group]->outputs.size(); ++i) {
        const core::TensorType& type = m_groups[group]->value(m_groups[group]->outputs[i]).type;
        std::vector<std::int64_t> shape = type.shape;
        if (!m_pitches[group].empty() && !shape.empty())
            shape.back() = m_pitches[group][i];
        at::Tensor whole = at::empty(shape, engine::toTorch(type.dtype));
        pointers.push_back(whole.data_ptr());
        outputs.push_back(shape == type.shape ? whole : whole.narrow(-1, 0, type.shape.back()));
    }
    const std::string name = "run_" + std::to_string(group);
    reinterpret_cast<void (*)(void**)>(::dlsym(m_library, name.c_str()))(pointers.data());
    return outputs;
}

}  // namespace qs::tests
