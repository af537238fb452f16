#pragma once

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/measure/calibration_record.h"
#include "core/measure/compile_record.h"
#include "core/measure/device_trace.h"
#include "core/measure/execution.h"
#include "core/measure/host_load.h"
#include "core/measure/memory_self_test.h"
#include "core/measure/output_record.h"
#include "core/measure/pass_profile.h"
#include "core/measure/sampler.h"
#include "core/measure/storage_report.h"
#include "core/stats/interval.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct PhaseTime {
    Phase phase = Phase::Load;
    double seconds = 0.0;
    double start = 0.0;  // seconds after the cell began, see CellResult::began
};

// What slowed the device down.
enum class Slowdown { PowerCap, PowerBrake, Heat, Hardware, LowClock };
inline constexpr auto kSlowdowns = enumNames<Slowdown>({{Slowdown::PowerCap, "power_cap"},
                                                        {Slowdown::PowerBrake, "power_brake"},
                                                        {Slowdown::Heat, "heat"},
                                                        {Slowdown::Hardware, "hardware"},
                                                        {Slowdown::LowClock, "low_clock"}});

// A sample that does not count, for a cause that was seen from outside. It stays among the samples.
struct Discard {
    std::size_t sample = 0;  // index
    Slowdown cause = Slowdown::LowClock;
    double megahertz = 0.0;  // of a low clock

    bool operator==(const Discard&) const = default;
};

// Samples of one stage, parallel to those of the whole pass.
struct StageSamples {
    std::string stage;
    std::vector<double> seconds;
    // The most bytes in use while this stage ran once, operation by operation, with the weights of
    // all stages: handed to tensors on a GPU, the resident set on a CPU. Nothing where that
    // is not known.
    std::optional<std::int64_t> peakBytes;
};

// Bytes, as an allocator counts them.
struct AllocatorFigures {
    std::int64_t allocatedPeak = 0;
    std::int64_t reservedPeak = 0;
    std::int64_t reserved = 0;

    auto operator<=>(const AllocatorFigures&) const = default;
};

// Bytes. What cannot be known on a device is empty: a CPU has no caching allocator, for example.
struct MemoryFigures {
    std::optional<std::int64_t>
        allocatedPeak;  // handed to tensors, from compile to the last sample
    std::optional<std::int64_t>
        reservedPeak;                      // held by the allocator, with the pools of CUDA graphs
    std::optional<std::int64_t> reserved;  // the same after the last sample
    // Of the first sample of a cell that quantizes.
    std::optional<AllocatorFigures> firstSample;
    // Of the peak, held for the CUDA graphs of the cell; nothing where none was captured.
    std::optional<std::int64_t> graphPool;
    // GPU: held by the process as the driver counts, or used on the whole device if it does not
    // tell (a note says so); CPU: resident set. Always of the counter that the self-test names.
    std::optional<std::int64_t> processPeak;
    std::optional<std::int64_t> loadAllocatedPeak;  // while loading and quantizing
    std::int64_t weightsResident = 0;    // weights as they lie there, measured tensor by tensor
    std::int64_t statesResident = 0;     // what lasts from step to step: a KV cache
    std::int64_t allocationRetries = 0;  // the allocator had to flush its cache
    SelfTest selfTest = {};              // of these figures; unless it passed, no peak is given

    bool operator==(const MemoryFigures&) const = default;
};

// What one run of a cell gave. Times in seconds.
struct CellResult {
    std::vector<PhaseTime> phases;
    std::vector<double> hostSeconds;    // wall clock around a pass, with its launches and the wait
    std::vector<double> deviceSeconds;  // between GPU events; empty on a CPU
    // From a batch that lies in the memory of the host to its pass being done, as a loop keeps it
    // up; empty where the inputs stay on the device.
    std::vector<double> endToEndSeconds;
    // Of these, the copy of a batch from the host to the device, by the device's clock. Overlapped,
    // it runs beside a pass.
    std::vector<double> copySeconds;
    std::vector<StageSamples> stages;  // by the device's clock where there is one
    // CLOCK_MONOTONIC of the machine, in seconds, when the worker began with the cell: the start of
    // all offsets, and what joins them to what others saw at the same time.
    double began = 0.0;
    std::vector<double> sampleStart;    // offsets, parallel to hostSeconds
    std::vector<double> warmupSeconds;  // passes of the warm-up in order, the last of them
    std::optional<double> firstSampleSeconds = std::nullopt;  // of the warm-up; none without one
    int passesPerSample = 1;  // a sample is the mean over so many passes in a row
    int distinctBatches = 1;  // that the passes took turns with
    std::optional<Conditions> conditions = std::nullopt;  // none without a device clock
    DeviceTrace trace;
    HostLoad load = {};             // of rows on a CPU
    std::vector<Discard> discards;  // ascending
    // Passes that ran on after the samples, for the energy counter alone; `start` is an offset.
    // Nothing unless they were asked for.
    std::optional<PassStretch> energy = std::nullopt;
    int warmupPasses = 0;
    WarmupEnd warmupEnd = WarmupEnd::Steady;
    StopReason stopReason = StopReason::QuietEnough;
    MemoryFigures memory;
    StorageReport storage = {};
    std::vector<OutputRecord> outputs;
    bool outputsFinite = true;

    // Evidence of what ran.
    std::string modelContent = {};  // Model::contentId
    std::vector<ExecutedStage> executed;
    std::string attention;                              // kernel that PyTorch chose
    int graphLaunches = 0;                              // per pass; 0 when eager
    std::vector<StageCalibration> calibration = {};     // of stages that need it
    std::vector<StageCompile> compiles = {};            // of stages that run from a package
    std::optional<PassProfile> profile = std::nullopt;  // where it was asked for
    std::vector<Note> notes;

    // By the clock that the headline number comes from, the device's if it has one: the samples
    // that count.
    [[nodiscard]] std::vector<double> passSeconds() const
    {
        return counted(deviceSeconds.empty() ? hostSeconds : deviceSeconds);
    }
    // Those that count of a list that is parallel to the samples.
    [[nodiscard]] std::vector<double> counted(const std::vector<double>& samples) const;
    // From the start of the first sample to the end of the last; nothing unless each sample has a
    // start and a time.
    [[nodiscard]] std::optional<Interval> sampling() const;
    [[nodiscard]] const PhaseTime* phase(Phase phase) const;
};

[[nodiscard]] Json toJson(const CellResult& result);
[[nodiscard]] Result<CellResult> cellResultFromJson(const JsonView& json);

}  // namespace qs::core
