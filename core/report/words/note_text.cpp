#include "core/report/words/note_text.h"

#include "core/base/format.h"
#include "core/measure/clock_notes.h"
#include "core/report/words/evidence_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace qs::core {

namespace {

// "{1:B}" stands for argument 1 in bytes; see valueText() for what can stand behind the colon.
const char* patternOf(NoteCode code)
{
    switch (code) {
    case NoteCode::RowsPadded:
        return "int8 products padded from {0:n} to {1:n} rows";
    case NoteCode::ReferenceFloat8:
        return "float8 products computed in float32 from the quantized values (reference path: "
               "same numerics, no speed)";
    case NoteCode::ReferenceInt4:
        return "int4 weights are widened before each product (reference path: same numerics, no "
               "speed)";
    case NoteCode::FilterMatchesNone:
        return "the layer filter \"{0}\" matches no layer of the {1}, which runs in {2}";
    case NoteCode::SameFilters:
        return "stands for layers {0} as well: {1} quantizes none";
    case NoteCode::Remark:
        return "{0}";
    case NoteCode::WeightsKept:
        return "weights kept from an earlier cell";
    case NoteCode::ColdCacheNeedsGpu:
        return "a cold cache was requested: it exists on GPUs only";
    case NoteCode::GateGivenUp:
        return "launches waited for their end: the stream was not held as planned";
    case NoteCode::NoEnergyColdCache:
        return "no energy phase: emptying the cache before each pass would count as the work's";
    case NoteCode::NoEnergyOnCpu:
        return "no energy phase: there is no energy counter for the CPU";
    case NoteCode::ClockStepsOfPass:
        return "each pass of {0:s} is timed alone; the clock's steps of 0.5 µs are {1:%} of it";
    case NoteCode::ClockStepsOfBlock:
        return "each block of {0:n} passes of {1:s} is timed alone; the clock's steps of 0.5 µs "
               "are {2:%} of it";
    case NoteCode::ClockStepsOfStage:
        return "stage {0} of {1:s} is timed alone; the clock's steps of 0.5 µs are {2:%} of it";
    case NoteCode::ForeignProcess:
        return "another process used the GPU: {0:process}";
    case NoteCode::MemoryLeftOver:
        return "the GPU held {0:B} more than before the first cell when this one began";
    case NoteCode::Throttled:
        return "{0:cause} during most of the samples, which therefore all count";
    case NoteCode::ClocksSet:
        return "the clocks are set (application clocks or locked ones): {0:MHz} during the "
               "samples, of {1:MHz} that the device can do";
    case NoteCode::ClockLow:
        return "the SM clock was low throughout: {0:MHz} during the samples, of {1:MHz} that the "
               "device can do; {2:cause}";
    case NoteCode::ClockBelowMaximum:
        return "the SM clock stood below its maximum: {0:MHz} during the samples, of {1:MHz} that "
               "the device can do; {2:cause}";
    case NoteCode::ClockMoving:
        return "the clock was still moving: {0:MHz} at the end of the warm-up, {1:MHz} during the "
               "samples";
    case NoteCode::HostDisturbed:
        return "other processes used {0:2} of {1:n} cores meanwhile: its times are disturbed";
    case NoteCode::NoMemoryFigures:
        return "no memory figures: the memory self-test did not pass";
    case NoteCode::SelfTestRepeated:
        return "the memory self-test passed at attempt {0:n}";
    case NoteCode::WholeDeviceMemory:
        return "process memory is that of the whole device: the driver does not report the "
               "worker's alone";
    case NoteCode::AllocatorRetried:
        return "memory was short: the allocator had to release its cache and retry, which takes "
               "time";
    case NoteCode::WarmupNotSteady:
        return "warm-up ended by its time limit: passes were not steady yet";
    case NoteCode::RanDifferently:
        return "what ran differs between rounds";
    case NoteCode::OutputsDiffer:
        return "outputs differ between rounds: results are not repeatable bit by bit";
    case NoteCode::SevereOutliers:
        return "more than 5 % of the samples are severe outliers: something disturbed the "
               "measurement";
    case NoteCode::OtherEnvironments:
        return "measured in {0:n} environments; the figures are of one of them";
    case NoteCode::ComparedElsewhere:
        return "its outputs were compared in another environment only: no quality beside the "
               "times of this one";
    case NoteCode::RoundsFarApart:
        return "{0:n} of {1:n} shared rounds ({2}) began up to {3:h} apart from those of the speed "
               "baseline: drift does not cancel there";
    case NoteCode::RoundsLeftOut:
        return "{0:n} of {1:n} shared rounds ({2}) began up to {3:h} apart from those of the speed "
               "baseline and are left out of the ratio: drift does not cancel there";
    case NoteCode::RoundsUnpaired:
        return "rounds could not be paired with those of the speed baseline: drift between them "
               "is not cancelled";
    case NoteCode::Mismatch:
        return "mismatch: the {0} should have run {3:n} × {1} in {2} and ran {4:n}";
    case NoteCode::EqualsBf16:
        return "every output equals that of bf16 bit by bit, so {0} cannot have had an effect";
    case NoteCode::EqualsFp32:
        return "every output equals that of fp32 bit by bit, so {0} cannot have run";
    case NoteCode::WeightsChanged:
        return "the weights of the model were not the same in all rounds";
    case NoteCode::WrongStorage:
        return "weights that do not take the bytes of their scheme: {0:n} ({1:B} of all instead "
               "of {2:B}), first {3}";
    case NoteCode::BeyondPeak:
        return "the time would mean {0:T} TFLOP/s, and the published peak of the device is {1:T}";
    case NoteCode::BeyondMemory:
        return "the weights alone, {0:B}, cannot be read in this time: the published rate of the "
               "memory is {1:T} TB/s";
    }
    return "";
}

std::string hoursText(double seconds)
{
    constexpr double kHour = 3600.0;
    constexpr double kHoursInDays = 48.0;
    const double hours = seconds / kHour;
    return hours < kHoursInDays ? formatSignificant(hours, 2) + " h"
                                : formatSignificant(hours / 24.0, 2) + " d";
}

std::string causeText(const std::string& cause)
{
    if (cause == kLockedClock)
        return "the driver gives no reason and it never moved: it may be locked";
    if (cause == kNoReason)
        return "the driver gives no lasting reason";
    const auto slowdown = kSlowdowns.find(cause);
    return slowdown ? slowdownText(*slowdown) : cause;
}

std::string valueText(const Note& note, std::size_t place, std::string_view kind)
{
    const double value = note.number(place);
    if (kind.empty())
        return note.text(place);
    if (kind == "cause")
        return causeText(note.text(place));
    if (kind == "process")  // with the two arguments behind it
        return foreignProcessText({note.text(place),
                                   static_cast<std::int64_t>(note.number(place + 1)),
                                   static_cast<std::int64_t>(note.number(place + 2))});
    if (kind == "s")
        return formatSeconds(value);
    if (kind == "h")
        return hoursText(value);
    if (kind == "B")
        return formatBytes(value);
    if (kind == "MHz")
        return fmt::format("{} MHz", std::lround(value));
    if (kind == "%")
        return formatSignificant(100.0 * value, 2) + " %";
    if (kind == "T")  // 10¹²
        return formatSignificant(value / 1e12, 4);
    if (kind == "2")  // significant digits
        return formatSignificant(value, 2);
    return fmt::format("{:.0f}", value);  // "n"
}

}  // namespace

std::string noteText(const Note& note)
{
    const std::string_view pattern = patternOf(note.code);
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        if (pattern[at] != '{') {
            text += pattern[at++];
            continue;
        }
        const std::size_t end = pattern.find('}', at);
        const bool plain = pattern[at + 2] == '}';
        text += valueText(note, static_cast<std::size_t>(pattern[at + 1] - '0'),
                          plain ? std::string_view() : pattern.substr(at + 3, end - at - 3));
        at = end + 1;
    }
    return text;
}

std::vector<std::string> noteTexts(const std::vector<Note>& notes)
{
    std::vector<std::string> texts;
    for (const Note& note : notes)
        texts.push_back(noteText(note));
    return texts;
}

}  // namespace qs::core
