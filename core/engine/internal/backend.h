#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/measure/cell_result.h"
#include "core/measure/sampler.h"

#include <c10/core/Device.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace qs::engine {

// Work that was recorded once and can be launched again with the same tensors.
class RecordedWork
{
public:
    virtual ~RecordedWork() = default;
    virtual void launch() = 0;
};

// What differs between a CPU and a CUDA device: clocks, memory figures, recording. One per worker;
// used from the GPU thread alone. Methods throw what Torch throws unless they return a Result.
class Backend
{
public:
    virtual ~Backend() = default;

    [[nodiscard]] virtual c10::Device device() const = 0;
    virtual void synchronize() = 0;
    // Runs the steps (one per stage) in order and times each of them and the whole.
    [[nodiscard]] virtual core::PassSample
    timePass(const std::vector<std::function<void()>>& steps) = 0;
    // Runs `work` a few times to warm libraries, then records it; empty on devices that cannot.
    [[nodiscard]] virtual core::Result<std::unique_ptr<RecordedWork>>
    record(const std::function<void()>& work) = 0;

    // Starts counting peaks anew.
    virtual void resetPeaks() = 0;
    // Peaks since the last reset.
    [[nodiscard]] virtual core::MemoryFigures memory() = 0;
    // Gives cached memory back to the device.
    virtual void releaseCache() = 0;
};

[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend();

// The CUDA half. Without its headers at build time the same functions answer with the reason
// (cuda_absent.cpp).
[[nodiscard]] core::Result<std::unique_ptr<Backend>> makeCudaBackend(int index);
[[nodiscard]] std::vector<core::DeviceDescription> describeCudaDevices();
// Why there are none, in words; empty if there are.
[[nodiscard]] std::string whyNoCuda();

[[nodiscard]] core::Result<std::unique_ptr<Backend>> makeBackend(const std::string& deviceId);

} // namespace qs::engine
