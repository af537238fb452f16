#pragma once

#include "core/base/result.h"
#include "core/device/gpu_settings.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What a GPU says of itself at one moment. Empty where driver or device do not tell (virtual GPUs,
// containers, old drivers).
struct GpuReading {
    std::optional<double> smClockMegahertz;
    std::optional<double> powerWatts;
    std::optional<double> temperatureCelsius;
    std::optional<double> energyJoules;  // since the driver was loaded
    std::optional<std::int64_t> memoryUsedBytes;
    std::optional<std::uint64_t> clockEventReasons;  // bits of clock_reasons.h
    // Time for which the driver has held the clock down, ever: counters, so that no moment is
    // missed.
    std::optional<double> powerCappedSeconds;
    std::optional<double> thermalCappedSeconds;
};

// A process that holds memory on a GPU. Inside a container the number may be that of the host.
struct GpuProcess {
    std::int64_t pid = 0;
    std::optional<std::int64_t> usedBytes;  // empty where the driver does not tell
    std::int64_t group = 0;                 // its process group; 0 if it is not known here
};

// What the driver counts for that process; nothing if it does not list it or does not tell.
[[nodiscard]] std::optional<std::int64_t> usedBytes(const std::vector<GpuProcess>& processes,
                                                    std::int64_t pid);

// NVIDIA's management library, loaded at run time: no part of the program needs it. Reads only;
// never changes clocks, power or modes. May be used from one thread at a time.
class Nvml final
{
public:
    static constexpr const char* kLibrary = "libnvidia-ml.so.1";

    // Unsupported if there is no such library or no driver behind it.
    [[nodiscard]] static Result<Nvml> open(const std::string& library = kLibrary);
    ~Nvml();
    Nvml(Nvml&&) noexcept;
    Nvml& operator=(Nvml&&) noexcept;

    [[nodiscard]] int deviceCount() const;
    // "GPU-…", as DeviceDescription::uuid; empty if the driver does not tell.
    [[nodiscard]] std::string uuid(int device) const;
    [[nodiscard]] GpuReading read(int device) const;
    // The highest clock of the multiprocessors, in MHz.
    [[nodiscard]] std::optional<double> maximumSmClock(int device) const;
    [[nodiscard]] std::vector<GpuProcess> processes(int device) const;
    // With uuid and driver.
    [[nodiscard]] GpuSettings settings(int device) const;

private:
    struct Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> m_library;
};

// Of the GPUs with these UUIDs that NVML knows. Empty without a driver.
[[nodiscard]] std::vector<GpuSettings> readGpuSettings(const std::vector<std::string>& uuids,
                                                       const std::string& nvmlLibrary);

}  // namespace qs::core
