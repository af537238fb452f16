#include "core/measure/throttling.h"

#include "core/device/clock_reasons.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace qs::core {

namespace {

// The power cap is none, see Note [Throttling].
constexpr std::uint64_t kDisturbances = kHardwareSlowdown | kHeat | kPowerBrake;

Slowdown causeOf(std::uint64_t bits)
{
    if ((bits & kPowerBrake) != 0)
        return Slowdown::PowerBrake;
    return (bits & kHeat) != 0 ? Slowdown::Heat : Slowdown::Hardware;
}

double middleOf(const CellResult& result, std::size_t sample)
{
    const double length = sample < result.hostSeconds.size() ? result.hostSeconds[sample] : 0.0;
    return result.sampleStart[sample] + 0.5 * length * result.passesPerSample;
}

// The bits of the point next to that moment.
std::uint64_t bitsAt(const DeviceTrace& trace, double at)
{
    const DevicePoint* nearest = nullptr;
    for (const DevicePoint& point : trace.points) {
        if (nearest == nullptr || std::abs(point.at - at) < std::abs(nearest->at - at))
            nearest = &point;
    }
    const bool tells = nearest != nullptr && std::abs(nearest->at - at) <= kTraceReach;
    return tells ? nearest->slowdownBits.value_or(0) : 0;
}

std::optional<double> usualClock(const std::vector<std::optional<double>>& clocks)
{
    std::vector<double> known;
    for (const auto& clock : clocks) {
        if (clock)
            known.push_back(*clock);
    }
    return known.empty() ? std::nullopt : std::optional(median(known));
}

}  // namespace

std::vector<std::optional<double>> sampleClocks(const CellResult& result)
{
    std::vector<double> middles;
    for (std::size_t i = 0; i < result.sampleStart.size(); ++i)
        middles.push_back(middleOf(result, i));
    return clocksAt(result.trace, middles);
}

Throttling findThrottling(const CellResult& result)
{
    Throttling found;
    const auto clocks = sampleClocks(result);
    const auto usual = usualClock(clocks);
    for (std::size_t i = 0; i < clocks.size(); ++i) {
        const std::uint64_t bits = bitsAt(result.trace, middleOf(result, i)) & kDisturbances;
        if (bits != 0)
            found.discards.push_back({i, causeOf(bits)});
        else if (clocks[i] && usual && *clocks[i] < kLowClock * *usual)
            found.discards.push_back({i, Slowdown::LowClock, *clocks[i]});
    }
    if (2 * found.discards.size() < clocks.size() || found.discards.empty())
        return found;
    found.throughout = found.discards.front().cause;
    found.discards.clear();
    return found;
}

}  // namespace qs::core
