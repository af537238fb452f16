#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>

namespace qs::core {

// The calls of the CUDA driver that kernels need, as its manual has them. It is found where it is
// installed: nothing of CUDA is needed to build this.
struct CudaDriver {
    int (*loadModule)(void** library, const void* image) = nullptr;
    int (*unloadModule)(void* library) = nullptr;
    int (*getFunction)(void** function, void* library, const char* name) = nullptr;
    int (*setAttribute)(void* function, int attribute, int value) = nullptr;
    int (*launch)(void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                  unsigned blockY, unsigned blockZ, unsigned sharedBytes, void* stream,
                  void** parameters, void** extra) = nullptr;
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
