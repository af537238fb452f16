#include "tests/engine/host_kernels.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/memory_write.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/skinny_source.h"
#include "tests/engine/host_threads.h"

#include <ATen/ops/empty.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace qs::tests {

namespace {

constexpr const char* kHostPrelude = R"(
#include <math.h>
#include <stdint.h>
#include <string.h>
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
static unsigned char qs_to_e4m3_within(float x) { return qs_to_e4m3(x); }
static float qs_e4m3(float x) { return qs_from_e4m3(qs_to_e4m3(x)); }
static float qs_larger(float a, float b) { return a != a || a > b ? a : b; }
static float qs_smaller(float a, float b) { return a != a || a < b ? a : b; }
static float qs_power_of_two(float x) { return exp2f(x); }
static float qs_reciprocal(float x) { return 1.0f / x; }
static unsigned qs_within(unsigned x, unsigned begin, unsigned end)
{ return x < begin ? 0 : x >= end ? end - begin - 1 : x - begin; }
template <int Threads> static float qs_row_sum(float x) { return x; }
template <int Threads> static float qs_row_larger(float x) { return x; }
template <int Threads> static float qs_row_smaller(float x) { return x; }
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

struct HostGrid {
    std::int64_t clusters;
    std::int64_t splits;  // blocks of one
    std::int64_t warps;   // of a block
    std::int64_t sharedBytes;
};

// All threads of all blocks, with the instructions of a GPU as functions.
std::string threadedText(const core::Graph& group, const std::string& kernel,
                         const std::string& source, const HostGrid& grid, std::size_t number)
{
    const std::string name = "threaded_" + std::to_string(number);
    const Pointers pointers = pointersOf(group);
    std::string text = "#define " + kernel + " " + name + "\nnamespace space_" + name + " {\n" +
                       source + "}\n#undef " + kernel +
                       "\n#undef QS_ACTIVE\nextern \"C\" void run_" + std::to_string(number) +
                       "(void** p)\n{\n    qs_run_clusters(";
    for (const std::int64_t size : {grid.clusters, grid.splits, grid.warps, grid.sharedBytes})
        text += std::to_string(size) + ", ";
    return text + "[=] { ((void (*)(" + pointers.types + "))space_" + name + "::" + name + ")(" +
           pointers.values + "); });\n}\n";
}

// So few processors that blocks have several items; each group in another shape.
std::optional<std::string> skinnyText(const core::Graph& group, const core::InputStrides& strides,
                                      std::size_t number)
{
    const auto sources =
        core::skinnySources(group, strides, core::Division::Exact, kHostChip.processors, true, {});
    if (!sources.ok())
        return std::nullopt;
    const core::SkinnySource& source = sources.value()[number % sources.value().size()];
    const core::SkinnyShape& shape = source.shape;
    return threadedText(group, source.name, source.text,
                        {shape.clusters, shape.splits, shape.warps(), shape.sharedBytes}, number);
}

std::string plainText(const core::Graph& group, const core::InputStrides& strides,
                      std::size_t shapeNumber, std::size_t number)
{
    const auto sources =
        core::productSources(group, strides, core::Division::Exact, kHostChip, {}).value();
    const core::ProductSource& source = sources.at(shapeNumber);
    const core::ProductShape& shape = source.shape;
    return threadedText(group, source.name, source.text,
                        {shape.blocks, 1, shape.threads / 32, shape.sharedBytes}, number);
}

std::string textOf(const std::vector<const core::Graph*>& groups, const core::InputStrides& strides,
                   core::ProductUnits units, std::size_t number)
{
    const core::Graph& group = *groups[number];
    const auto here = groups.begin() + std::ptrdiff_t(number);
    if (const auto skinny = skinnyText(group, strides, number))
        return *skinny;
    if (core::matrixProduct(group, strides))
        return units == core::ProductUnits::Plain
                   ? plainText(group, strides,
                               std::size_t(std::count(groups.begin(), here, &group)), number)
                   : productText(group,
                                 core::productSource(group, strides, core::Division::Exact,
                                                     {core::ProductUnits::Hopper, true, 1})
                                     .value(),
                                 number);
    return kernelText(group, core::kernelSource(group, strides, core::Division::Exact, 1).value(),
                      number);
}

std::vector<const core::Graph*> pointersTo(const std::vector<core::Graph>& graphs)
{
    std::vector<const core::Graph*> pointers;
    for (const core::Graph& graph : graphs)
        pointers.push_back(&graph);
    return pointers;
}

std::vector<core::InputStrides> denseInputsOf(const std::vector<core::Graph>& graphs)
{
    std::vector<core::InputStrides> strides;
    for (const core::Graph& graph : graphs)
        strides.push_back(core::denseInputs(graph));
    return strides;
}

}  // namespace

HostKernels::HostKernels(const std::vector<const core::Graph*>& groups,
                         const std::vector<core::InputStrides>& strides,
                         const std::filesystem::path& folder, core::ProductUnits units)
    : m_groups(groups)
{
    const auto source = folder / "kernels.cpp";
    std::string kernels;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        kernels += textOf(groups, strides[i], units, i);
        const bool product = core::matrixProduct(*groups[i], strides[i]) ||
                             core::skinnyProduct(*groups[i], strides[i]);
        m_pitches.push_back(
            product ? std::vector<std::int64_t>()
                    : core::kernelSource(*groups[i], strides[i], core::Division::Exact, 1)
                          .value()
                          .pitches);
    }
    // Half of the time to compile small kernels is that of threads: few kernels have some.
    const bool hasThreads = kernels.find("qs_run_clusters(") != std::string::npos;
    std::ofstream(source) << kHostPrelude << (hasThreads ? hostThreads() : "")
                          << core::elementPrelude() << kernels;
    const auto library = folder / "kernels.so";
    // Optimising them would take longer than it saves.
    const std::string command = "c++ -std=c++20 -pthread -w -ffp-contract=off -shared -fPIC -o " +
                                library.string() + " " + source.string();
    if (std::system(command.c_str()) != 0) {
        ADD_FAILURE() << "does not compile: " << source;
        std::abort();
    }
    m_library = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

HostKernels::HostKernels(const std::vector<core::Graph>& graphs,
                         const std::filesystem::path& folder)
    : HostKernels(pointersTo(graphs), denseInputsOf(graphs), folder)
{
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
        if (const auto written = core::writtenInput(*m_groups[group], i)) {
            outputs.push_back(inputs[*written]);
            pointers.push_back(outputs.back().data_ptr());
            continue;
        }
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
