#pragma once

#include "core/base/json.h"
#include "core/measure/storage_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct PhaseTime {
    std::string name;  // "load" "quantize" "compile" "first" "warmup" "measure" "outputs"
    double seconds = 0.0;
};

// Samples of one stage, parallel to those of the whole pass.
struct StageSamples {
    std::string stage;
    std::vector<double> seconds;
    // The most bytes in use while this stage ran once, operation by operation, with the weights of
    // all stages: handed to tensors on a GPU, the resident set on a CPU. Rows of before 0.2 lack
    // it.
    std::optional<std::int64_t> peakBytes;
};

// Bytes. What cannot be known on a device is empty: a CPU has no caching allocator, for example.
struct MemoryFigures {
    std::optional<std::int64_t>
        allocatedPeak;  // handed to tensors, from compile to the last sample
    std::optional<std::int64_t>
        reservedPeak;  // held by the allocator, with the pools of CUDA graphs
    std::optional<std::int64_t> processPeak;        // GPU: used on the device; CPU: resident set
    std::optional<std::int64_t> loadAllocatedPeak;  // while loading and quantizing
    std::int64_t weightsResident = 0;    // weights as they lie there, measured tensor by tensor
    std::int64_t allocationRetries = 0;  // the allocator had to flush its cache
};

// One picture of the quality set as the cell reconstructed it.
struct OutputRecord {
    int picture = 0;
    std::string file;    // relative to the output folder; empty if only hashed
    std::string sha256;  // of the float32 values
};

// What one run of a cell gave. Times in seconds.
struct CellResult {
    std::vector<PhaseTime> phases;
    std::vector<double> hostSeconds;    // wall clock around a pass, with its launches and the wait
    std::vector<double> deviceSeconds;  // between GPU events; empty on a CPU
    std::vector<StageSamples> stages;   // by the device's clock where there is one
    int warmupPasses = 0;
    std::string warmupEnd;   // why warm-up ended
    std::string stopReason;  // why sampling ended
    MemoryFigures memory;
    StorageReport storage = {};  // rows of before 0.2 lack it
    std::vector<OutputRecord> outputs;
    bool outputsFinite = true;

    // Evidence of what ran.
    std::string modelContent = {};        // Model::contentId; rows of before 0.2 lack it
    std::string executed;                 // "int8dq 112/116 layers" per stage
    std::vector<std::string> operations;  // "aten::_int_mm:int32 x112", one pass, all stages
    std::string attention;                // kernel that PyTorch chose
    int graphLaunches = 0;                // per pass; 0 when eager
    std::vector<std::string> notes;

    // The clock that the headline number comes from: the device's if it has one.
    [[nodiscard]] const std::vector<double>& passSeconds() const
    {
        return deviceSeconds.empty() ? hostSeconds : deviceSeconds;
    }
};

[[nodiscard]] Json toJson(const CellResult& result);
[[nodiscard]] Result<CellResult> cellResultFromJson(const Json& json);

}  // namespace qs::core
