// The library of a package as AOTInductor makes one, by hand: one input float32 [batch, 8], one
// output, which is twice the input; batches above 64 are refused. Whoever loads it has the
// functions of PyTorch that it calls.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {

int aoti_torch_clone(void* tensor, void** result);
int aoti_torch_delete_tensor_object(void* tensor);
int aoti_torch_get_data_ptr(void* tensor, void** data);
int aoti_torch_get_dim(void* tensor, std::int64_t* dimensions);
int aoti_torch_get_size(void* tensor, std::int64_t dimension, std::int64_t* size);

}  // extern "C"

namespace {

constexpr std::int64_t kWidth = 8;
constexpr std::int64_t kMostBatch = 64;

bool refuses(std::int64_t dimensions, std::int64_t batch, std::int64_t width)
{
    if (std::getenv("AOTI_RUNTIME_CHECK_INPUTS") == nullptr)
        return false;
    if (dimensions == 2 && width == kWidth && batch <= kMostBatch)
        return false;
    std::fprintf(stderr, "Error: input_handles[0]: a batch of %lld with a width of %lld\n",
                 static_cast<long long>(batch), static_cast<long long>(width));
    return true;
}

}  // namespace

extern "C" {

int AOTInductorModelContainerCreateWithDevice(void** container, std::size_t, const char*,
                                              const char*)
{
    static int nothing = 0;
    *container = &nothing;
    return 0;
}

int AOTInductorModelContainerDelete(void*)
{
    return 0;
}

int AOTInductorModelContainerGetNumOutputs(void*, std::size_t* count)
{
    *count = 1;
    return 0;
}

int AOTInductorModelContainerGetNumConstants(void*, std::size_t* count)
{
    *count = 0;
    return 0;
}

int AOTInductorModelContainerRunSingleThreaded(void*, void** inputs, std::size_t, void** outputs,
                                               std::size_t, void*, void*)
{
    std::int64_t dimensions = 0;
    std::int64_t batch = 0;
    std::int64_t width = 0;
    aoti_torch_get_dim(inputs[0], &dimensions);
    if (dimensions == 2) {
        aoti_torch_get_size(inputs[0], 0, &batch);
        aoti_torch_get_size(inputs[0], 1, &width);
    }
    const bool refused = refuses(dimensions, batch, width);
    void* data = nullptr;
    if (!refused && aoti_torch_clone(inputs[0], outputs) == 0 &&
        aoti_torch_get_data_ptr(outputs[0], &data) == 0) {
        auto* values = static_cast<float*>(data);
        for (std::int64_t i = 0; i < batch * width; ++i)
            values[i] *= 2.0F;
    }
    aoti_torch_delete_tensor_object(inputs[0]);
    return data == nullptr ? 1 : 0;
}

// Of a package without constants nobody calls these, but they are looked for.
int AOTInductorModelContainerGetConstantName()
{
    return 1;
}

int AOTInductorModelContainerGetConstantOriginalFQN()
{
    return 1;
}

int AOTInductorModelContainerGetConstantDtype()
{
    return 1;
}

int AOTInductorModelContainerExtractConstantsMap()
{
    return 1;
}

int AOTInductorModelContainerUpdateUserManagedConstantBuffer()
{
    return 1;
}

int AOTInductorModelContainerUpdateConstantBuffer()
{
    return 1;
}

int AOTInductorModelContainerUpdateInactiveConstantBuffer()
{
    return 1;
}

int AOTInductorModelContainerRunConstantFolding()
{
    return 1;
}

int AOTInductorModelContainerSwapConstantBuffer()
{
    return 1;
}

int AOTInductorModelContainerFreeInactiveConstantBuffer()
{
    return 1;
}

int AOTInductorModelContainerGetCallSpec()
{
    return 1;
}

int AOTInductorModelContainerGetConstantsBlobSize()
{
    return 1;
}

int AOTInductorModelUpdateConstantsFromBlob()
{
    return 1;
}

int AOTInductorModelContainerRun(void* container, void** inputs, std::size_t inputCount,
                                 void** outputs, std::size_t outputCount, void* stream, void* proxy)
{
    return AOTInductorModelContainerRunSingleThreaded(container, inputs, inputCount, outputs,
                                                      outputCount, stream, proxy);
}

}  // extern "C"
