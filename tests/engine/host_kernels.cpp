#include "tests/engine/host_kernels.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"

#include <ATen/ops/empty.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

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
static unsigned qs_within(unsigned x, unsigned begin, unsigned end)
{ return x < begin ? 0 : x >= end ? end - begin - 1 : x - begin; }
template <int Threads> static float qs_row_sum(float x) { return x; }
template <int Threads> static float qs_row_larger(float x) { return x; }
template <int Threads> static float qs_row_smaller(float x) { return x; }
)";

// A kernel under a name of its own, and a function that runs all its blocks.
std::string textOf(const core::Graph& group, const core::InputStrides& strides, std::size_t number)
{
    const auto source = core::kernelSource(group, strides, core::Division::Exact, 1).value();
    const std::string name = "group_" + std::to_string(number);
    std::string types;
    std::string pointers;
    for (std::size_t i = 0; i < group.inputs.size() + group.outputs.size(); ++i) {
        types += i == 0 ? "void*" : ", void*";
        pointers += (i == 0 ? "p[" : ", p[") + std::to_string(i) + "]";
    }
    return "#define " + source.name + " " + name + "\nnamespace space_" + name + " {\n" +
           source.text + "}\n#undef " + source.name + "\n#undef QS_ACTIVE\n" +
           "extern \"C\" void run_" + std::to_string(number) +
           "(void** p)\n{\n    for (qs_block_number = 0; qs_block_number < " +
           std::to_string(source.shape.blocks) + "; ++qs_block_number)\n        ((void (*)(" +
           types + "))space_" + name + "::" + name + ")(" + pointers + ");\n}\n";
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
    for (std::size_t i = 0; i < groups.size(); ++i)
        text << textOf(*groups[i], strides[i], i);
    text.close();
    const auto library = folder / "kernels.so";
    const std::string command = "c++ -std=c++17 -O1 -w -ffp-contract=off -shared -fPIC -o " +
                                library.string() + " " + source.string();
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
    for (const core::ValueId id : m_groups[group]->outputs) {
        const core::TensorType& type = m_groups[group]->value(id).type;
        outputs.push_back(at::empty(type.shape, engine::toTorch(type.dtype)));
        pointers.push_back(outputs.back().data_ptr());
    }
    const std::string name = "run_" + std::to_string(group);
    reinterpret_cast<void (*)(void**)>(::dlsym(m_library, name.c_str()))(pointers.data());
    return outputs;
}

}  // namespace qs::tests
