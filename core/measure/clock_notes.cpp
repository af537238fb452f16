#include "core/measure/clock_notes.h"

#include "core/device/clock_reasons.h"
#include "core/measure/throttling.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

// Heat that software and hardware tell of is one.
constexpr std::array<std::pair<std::uint64_t, Slowdown>, 4> kReasons{
    {{kPowerCap, Slowdown::PowerCap},
     {kHeat, Slowdown::Heat},
     {kPowerBrake, Slowdown::PowerBrake},
     {kHardwareSlowdown, Slowdown::Hardware}}};

constexpr std::size_t kFewest = 2;  // looks: one alone may be an accident

// What was seen of the clock in a stretch of time.
struct Seen {
    std::vector<double> clocks;  // MHz
    std::vector<std::uint64_t> bits;

    // In at least half of the looks.
    [[nodiscard]] bool mostly(std::uint64_t mask) const
    {
        return !bits.empty() && 2 * count(mask) >= bits.size();
    }
    // Never moved, with the driver asked for a reason each time and none named.
    [[nodiscard]] bool stoodWithoutReason() const
    {
        const auto [least, most] = std::minmax_element(clocks.begin(), clocks.end());
        return bits.size() >= kFewest && clocks.size() >= kFewest && *least == *most &&
               count(~kIdle) == 0;
    }
    [[nodiscard]] std::size_t count(std::uint64_t mask) const
    {
        return static_cast<std::size_t>(std::count_if(
            bits.begin(), bits.end(), [mask](std::uint64_t each) { return (each & mask) != 0; }));
    }
};

Seen look(const DeviceTrace& trace, double from, double to)
{
    Seen seen;
    for (const DevicePoint& point : trace.points) {
        if (point.at < from || point.at > to)
            continue;
        if (point.smClockMegahertz)
            seen.clocks.push_back(*point.smClockMegahertz);
        if (point.slowdownBits)
            seen.bits.push_back(*point.slowdownBits);
    }
    return seen;
}

// What held the clock for most of the time: a Slowdown, "locked" (it never moved and the driver
// names no reason), or "none" that lasted.
std::string mainReason(const Seen& seen)
{
    std::optional<Slowdown> main;
    std::size_t most = 0;
    for (const auto& [mask, cause] : kReasons) {
        if (seen.count(mask) > most && seen.mostly(mask)) {
            most = seen.count(mask);
            main = cause;
        }
    }
    if (main)
        return std::string(kSlowdowns.of(*main));
    return seen.stoodWithoutReason() ? kLockedClock : kNoReason;
}

std::optional<Note> belowMaximum(const Seen& sampling, double maximum)
{
    const double usual = median(sampling.clocks);
    if (sampling.mostly(kClocksAreSet))
        return Note{NoteCode::ClocksSet, {usual, maximum}};
    if (usual < kLowClock * maximum)
        return Note{NoteCode::ClockLow, {usual, maximum, mainReason(sampling)}};
    if (usual < (1.0 - kMovingClock) * maximum && sampling.stoodWithoutReason())
        return Note{NoteCode::ClockBelowMaximum, {usual, maximum, mainReason(sampling)}};
    return std::nullopt;
}

std::optional<Note> stillMoving(const CellResult& result, const Seen& sampling)
{
    const PhaseTime* warmup = result.phase(Phase::Warmup);
    if (warmup == nullptr)
        return std::nullopt;
    const double end = warmup->start + warmup->seconds;
    const Seen before = look(result.trace, end - warmup->seconds / 3.0, end);
    if (before.clocks.size() < kFewest || sampling.clocks.size() < kFewest)
        return std::nullopt;
    const double first = median(before.clocks);
    const double then = median(sampling.clocks);
    if (!(std::abs(then - first) > kMovingClock * first))
        return std::nullopt;
    return Note{NoteCode::ClockMoving, {first, then}};
}

}  // namespace

std::vector<Note> clockNotes(const CellResult& result)
{
    const auto span = result.sampling();
    if (!span)
        return {};
    const Seen sampling = look(result.trace, span->lower, span->upper);
    if (sampling.clocks.empty())
        return {};
    std::vector<Note> notes;
    if (result.trace.maximumClockMegahertz) {
        if (auto note = belowMaximum(sampling, *result.trace.maximumClockMegahertz))
            notes.push_back(std::move(*note));
    }
    if (auto note = stillMoving(result, sampling))
        notes.push_back(std::move(*note));
    return notes;
}

}  // namespace qs::core
