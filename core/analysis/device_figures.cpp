#include "core/analysis/device_figures.h"

#include "core/device/clock_reasons.h"
#include "core/measure/throttling.h"
#include "core/stats/moments.h"
#include "core/stats/quantiles.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr double kHertzPerMegahertz = 1e6;

// The clock at each sample that counts; empty if it is unknown for any sample.
std::vector<double> clocksOf(const CellResult& result)
{
    if (!result.sampling())
        return {};
    std::vector<double> clocks;
    for (const auto& clock : sampleClocks(result)) {
        if (!clock || *clock <= 0.0)
            return {};
        clocks.push_back(*clock);
    }
    return result.counted(clocks);
}

// Passes from the start of the first sample to the end of the last. After each block of several
// passes the stages are timed in a pass of their own (see CudaTimer::sample), which takes energy,
// too; the one after the last block is outside.
double passesWhileSampling(const CellResult& result)
{
    const auto samples = static_cast<double>(result.sampleStart.size());
    const bool stagesTimed =
        std::any_of(result.stages.begin(), result.stages.end(),
                    [](const StageSamples& stage) { return !stage.seconds.empty(); });
    const double between = result.passesPerSample > 1 && stagesTimed ? samples - 1.0 : 0.0;
    return samples * result.passesPerSample + between;
}

void addPoints(const DeviceTrace& trace, double from, double to, RowDeviceFigures& figures)
{
    for (const DevicePoint& point : trace.points) {
        if (point.at < from || point.at > to || !point.slowdownBits)
            continue;
        ++figures.looks;
        figures.slowed += slowdownReasons(*point.slowdownBits).empty() ? 0U : 1U;
    }
}

// What rows have each one of.
struct Collected {
    std::vector<double> joulesPerPass;
    std::vector<double> energySeconds;
    std::vector<double> endToEnd;
    std::vector<double> copies;
};

void addEnergy(const RowEnergy& energy, Collected& collected, DeviceFigures& figures)
{
    if (!energy.longEnough()) {
        figures.energyWindowTooShort = true;
        return;
    }
    collected.joulesPerPass.push_back(energy.joulesPerPass());
    collected.energySeconds.push_back(energy.use.seconds);
}

std::optional<double> meanOf(const Moments& moments)
{
    return moments.count() > 0 ? std::optional(moments.mean()) : std::nullopt;
}

void fillFrom(const Collected& collected, DeviceFigures& figures)
{
    if (!collected.joulesPerPass.empty()) {
        figures.joulesPerPass = median(collected.joulesPerPass);
        figures.joulesOfRounds = collected.joulesPerPass;
        figures.energyWindowSeconds = median(collected.energySeconds);
        figures.energyWindowTooShort = false;
    }
    if (!collected.endToEnd.empty())
        figures.endToEndSeconds = median(collected.endToEnd);
    if (!collected.copies.empty())
        figures.copySeconds = median(collected.copies);
}

}  // namespace

CappedPercent cappedWhileSampling(const CellResult& result)
{
    const auto sampling = result.sampling();
    if (!sampling)
        return {};
    const auto percent = [&](std::optional<double> DevicePoint::*counter) {
        const auto share = cappedShare(result.trace, counter, sampling->lower, sampling->upper);
        return share ? std::optional(100.0 * *share) : std::nullopt;
    };
    return {percent(&DevicePoint::powerCappedSeconds), percent(&DevicePoint::thermalCappedSeconds)};
}

std::optional<RowEnergy> energyOf(const Measurement& row)
{
    const CellResult& result = row.result;
    if (result.conditions && result.conditions->cache == CacheState::Cold)
        return std::nullopt;
    const auto between = [&](double from, double to, double passes) -> std::optional<RowEnergy> {
        const auto use = energyBetween(result.trace, from, to);
        if (!use)
            return std::nullopt;
        return RowEnergy{*use, passes, result.energy.has_value()};
    };
    if (const auto& own = result.energy)
        return between(own->start, own->start + own->seconds, static_cast<double>(own->passes));
    const auto sampling = result.sampling();
    return sampling ? between(sampling->lower, sampling->upper, passesWhileSampling(result))
                    : std::nullopt;
}

RowDeviceFigures deviceFiguresOf(const Measurement& row)
{
    const CellResult& result = row.result;
    RowDeviceFigures figures;
    figures.discards = result.discards.size();
    if (const auto whole = result.counted(result.endToEndSeconds); !whole.empty())
        figures.endToEndSeconds = median(whole);
    if (const auto copies = result.counted(result.copySeconds); !copies.empty())
        figures.copySeconds = median(copies);
    figures.clocks = momentsOf(clocksOf(result));
    figures.energy = energyOf(row);
    figures.capped = cappedWhileSampling(result);
    if (const auto sampling = result.sampling()) {
        addPoints(result.trace, sampling->lower, sampling->upper, figures);
        figures.maximumCelsius = hottest(result.trace, sampling->lower, sampling->upper);
    }
    return figures;
}

DeviceFigures deviceFigures(const std::vector<const RowDeviceFigures*>& rows)
{
    DeviceFigures figures;
    Collected collected;
    Moments clocks;
    Moments powerCapped;
    Moments thermalCapped;
    std::size_t looks = 0;
    std::size_t slowed = 0;
    for (const RowDeviceFigures* row : rows) {
        figures.discards += row->discards;
        clocks.add(row->clocks);
        looks += row->looks;
        slowed += row->slowed;
        if (row->capped.power)
            powerCapped.add(*row->capped.power);
        if (row->capped.thermal)
            thermalCapped.add(*row->capped.thermal);
        if (row->energy)
            addEnergy(*row->energy, collected, figures);
        if (row->endToEndSeconds)
            collected.endToEnd.push_back(*row->endToEndSeconds);
        if (row->copySeconds)
            collected.copies.push_back(*row->copySeconds);
        figures.maximumCelsius = std::max(figures.maximumCelsius, row->maximumCelsius);
    }
    figures.clockMegahertz = meanOf(clocks);
    if (looks > 0)
        figures.slowedShare = static_cast<double>(slowed) / static_cast<double>(looks);
    figures.powerCappedPercent = meanOf(powerCapped);
    figures.thermalCappedPercent = meanOf(thermalCapped);
    fillFrom(collected, figures);
    return figures;
}

std::optional<double> medianCycles(const CellResult& result)
{
    const std::vector<double> clocks = clocksOf(result);
    const std::vector<double> seconds = result.passSeconds();
    if (clocks.empty() || clocks.size() != seconds.size())
        return std::nullopt;
    std::vector<double> cycles;
    for (std::size_t i = 0; i < seconds.size(); ++i)
        cycles.push_back(seconds[i] * clocks[i] * kHertzPerMegahertz);
    return median(cycles);
}

}  // namespace qs::core
