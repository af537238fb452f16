#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace qs::core {

// CUlaunchAttribute.
struct alignas(8) LaunchAttribute {
    static constexpr unsigned kProgrammaticStreamSerialization = 6;

    unsigned id = kProgrammaticStreamSerialization;
    unsigned padding = 0;
    int value = 1;
    std::array<int, 15> rest = {};  // of a union of 64 bytes
};

// CUlaunchConfig.
struct KernelLaunch {
    std::array<unsigned, 3> blocks = {1, 1, 1};
    std::array<unsigned, 3> threads = {1, 1, 1};
    unsigned sharedBytes = 0;
    void* stream = nullptr;
    const LaunchAttribute* attributes = nullptr;
    unsigned attributeCount = 0;
};

// The calls of the CUDA driver that kernels need, as its manual has them. It is found where it is
// installed: nothing of CUDA is needed to build this.
struct CudaDriver {
    int (*loadModule)(void** library, const void* image) = nullptr;
    int (*unloadModule)(void* library) = nullptr;
    int (*getFunction)(void** function, void* library, const char* name) = nullptr;
    int (*setAttribute)(void* function, int attribute, int value) = nullptr;
    int (*launch)(const KernelLaunch* launch, void* function, void** parameters,
                  void** extra) = nullptr;
    int (*encodeTiled)(void* map, int type, std::uint32_t rank, void* address,
                       const std::uint64_t* sizes, const std::uint64_t* strides,
                       const std::uint32_t* box, const std::uint32_t* steps, int interleave,
                       int swizzle, int promotion, int fill) = nullptr;
};

// Opened once, and open until the process ends: what it made outlives every owner.
[[nodiscard]] const Result<CudaDriver>& cudaDriver();

[[nodiscard]] Error notThere(const char* what);
// Of the code that a call gives back; 0 is success.
[[nodiscard]] Status cudaChecked(int code, const char* what);

// Looks a function up in an open library.
[[nodiscard]] void* symbolOf(void* library, const char* name);
template <class Function>
[[nodiscard]] bool findSymbol(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(symbolOf(library, name));
    return function != nullptr;
}

}  // namespace qs::core
