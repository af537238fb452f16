#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"
#include "core/measure/device_trace.h"
#include "core/sweep/phase.h"

#include <string>
#include <vector>

namespace qs::core {

// What became of a cell, as files, tables and exit codes count it.
enum class CellStatus {
    Ok,
    Oom,
    Timeout,
    Crashed,  // its process ended or talked nonsense
    Failed,   // its process said politely that something went wrong
    CompileError,
    Unsupported,
    NonFinite,
    Differs,  // from the same operations run eagerly
    Cancelled,
    Skipped,
};
inline constexpr auto kStatusNames =
    enumNames<CellStatus>({{CellStatus::Ok, "ok"},
                           {CellStatus::Oom, "oom"},
                           {CellStatus::Timeout, "timeout"},
                           {CellStatus::Crashed, "crashed"},
                           {CellStatus::Failed, "failed"},
                           {CellStatus::CompileError, "compile_error"},
                           {CellStatus::Unsupported, "unsupported"},
                           {CellStatus::NonFinite, "non_finite"},
                           {CellStatus::Differs, "differs"},
                           {CellStatus::Cancelled, "cancelled"},
                           {CellStatus::Skipped, "skipped"}});
[[nodiscard]] inline std::string_view name(CellStatus status)
{
    return kStatusNames.of(status);
}

// Why a cell has no result. Words: core/report/failure_text.h.
enum class FailureKind {
    OutOfMemory,      // of the device
    HostOutOfMemory,  // the system killed the worker for it
    NoProgress,       // amount: seconds
    Silent,           // amount: seconds
    Signal,           // ended the worker; amount: its number
    Exit,             // of the worker, unasked; amount: its code
    Disconnected,     // the worker closed its connection and lives
    Nonsense,         // a message of the worker cannot be read
    Compile,
    Device,  // a CUDA error after which the process is of no use
    Io,
    Internal,
    UnusableOutputs,
    Unsupported,
    NonFinite,
    Differs,
    Stopped,
    SkippedByHand,
    SmallerBatchOutOfMemory,  // amount: the batch
    ModeSkipped,              // detail: the compile mode
};
inline constexpr auto kFailureKinds =
    enumNames<FailureKind>({{FailureKind::OutOfMemory, "out_of_memory"},
                            {FailureKind::HostOutOfMemory, "host_out_of_memory"},
                            {FailureKind::NoProgress, "no_progress"},
                            {FailureKind::Silent, "silent"},
                            {FailureKind::Signal, "signal"},
                            {FailureKind::Exit, "exit"},
                            {FailureKind::Disconnected, "disconnected"},
                            {FailureKind::Nonsense, "nonsense"},
                            {FailureKind::Compile, "compile"},
                            {FailureKind::Device, "device"},
                            {FailureKind::Io, "io"},
                            {FailureKind::Internal, "internal"},
                            {FailureKind::UnusableOutputs, "unusable_outputs"},
                            {FailureKind::Unsupported, "unsupported"},
                            {FailureKind::NonFinite, "non_finite"},
                            {FailureKind::Differs, "differs"},
                            {FailureKind::Stopped, "stopped"},
                            {FailureKind::SkippedByHand, "skipped_by_hand"},
                            {FailureKind::SmallerBatchOutOfMemory, "smaller_batch_out_of_memory"},
                            {FailureKind::ModeSkipped, "mode_skipped"}});
[[nodiscard]] CellStatus statusOf(FailureKind kind);

struct Failure {
    FailureKind kind = FailureKind::Internal;
    Phase phase = Phase::Idle;  // in which it happened; Idle where that says nothing
    std::string detail = {};    // what others said of it (Torch, the system); shown, never read
    double amount = 0.0;
    std::vector<ForeignProcess> foreign = {};  // used the GPU meanwhile, and may be the reason

    bool operator==(const Failure&) const = default;
};

[[nodiscard]] Json toJson(const Failure& failure);
[[nodiscard]] Failure failureFromJson(const JsonView& json, const std::string& path,
                                      std::vector<JsonIssue>& issues);

}  // namespace qs::core
