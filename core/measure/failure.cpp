#include "core/measure/failure.h"

#include "core/base/clean_text.h"
#include "core/base/json_enum.h"

#include <nlohmann/json.hpp>

#include <cfloat>

namespace qs::core {

CellStatus statusOf(FailureKind kind)
{
    switch (kind) {
    case FailureKind::OutOfMemory:
    case FailureKind::HostOutOfMemory:
        return CellStatus::Oom;
    case FailureKind::NoProgress:
    case FailureKind::Silent:
        return CellStatus::Timeout;
    case FailureKind::Signal:
    case FailureKind::Exit:
    case FailureKind::Disconnected:
    case FailureKind::Nonsense:
        return CellStatus::Crashed;
    case FailureKind::Compile:
        return CellStatus::CompileError;
    case FailureKind::Device:
    case FailureKind::Io:
    case FailureKind::Internal:
    case FailureKind::UnusableOutputs:
        return CellStatus::Failed;
    case FailureKind::Unsupported:
        return CellStatus::Unsupported;
    case FailureKind::NonFinite:
        return CellStatus::NonFinite;
    case FailureKind::Differs:
        return CellStatus::Differs;
    case FailureKind::Stopped:
    case FailureKind::SkippedByHand:
        return CellStatus::Cancelled;
    case FailureKind::SmallerBatchOutOfMemory:
    case FailureKind::ModeSkipped:
        return CellStatus::Skipped;
    }
    QS_ASSERT(false);
    return CellStatus::Failed;
}

Json toJson(const Failure& failure)
{
    Json json{{"kind", kFailureKinds.of(failure.kind)},
              {"phase", kPhaseNames.of(failure.phase)},
              {"detail", cleanText(failure.detail)},
              {"amount", failure.amount}};
    if (!failure.foreign.empty())
        json["foreign_processes"] = toJson(failure.foreign);
    return json;
}

Failure failureFromJson(const JsonView& json, const std::string& path,
                        std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Failure failure;
    failure.kind = requireEnum(fields, "kind", kFailureKinds, FailureKind::Internal);
    failure.phase = requireEnum(fields, "phase", kPhaseNames, Phase::Idle);
    failure.detail = fields.text("detail");
    failure.amount = fields.number("amount", 0.0, 0.0, DBL_MAX);
    failure.foreign = foreignProcessesFromJson(fields, "foreign_processes", issues);
    fields.finish();
    return failure;
}

}  // namespace qs::core
