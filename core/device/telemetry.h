#pragma once

#include "core/device/nvml.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace qs::core {

// All GPUs at one moment, in NVML's order.
struct TelemetrySample {
    double seconds = 0.0;  // CLOCK_MONOTONIC, the clock that samples of cells are stamped with
    std::vector<GpuReading> gpus;
};

// Reads clocks, power and temperature of all GPUs on a thread of its own that calls NVML alone.
// Keeps the last minutes. Without an NVIDIA driver it is empty and says why.
class Telemetry final
{
public:
    static constexpr double kPeriodSeconds = 0.1;
    static constexpr double kKeptSeconds = 120.0;

    explicit Telemetry(const std::string& library = Nvml::kLibrary,
                       double periodSeconds = kPeriodSeconds);
    ~Telemetry();
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;

    // Empty if readings come.
    [[nodiscard]] const std::string& whyNot() const { return m_whyNot; }
    // Of the GPUs, in the order of the readings.
    [[nodiscard]] const std::vector<std::string>& uuids() const { return m_uuids; }
    // Samples younger than `seconds`, oldest first. From any thread.
    [[nodiscard]] std::vector<TelemetrySample> since(double seconds) const;

private:
    void run(Nvml nvml, double periodSeconds);

    std::string m_whyNot;
    std::vector<std::string> m_uuids;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::deque<TelemetrySample> m_samples;
    std::thread m_thread;
};

}  // namespace qs::core
