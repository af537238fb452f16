#include "core/device/telemetry.h"

#include "core/base/caught.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace qs::core {

double Telemetry::now()
{
    // steady_clock is CLOCK_MONOTONIC on Linux.
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Telemetry::Telemetry(const std::string& library, double periodSeconds, bool watchProcesses,
                     double keptSeconds)
    : m_keptSeconds(keptSeconds),
      m_thread(&Telemetry::run, this, library, periodSeconds, watchProcesses)
{
}

Telemetry::~Telemetry()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

std::optional<Nvml> Telemetry::open(const std::string& library)
{
    Result<Nvml> nvml = Nvml::open(library);
    std::vector<std::string> uuids;
    std::vector<std::optional<double>> clocks;
    std::string whyNot;
    if (!nvml.ok()) {
        whyNot = nvml.error().message;
    } else {
        for (int device = 0; device < nvml.value().deviceCount(); ++device) {
            uuids.push_back(nvml.value().uuid(device));
            clocks.push_back(nvml.value().maximumSmClock(device));
        }
        if (uuids.empty())
            whyNot = "the NVIDIA driver sees no GPU";
    }
    const std::lock_guard lock(m_mutex);
    m_whyNot = whyNot;
    m_uuids = std::move(uuids);
    m_maximumClocks = std::move(clocks);
    if (!whyNot.empty())
        return std::nullopt;
    return std::move(nvml).value();
}

// Readings are a courtesy: a lack of memory for them must not end the program.
void Telemetry::run(const std::string& library, double periodSeconds, bool watchProcesses)
{
    try {
        read(library, periodSeconds, watchProcesses);
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_whyNot = caughtError().message;
    }
}

void Telemetry::read(const std::string& library, double periodSeconds, bool watchProcesses)
{
    std::optional<Nvml> nvml = open(library);
    if (!nvml)
        return;
    const std::chrono::duration<double> period(periodSeconds);
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        lock.unlock();
        TelemetrySample sample{now(), {}, {}};
        for (int device = 0; device < nvml->deviceCount(); ++device) {
            sample.gpus.push_back(nvml->read(device));
            if (watchProcesses)
                sample.processes.push_back(nvml->processes(device));
        }
        lock.lock();
        while (!m_samples.empty() && m_samples.front().seconds < sample.seconds - m_keptSeconds)
            m_samples.pop_front();
        m_samples.push_back(std::move(sample));
        m_wake.wait_for(lock, period, [this] { return m_stop; });
    }
}

std::optional<std::string> Telemetry::whyNot() const
{
    const std::lock_guard lock(m_mutex);
    return m_whyNot;
}

std::vector<std::string> Telemetry::uuids() const
{
    const std::lock_guard lock(m_mutex);
    return m_uuids;
}

std::vector<std::optional<double>> Telemetry::maximumClocks() const
{
    const std::lock_guard lock(m_mutex);
    return m_maximumClocks;
}

std::vector<TelemetrySample> Telemetry::since(double seconds) const
{
    const std::lock_guard lock(m_mutex);
    const auto first = std::find_if(m_samples.begin(), m_samples.end(),
                                    [&](const auto& each) { return each.seconds > seconds; });
    return {first, m_samples.end()};
}

}  // namespace qs::core
