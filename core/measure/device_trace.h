#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The device at one moment while a cell ran. Empty where it does not tell.
struct DevicePoint {
    double at = 0.0;  // seconds after the cell began, see CellResult::began
    std::optional<double> smClockMegahertz = std::nullopt;
    std::optional<double> powerWatts = std::nullopt;
    std::optional<double> temperatureCelsius = std::nullopt;
    std::optional<double> energyJoules = std::nullopt;  // of a counter that only rises
    std::optional<std::int64_t> processBytes =
        std::nullopt;  // held on the device by the worker's process
    std::optional<std::uint64_t> slowdownBits =
        std::nullopt;  // see slowdownReasons() in core/device/clock_reasons.h

    // Time for which the driver had held the clock down until now, from the first point on: they
    // only rise.
    std::optional<double> powerCappedSeconds = std::nullopt;
    std::optional<double> thermalCappedSeconds = std::nullopt;

    bool operator==(const DevicePoint&) const = default;
};

// Another process that used the device.
struct ForeignProcess {
    std::string name;  // empty: not known
    std::int64_t pid = 0;
    std::int64_t bytes = 0;  // held on the device, the most seen; 0: not known

    bool operator==(const ForeignProcess&) const = default;
};
[[nodiscard]] Json toJson(const std::vector<ForeignProcess>& processes);
[[nodiscard]] std::vector<ForeignProcess>
foreignProcessesFromJson(JsonFields& parent, std::string_view name, std::vector<JsonIssue>& issues);

// What the supervising process saw of the device while a cell ran. No points on a CPU and without
// a driver that tells.
struct DeviceTrace {
    std::vector<DevicePoint> points;              // ascending in time
    std::optional<double> maximumClockMegahertz;  // that the device can do
    // Held on the device beyond what was held before the first cell, when this cell began. More
    // than a little means that something had not gone away.
    std::optional<std::int64_t> leftOverBytes;
    std::vector<ForeignProcess> foreignProcesses;
    // Seconds that the driver counts as slowed down for power or heat, over the whole trace.
    std::optional<double> powerCappedSeconds;
    std::optional<double> thermalCappedSeconds;

    bool operator==(const DeviceTrace&) const = default;
};

// The clock at moments, in their order. Interpolated between the neighbouring points; beyond the
// ends that of the nearest one if it is no further than kTraceReach. Nothing without points that
// tell.
inline constexpr double kTraceReach = 0.5;  // seconds
[[nodiscard]] std::vector<std::optional<double>> clocksAt(const DeviceTrace& trace,
                                                          const std::vector<double>& moments);

// Energy of a stretch of time in joules. The counter moves in steps of up to kEnergyStep seconds,
// so that a short stretch says nothing.
struct EnergyUse {
    double joules = 0.0;
    double seconds = 0.0;
    // Half of what the steps leave open, as a fraction of the whole.
    [[nodiscard]] double uncertainty() const;
};
inline constexpr double kEnergyStep = 0.1;            // seconds
inline constexpr double kShortestEnergyWindow = 2.0;  // seconds: 5 % of uncertainty
// Nothing if the counter was not read on both sides of the stretch, or stood still. Stretches below
// kShortestEnergyWindow come back, too: whoever shows them has to say "window too short".
[[nodiscard]] std::optional<EnergyUse> energyBetween(const DeviceTrace& trace, double from,
                                                     double to);

// Which part of a stretch of time the driver held the clock down, by one of the counters of the
// points: &DevicePoint::powerCappedSeconds or &DevicePoint::thermalCappedSeconds. In [0, 1];
// nothing if the counter was not read on both sides of the stretch.
[[nodiscard]] std::optional<double> cappedShare(const DeviceTrace& trace,
                                                std::optional<double> DevicePoint::*counter,
                                                double from, double to);

// The largest of the points in [from, to].
[[nodiscard]] std::optional<double> hottest(const DeviceTrace& trace, double from, double to);

[[nodiscard]] Json toJson(const DeviceTrace& trace);
[[nodiscard]] DeviceTrace deviceTraceFromJson(const JsonView& json, const std::string& path,
                                              std::vector<JsonIssue>& issues);

}  // namespace qs::core
