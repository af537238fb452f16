#include "core/device/telemetry.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace qs::core {

namespace {

double now()
{
    // steady_clock is CLOCK_MONOTONIC on Linux.
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Telemetry::Telemetry(const std::string& library, double periodSeconds)
{
    Result<Nvml> nvml = Nvml::open(library);
    if (!nvml.ok()) {
        m_whyNot = nvml.error().message;
        return;
    }
    for (int device = 0; device < nvml.value().deviceCount(); ++device)
        m_uuids.push_back(nvml.value().uuid(device));
    if (m_uuids.empty()) {
        m_whyNot = "the NVIDIA driver sees no GPU";
        return;
    }
    m_thread = std::thread(&Telemetry::run, this, std::move(nvml).value(), periodSeconds);
}

Telemetry::~Telemetry()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void Telemetry::run(Nvml nvml, double periodSeconds)
{
    const std::chrono::duration<double> period(periodSeconds);
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        lock.unlock();
        TelemetrySample sample{now(), {}};
        for (int device = 0; device < nvml.deviceCount(); ++device)
            sample.gpus.push_back(nvml.read(device));
        lock.lock();
        while (!m_samples.empty() && m_samples.front().seconds < sample.seconds - kKeptSeconds)
            m_samples.pop_front();
        m_samples.push_back(std::move(sample));
        m_wake.wait_for(lock, period, [this] { return m_stop; });
    }
}

std::vector<TelemetrySample> Telemetry::since(double seconds) const
{
    const std::lock_guard lock(m_mutex);
    const auto first = std::find_if(m_samples.begin(), m_samples.end(),
                                    [&](const auto& each) { return each.seconds > seconds; });
    return {first, m_samples.end()};
}

}  // namespace qs::core
