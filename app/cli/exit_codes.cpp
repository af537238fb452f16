#include "app/cli/exit_codes.h"

#include "app/cli/terminal_text.h"

#include <map>
#include <set>

namespace qs::app {

using core::CellStatus;
using core::ErrorCode;

int fail(const core::Error& error)
{
    complain(error.message);
    return exitCodeOf(error);
}

int exitCodeOf(const core::Error& error)
{
    switch (error.code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::Format:
        return kExitUsage;
    case ErrorCode::Unsupported:
        return kExitImpossible;
    case ErrorCode::OutOfMemory:
        return kExitOutOfMemory;
    case ErrorCode::Device:
        return kExitCudaError;
    case ErrorCode::Timeout:
        return kExitTimeout;
    case ErrorCode::Cancelled:
        return kExitStoppedEarly;
    case ErrorCode::Io:
    case ErrorCode::WrongResult:
    case ErrorCode::Internal:
        return kExitCellFailed;
    }
    return kExitCellFailed;
}

namespace {

// Of a run in which this alone went wrong. What was skipped follows from a failure that is counted
// itself.
int exitCodeOf(core::FailureKind kind)
{
    if (kind == core::FailureKind::Device)
        return kExitCudaError;
    switch (core::statusOf(kind)) {
    case CellStatus::Ok:
    case CellStatus::Skipped:
    case CellStatus::Cancelled:
        return kExitOk;
    case CellStatus::Oom:
        return kExitOutOfMemory;
    case CellStatus::Timeout:
        return kExitTimeout;
    case CellStatus::Crashed:
    case CellStatus::Failed:
    case CellStatus::CompileError:
    case CellStatus::Unsupported:
    case CellStatus::NonFinite:
    case CellStatus::Differs:
        return kExitCellFailed;
    }
    return kExitCellFailed;
}

}  // namespace

int exitCodeOf(const core::RunData& data, bool complete)
{
    if (data.plan.possibleCells() == 0)
        return kExitImpossible;
    if (!complete)
        return kExitStoppedEarly;
    // The last attempt of a cell in a round decides.
    std::map<std::pair<std::string, int>, const core::Measurement*> last;
    for (const core::Measurement& row : data.measurements)
        last[{row.cellId, row.round}] = &row;
    std::set<int> codes;
    for (const auto& [key, row] : last) {
        if (row->failure)
            codes.insert(exitCodeOf(row->failure->kind));
        else if (core::anyMismatch(row->result.executed))
            codes.insert(kExitCellFailed);  // a time of something else is none
    }
    codes.erase(kExitOk);
    if (codes.empty())
        return kExitOk;
    return codes.size() == 1 ? *codes.begin() : kExitCellFailed;
}

}  // namespace qs::app
