#include "app/cli/exit_codes.h"

#include <map>
#include <set>

namespace qs::app {

using core::CellStatus;
using core::ErrorCode;

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
    default:
        return kExitCellFailed;
    }
}

int exitCodeOf(const core::RunData& data, bool complete)
{
    if (data.plan.possibleCells() == 0)
        return kExitImpossible;
    // The last attempt of a cell in a round decides.
    std::map<std::pair<std::string, int>, CellStatus> last;
    for (const core::Measurement& row : data.measurements)
        last[{row.cellId, row.round}] = row.status;
    std::set<CellStatus> failures;
    for (const auto& [key, status] : last) {
        // A skipped cell follows from one that failed, which is counted itself.
        if (status != CellStatus::Ok && status != CellStatus::Skipped &&
            status != CellStatus::Cancelled)
            failures.insert(status);
    }
    if (!complete)
        return kExitStoppedEarly;
    if (failures.empty())
        return kExitOk;
    if (failures == std::set{CellStatus::Oom})
        return kExitOutOfMemory;
    if (failures == std::set{CellStatus::Timeout})
        return kExitTimeout;
    return kExitCellFailed;
}

}  // namespace qs::app
