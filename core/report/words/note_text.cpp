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
        return "int4 weights are dequantized before each product (reference path: same numerics, "
               "no speed)";
    case NoteCode::FilterMatchesNone:
        return "the layer filter \"{0}\" matches no layer of the {1}, which runs in {2}";
    case NoteCode::SameFilters:
        return "also covers layers {0}: {1} quantizes none";
    case NoteCode::LayersSkipped:
        return "{1:n} of {2:n} layers of the {0} ({3:%} of their weights) cannot be {4}: {5}";
    case NoteCode::RegionMissing:
        return "the {0} has no region {1}";
    case NoteCode::RegionsLeftEager:
        return "{2:n} of {3:n} regions {1} of the {0} run eagerly: what they read and write cannot "
               "be kept apart from the operations around them";
    case NoteCode::CutBetweenBlocks:
        return "broken graph: the {0} is cut between its blocks, {1:n} programs in {2:n} calls";
    case NoteCode::RegionNotThere:
        return "no operation of the model lies in {0}, which is to be compiled as a region; see "
               "its layers for the paths it has";
    case NoteCode::RegionInterrupted:
        return "{1} of the {0} cannot be a region: operations outside of it run between its own; "
               "choose a module around them or within it";
    case NoteCode::RegionChangesMemory:
        return "{1} of the {0} cannot be a region: it reads or writes memory that outlives it, "
               "such as a cache; choose modules within it that do not";
    case NoteCode::RegionOnlyArranges:
        return "{1} of the {0} cannot be a region: it only arranges data, so that there is nothing "
               "to compile";
    case NoteCode::RegionsOverlap:
        return "the regions {0} and {1} overlap; leave one of them out";
    case NoteCode::ReferenceStatic:
        return "int8 convolutions computed as im2col and integer products (reference path: same "
               "numerics, no speed)";
    case NoteCode::ReferenceInt8:
        return "int8 products computed in float64, because PyTorch's are not exact on this "
               "processor: without VNNI their sums saturate (reference path: same numerics, no "
               "speed)";
    case NoteCode::UnfusedInt8:
        return "activations are quantized and multiplied by separate operations: PyTorch has no "
               "int8 kernel for processors that does both";
    case NoteCode::NoInt8Convolution:
        return "the int8 convolution of oneDNN (onednn::qconv_pointwise) is not used on {0}: it is "
               "missing in this PyTorch, or the processor cannot add products of 8 bits exactly "
               "(VNNI can)";
    case NoteCode::WeightsWidened:
        return "{0}: the weights of {1:n} layers are widened in every pass before they are "
               "multiplied, which writes {2:B}: this saves memory, not time; a compiled mode may "
               "widen them on the way";
    case NoteCode::FusedKernels:
        return "{0}: {1:n} fused kernels per pass compute {2:n} operations; {3:n} run beside them";
    case NoteCode::ReferenceFused:
        return "fused groups of the {0} run operation by operation: kernels need an NVIDIA GPU "
               "(reference path: same numerics, no speed)";
    case NoteCode::FusedFellBack:
        return "{0}: a fused group in {1} runs operation by operation: {2}";
    case NoteCode::Calibrated:
        return "calibrated on {0:n} samples ({1}) in {2:s}";
    case NoteCode::CalibrationFromCache:
        return "calibration on {0:n} samples ({1}) from cache; making it took {2:s}";
    case NoteCode::CalibratedOnQualityInputs:
        return "{0:n} of {1:n} calibration samples are among the inputs that quality is judged "
               "on: its figures flatter";
    case NoteCode::FewCalibrationRows:
        return "{0:n} layers see fewer calibration rows than they have inputs (first {1}: {2:n} "
               "rows, {3:n} inputs), which leaves their second moments without full rank: take "
               "more samples";
    case NoteCode::SolverFellBack:
        return "{0:n} layers rounded to nearest, because their second moments are not positive "
               "definite; first {1}";
    case NoteCode::Remark:
        return "{0}";
    case NoteCode::NoSuchDevice:
        return "there is no {0} here";
    case NoteCode::NeedsCuda:
        return "{0} need a CUDA device; {1} is not a CUDA device";
    case NoteCode::NeedsCapability:
        return "{0} need compute capability {1} ({2}); {3} has {4}";
    case NoteCode::CompilerLacks:
        return "{1} needs {0}, which was not found here";
    case NoteCode::CompilerRefuses:
        return "{1} cannot compile {0} on {2}: the C++ that Inductor writes for a CPU knows no "
               "float8 type";
    case NoteCode::AttentionNeedsCuda:
        return "the {0} attention kernel needs a CUDA device; a CPU has auto, math and flash";
    case NoteCode::AttentionTooWide:
        return "the {0} attention kernel needs queries, keys and values of 16 bits; {1} attends in "
               "float32";
    case NoteCode::InputsStay:
        return "inputs are copied to a CUDA device; {0} reads them where they are";
    case NoteCode::NoSuchSize:
        return "the model has no size \"{0}\"";
    case NoteCode::ImageTooLarge:
        return "images of {0:n} px cannot be made; {1:n} px are the most";
    case NoteCode::WeightsTooLarge:
        return "the weights alone need {0:B} in this precision; {1} has {2:B}";
    case NoteCode::FilterMatchesNoLayer:
        return "the layer filter \"{0}\" matches no layer, so that {1} would change nothing";
    case NoteCode::NoLayerFits:
        return "the layer filter \"{0}\" matches no layer that {1} can multiply; {2}: {3}";
    case NoteCode::ProgramIsFixed:
        return "the model is a compiled package, which runs as it is: {0} cannot be chosen";
    case NoteCode::OnlyForPrograms:
        return "{0} is for compiled packages (AOTInductor); this model is none";
    case NoteCode::NoCalibrationPictures:
        return "set=own needs a calibration set, and none is given: name images under "
               "\"calibration\" in the preset, or with --calibration-images";
    case NoteCode::NoCalibrationInputs:
        return "set=own needs a calibration set, and none is given: name a file or a text under "
               "\"calibration\" in the preset, or with --calibration-input";
    case NoteCode::CalibrationSetUnfit:
        return "the calibration set does not fit: {0}";
    case NoteCode::TooFewCalibrationSamples:
        return "calibration needs {0:n} samples and its set has {1:n}: take a larger set, or "
               "samples={1:n}";
    case NoteCode::TooFewInputs:
        return "calibration needs {0:n} samples and the run has {1:n} inputs: take more inputs, or "
               "samples={1:n}";
    case NoteCode::HistoryTooLong:
        return "a history of {0:n} passes needs as many calibration passes, and the {2} has {1:n}: "
               "take more samples, or history={1:n}";
    case NoteCode::NothingToQuantize:
        return "the workload quantize times how weights are quantized; {0} quantizes none";
    case NoteCode::QuantizingIsAlone:
        return "the workload quantize runs no passes while it is timed: {0} cannot be chosen";
    case NoteCode::ProgramNeedsDevice:
        return "the package is compiled for {0}, not for {1}";
    case NoteCode::ProgramNeedsOther:
        return "the package is compiled for compute capability {0}; {1} has {2}";
    case NoteCode::RanProgram:
        return "ran a compiled program as it is, trusted by its SHA-256 {0}; kept from: {1}";
    case NoteCode::WeightsKept:
        return "weights reused from an earlier cell";
    case NoteCode::ColdCacheNeedsGpu:
        return "a cold cache was requested, which only GPUs have";
    case NoteCode::GateGivenUp:
        return "launches blocked: the stream was not held as planned";
    case NoteCode::FewerDistinctBatches:
        return "{0:n} distinct batches were requested, the {2:n} inputs give {1:n}";
    case NoteCode::NoEnergyColdCache:
        return "no energy phase: flushing the cache before each pass would be counted";
    case NoteCode::NoEnergyOnCpu:
        return "no energy phase: the CPU has no energy counter";
    case NoteCode::ClockStepsOfPass:
        return "each pass of {0:s} is timed separately; the clock resolution of 0.5 µs is {1:%} of "
               "it";
    case NoteCode::ClockStepsOfBlock:
        return "each block of {0:n} passes of {1:s} is timed separately; the clock resolution of "
               "0.5 µs is {2:%} of it";
    case NoteCode::ClockStepsOfStage:
        return "stage {0} of {1:s} is timed separately; the clock resolution of 0.5 µs is {2:%} of "
               "it";
    case NoteCode::ForeignProcess:
        return "another process used the GPU: {0:process}";
    case NoteCode::MemoryLeftOver:
        return "memory left over: the GPU held {0:B} more at the start of this cell than before "
               "the first cell";
    case NoteCode::Throttled:
        return "{0:cause} during most of the samples, so none was discarded";
    case NoteCode::ClocksSet:
        return "clocks are set (application clocks or locked clocks): {0:MHz} during the samples, "
               "maximum {1:MHz}";
    case NoteCode::ClockLow:
        return "the SM clock was low throughout: {0:MHz} during the samples, maximum {1:MHz}; "
               "{2:cause}";
    case NoteCode::ClockBelowMaximum:
        return "the SM clock was below its maximum: {0:MHz} during the samples, maximum {1:MHz}; "
               "{2:cause}";
    case NoteCode::ClockMoving:
        return "the clock was not steady: {0:MHz} at the end of the warm-up, {1:MHz} during the "
               "samples";
    case NoteCode::HostDisturbed:
        return "other processes used {0:2} of {1:n} cores during this cell: times are disturbed";
    case NoteCode::HostBound:
        return "host-bound: for {0:%} of a pass the GPU waits for the next of {1:n} launches";
    case NoteCode::OlderKernels:
        return "{0:%} of a pass is spent in products written for older GPUs, most of it in {1}";
    case NoteCode::SameKernels:
        return "ran the same kernels as {0}: compiling changed nothing";
    case NoteCode::NoMemoryFigures:
        return "no memory figures: the memory self-test failed";
    case NoteCode::SelfTestRepeated:
        return "the memory self-test passed at attempt {0:n}";
    case NoteCode::WholeDeviceMemory:
        return "process memory is that of the whole device: the driver does not report the "
               "worker's alone";
    case NoteCode::AllocatorRetried:
        return "memory was low: the allocator released its cache and retried, which takes time";
    case NoteCode::WarmupNotSteady:
        return "warm-up reached its time limit: pass times were not steady";
    case NoteCode::RanDifferently:
        return "executed operations differ between rounds";
    case NoteCode::OutputsDiffer:
        return "outputs differ between rounds: results are not bit-repeatable";
    case NoteCode::SevereOutliers:
        return "more than 5 % of the samples are severe outliers: the measurement was disturbed";
    case NoteCode::OtherEnvironments:
        return "measured in {0:n} environments; results are from one of them";
    case NoteCode::ComparedElsewhere:
        return "outputs were compared in another environment only: no quality for the environment "
               "of these times";
    case NoteCode::RoundsFarApart:
        return "{0:n} of {1:n} shared rounds ({2}) started up to {3:h} apart from those of the "
               "speed baseline: drift does not cancel there";
    case NoteCode::RoundsLeftOut:
        return "{0:n} of {1:n} shared rounds ({2}) started up to {3:h} apart from those of the "
               "speed baseline and are excluded from the ratio: drift does not cancel there";
    case NoteCode::RoundsUnpaired:
        return "rounds could not be paired with those of the speed baseline: drift between them "
               "is not cancelled";
    case NoteCode::Mismatch:
        return "mismatch: expected {3:n} × {1} in {2} in the {0}, executed {4:n}";
    case NoteCode::StrayLayer:
        return "{1} of the {0} ran {2} in {3}, not as its precision asks";
    case NoteCode::StrayLayers:
        return "{1:n} products of layers of the {0} did not run as their precision asks; it is not "
               "known of which layers (weights {2})";
    case NoteCode::FarFromEager:
        return "the compiled {0} is {1:2} (relative L2) from the same operations run eagerly, more "
               "than what the distance of bf16 from fp32 allows ({2:2})";
    case NoteCode::EqualsBf16:
        return "every output is bit-identical to bf16: {0} had no effect";
    case NoteCode::EqualsFp32:
        return "every output is bit-identical to fp32: {0} did not run";
    case NoteCode::WeightsChanged:
        return "the weights of the model changed between rounds";
    case NoteCode::WrongStorage:
        return "weights without the size of their scheme: {0:n} (total {1:B} instead of {2:B}), "
               "first {3}";
    case NoteCode::BeyondPeak:
        return "the time would mean {0:T} TFLOP/s, above the published peak of {1:T} TFLOP/s";
    case NoteCode::BeyondMemory:
        return "the weights alone ({0:B}) cannot be read in this time: the published memory "
               "bandwidth is {1:T} TB/s";
    case NoteCode::RoundOrder:
        return "round {0:n}, order {1}";
    case NoteCode::CellsAppended:
        return "{0}: {1:n} new cells";
    case NoteCode::AppendRefused:
        return "sweep not appended: {0}";
    case NoteCode::BroughtForward:
        return "cell {0:n} ({1}, {2}, batch {3:n}) moved to the front of its round";
    case NoteCode::NothingToBringForward:
        return "cell {0:n} ({1}, {2}, batch {3:n}) has nothing left to measure in this round";
    case NoteCode::EarlierEnvironments:
        return "{0:n} rows were measured in another environment (see environment.json); they are "
               "kept and measured again here";
    case NoteCode::DiskFull:
        return "waiting for disk space: the run needs up to {0:B} more on the disk of {1}, and "
               "{2:B} are free; free disk space or stop";
    case NoteCode::DiskFree:
        return "disk space is available again";
    case NoteCode::OutputsNotCompared:
        return "the outputs of cell {0} cannot be compared with its {1}: {2}";
    case NoteCode::ComparisonNotStored:
        return "the comparison of cell {0} with its {1} cannot be stored: {2}";
    case NoteCode::ImagesNotWritten:
        return "the output images of cell {0} cannot be written: {1}";
    case NoteCode::ImagesLeftOut:
        return "left out {0:n} of the input files: {1}";
    case NoteCode::MoreNotCompared:
        return "further warnings of this kind are in log.txt";
    case NoteCode::GovernorNotPerformance:
        return "the CPU frequency governor is {0}";
    case NoteCode::TurboOn:
        return "CPU turbo is on: the clock depends on temperature and on "
               "the number of busy cores";
    case NoteCode::CoresBusy:
        // Waiting threads count, too: it may be more than the cores.
        return "the load of other work was {0:2} in the minute before, on {1:n} cores";
    case NoteCode::CpuQuota:
        return "the container may use {0:2} of {1:n} cores";
    case NoteCode::ImageNamesUnreadable:
        return "the names of the images cannot be read: {0}";
    case NoteCode::RecordCutOff:
        return "an incomplete record of {0:n} bytes was removed from the end of the journal";
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
        return "no reason from the driver and constant throughout: it may be locked";
    if (cause == kNoReason)
        return "no lasting reason from the driver";
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

// Where an argument that may be empty is.
std::string_view patternFor(const Note& note)
{
    if (note.code == NoteCode::StrayLayer && note.text(2).empty())
        return "{1} of the {0} ran something else in another type, not as its precision asks";
    if (note.code == NoteCode::StrayLayers && note.text(2).empty())
        return "{1:n} products of layers of the {0} did not run as their precision asks; it is not "
               "known of which layers (weights of several shapes)";
    return patternOf(note.code);
}

}  // namespace

std::string noteText(const Note& note)
{
    const std::string_view pattern = patternFor(note);
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
