#pragma once

#include "core/record/measurement.h"
#include "core/stats/moments.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace qs::core {

// What the device did while a cell was sampled, over its rounds. Empty where nothing was seen: on a
// CPU, without a driver that tells.
struct DeviceFigures {
    std::optional<double> clockMegahertz;  // of the multiprocessors, mean over the samples
    // Of the looks at the device, that saw it slowed down; clocks that were set are no slow-down.
    std::optional<double> slowedShare;
    // Of the time of sampling, for which the driver held the clock down, by its own counters; in
    // per cent.
    std::optional<double> powerCappedPercent;
    std::optional<double> thermalCappedPercent;
    std::optional<double> maximumCelsius;  // while sampling
    // With what the device takes when idle; median. None with a cold L2: it would hold the sweeps.
    std::optional<double> joulesPerPass;
    // Of each round whose window was long enough, in their order.
    std::vector<double> joulesOfRounds;
    // Over which the energy was counted, the median too: of the passes that ran for it alone, or
    // of the samples.
    std::optional<double> energyWindowSeconds;
    bool energyWindowTooShort = false;      // energy was counted, but never long enough to mean it
    std::optional<double> endToEndSeconds;  // a pass with its input's way; median of the rounds
    // Of the inputs of a pass to the device, the median too; nothing where they stay there.
    std::optional<double> copySeconds;
    std::size_t discards = 0;  // samples that do not count, each for a recorded cause

    bool operator==(const DeviceFigures&) const = default;
};

// How much of its sampling one row was held back, in per cent. Nothing where the driver does not
// count.
struct CappedPercent {
    std::optional<double> power;
    std::optional<double> thermal;
};
[[nodiscard]] CappedPercent cappedWhileSampling(const CellResult& result);

// What one row took from the energy counter of its device, with what that takes when idle.
struct RowEnergy {
    EnergyUse use;
    double passes = 0.0;         // that ran meanwhile
    bool ofItsOwnPhase = false;  // not while samples were taken

    [[nodiscard]] bool longEnough() const { return use.seconds >= kShortestEnergyWindow; }
    [[nodiscard]] double joulesPerPass() const { return use.joules / passes; }
};

// Of the passes that ran for it alone if there were some, else of the samples. Nothing with a cold
// L2, whose sweeps would count as the passes', and without a counter.
[[nodiscard]] std::optional<RowEnergy> energyOf(const Measurement& row);

// What one row saw of the device.
struct RowDeviceFigures {
    Moments clocks;          // at the samples, in MHz; none unless that of each is known
    std::size_t looks = 0;   // at the device while sampling
    std::size_t slowed = 0;  // of these
    CappedPercent capped;
    std::optional<RowEnergy> energy;
    std::optional<double> maximumCelsius;   // while sampling
    std::optional<double> endToEndSeconds;  // median of the samples that count
    std::optional<double> copySeconds;      // the same
    std::size_t discards = 0;
};
[[nodiscard]] RowDeviceFigures deviceFiguresOf(const Measurement& row);

// Of the ok rounds of one cell in one environment.
[[nodiscard]] DeviceFigures deviceFigures(const std::vector<const RowDeviceFigures*>& rows);

// Median over the samples that count of seconds times the clock at that sample: what a pass costs
// in cycles, whatever the clock did. Nothing if the clock of any of them is unknown.
[[nodiscard]] std::optional<double> medianCycles(const CellResult& result);

}  // namespace qs::core
