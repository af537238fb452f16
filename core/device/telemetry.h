#pragma once

#include "core/device/nvml.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace qs::core {

// All GPUs at one moment, in NVML's order.
struct TelemetrySample {
    double seconds = 0.0;  // CLOCK_MONOTONIC, the clock that samples of cells are stamped with
    std::vector<GpuReading> gpus;
    std::vector<std::vector<GpuProcess>> processes;  // per GPU, if they are watched
};

// Reads clocks, power and temperature of all GPUs on a thread of its own that calls NVML alone.
// Keeps the last minutes. Without an NVIDIA driver it is empty and says why. The driver is opened
// on that thread too: on a machine with many GPUs it takes seconds.
class Telemetry final
{
public:
    static constexpr double kPeriodSeconds = 0.1;
    static constexpr double kKeptSeconds = 120.0;

    // That clock, now.
    [[nodiscard]] static double now();

    // Samples older than `keptSeconds` are forgotten.
    explicit Telemetry(const std::string& library = Nvml::kLibrary,
                       double periodSeconds = kPeriodSeconds, bool watchProcesses = false,
                       double keptSeconds = kKeptSeconds);
    ~Telemetry();
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;

    // Nothing while the driver is being opened; empty if readings come. From any thread.
    [[nodiscard]] std::optional<std::string> whyNot() const;
    // Of the GPUs, in the order of the readings. From any thread.
    [[nodiscard]] std::vector<std::string> uuids() const;
    // What the clocks can do in MHz, in the order of the readings. From any thread.
    [[nodiscard]] std::vector<std::optional<double>> maximumClocks() const;
    // Samples younger than `seconds`, oldest first. From any thread.
    [[nodiscard]] std::vector<TelemetrySample> since(double seconds) const;

private:
    void run(const std::string& library, double periodSeconds, bool watchProcesses);
    void read(const std::string& library, double periodSeconds, bool watchProcesses);
    // Says what came of it; nothing without a GPU to read.
    [[nodiscard]] std::optional<Nvml> open(const std::string& library);

    mutable std::mutex m_mutex;  // guards all but the thread
    std::optional<std::string> m_whyNot;
    std::vector<std::string> m_uuids;
    std::vector<std::optional<double>> m_maximumClocks;
    std::condition_variable m_wake;
    double m_keptSeconds;
    bool m_stop = false;
    std::deque<TelemetrySample> m_samples;
    std::thread m_thread;
};

}  // namespace qs::core
