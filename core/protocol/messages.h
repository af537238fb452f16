#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/measure/failure.h"
#include "core/sweep/phase.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What the supervising process and a worker say to each other. A message is one JSON object with a
// member "type"; unknown types, unknown members, missing members and values out of range are
// errors.
namespace qs::core {

inline constexpr int kProtocolVersion = 3;

// Of one heartbeat, the newest: enough to draw; the result of the cell has all of them.
inline constexpr std::size_t kMostLiveSamples = 64;

// Worker → parent, first of all. Versions are texts for people; an empty one means "none".
struct Hello {
    int protocolVersion = kProtocolVersion;
    std::string workerVersion;
    std::int64_t pid = 0;
    std::string torchVersion;
    std::string cudaVersion;
    bool operator==(const Hello&) const = default;
};

// Parent → worker: run one cell. `cell` is opaque here.
struct RunCell {
    std::int64_t requestId = 0;
    Json cell;
    bool operator==(const RunCell&) const = default;
};

// Worker → parent, once a second and before a phase begins if samples are left to tell. The counter
// is that of the GPU thread: while it stands still, the thread hangs.
struct Heartbeat {
    std::int64_t progressCounter = 0;
    Phase phase = Phase::Idle;
    std::optional<double> phaseFraction;  // 0 to 1; absent when nobody can know
    // Seconds per pass, in order, of those that were timed in this phase since the last heartbeat.
    std::vector<double> samples = {};
    bool operator==(const Heartbeat&) const = default;
};

// Worker → parent: a phase has begun.
struct PhaseChanged {
    Phase phase = Phase::Idle;
    bool operator==(const PhaseChanged&) const = default;
};

// Worker → parent: the cell is done; `result` is opaque here.
struct CellFinished {
    std::int64_t requestId = 0;
    Json result;
    bool operator==(const CellFinished&) const = default;
};

// Worker → parent: the cell came to nothing.
struct CellFailed {
    std::int64_t requestId = 0;
    Failure failure;
    bool operator==(const CellFailed&) const = default;
};

// Parent → worker that is shut off: make an archive of a program, see core/measure/
// script_conversion.h; opaque here.
struct ConvertProgram {
    Json request;
    bool operator==(const ConvertProgram&) const = default;
};

// Worker → parent: the archive is written; opaque here. CellFailed if it is not.
struct ProgramConverted {
    Json result;
    bool operator==(const ProgramConverted&) const = default;
};

// Parent → worker: which devices are there?
struct Describe {
    bool operator==(const Describe&) const = default;
};

// Worker → parent: the answer to Describe; opaque here.
struct DeviceList {
    Json devices;
    bool operator==(const DeviceList&) const = default;
};

// Parent → worker: end the process in good order.
struct Shutdown {
    bool operator==(const Shutdown&) const = default;
};

using Message = std::variant<Hello, RunCell, Heartbeat, PhaseChanged, CellFinished, CellFailed,
                             ConvertProgram, ProgramConverted, Describe, DeviceList, Shutdown>;

// The value of "type" in the JSON: "hello", "run_cell" …
[[nodiscard]] std::string_view typeOf(const Message& message);

}  // namespace qs::core
