#pragma once

#include "core/base/result.h"
#include "core/kernels/kernel_cache.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace qs::core {

// How a kernel is launched.
struct LaunchGrid {
    std::int64_t blocks = 1;
    int threads = 1;      // of a block
    int sharedBytes = 0;  // that it asks for when it is launched
    // It may start while what stands before it in the stream ends, because its text waits for that:
    // from compute capability 9.0.
    bool startsEarly = false;
};

struct KernelCode {
    std::string image;     // cubin
    double seconds = 0.0;  // that compiling took, now or then
    bool kept = false;     // made before
};

// What compileKernel needs and does not find: "libnvrtc.so.13"; empty if it is there.
[[nodiscard]] std::string kernelCompilerLacks();
// What NVRTC makes of CUDA C++ for a compute capability, or has made of it before; no device is
// needed. Unsupported with the compiler's log if the text does not compile, or there is no
// compiler.
[[nodiscard]] Result<KernelCode> compileKernel(const std::string& text, int computeMajor,
                                               int computeMinor, const KernelCache& cache = {});

// A kernel whose text was written at run time, compiled by NVRTC for one CUDA device. NVRTC is
// found where PyTorch has brought it.
class GeneratedKernel final
{
public:
    // Of CUDA C++ with one kernel, `name`. The context of the device must be current in this
    // thread.
    [[nodiscard]] static Result<GeneratedKernel> build(const std::string& text,
                                                       const std::string& name, int computeMajor,
                                                       int computeMinor,
                                                       const KernelCache& cache = {});
    ~GeneratedKernel();
    GeneratedKernel(GeneratedKernel&& other) noexcept;
    GeneratedKernel& operator=(GeneratedKernel&& other) noexcept;

    [[nodiscard]] const std::string& name() const { return m_name; }
    // See KernelCode.
    [[nodiscard]] double compileSeconds() const { return m_compileSeconds; }
    [[nodiscard]] bool wasKept() const { return m_wasKept; }
    // Before a launch that asks for more than 48 KiB.
    [[nodiscard]] Status allowShared(int bytes) const;
    // `parameters`: where each of them is. `stream`: a cudaStream_t.
    [[nodiscard]] Status launch(const std::vector<void*>& parameters, const LaunchGrid& grid,
                                void* stream) const;

private:
    GeneratedKernel(void* library, void* function) : m_module(library), m_function(function) {}

    void* m_module = nullptr;    // CUmodule, its own
    void* m_function = nullptr;  // CUfunction of it
    std::string m_name;
    double m_compileSeconds = 0.0;
    bool m_wasKept = false;
};

}  // namespace qs::core
