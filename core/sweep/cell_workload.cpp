#include "core/sweep/cell_workload.h"

#include "core/model/family_registry.h"

namespace qs::core {

namespace {

constexpr const char* kNewTokens = "new_tokens";

}  // namespace

Result<std::string> normalWorkload(std::string_view text)
{
    QS_TRY(const CellWorkload workload, kCellWorkloads.parse(text, "workload"));
    return std::string(kCellWorkloads.of(workload));
}

CellConfig plannedWorkload(CellConfig cell)
{
    const auto workload = kCellWorkloads.parse(cell.workload, "workload");
    const bool forward = workload.ok() && workload.value() == CellWorkload::Forward;
    const bool generate = workload.ok() && workload.value() == CellWorkload::Generate;
    if (!forward && !generate)
        return cell;
    cell.workload = kCellWorkloads.of(CellWorkload::Pass);
    if (forward)
        cell.sizes.set(kNewTokens, 0);
    else if (cell.sizes.find(kNewTokens).value_or(0) == 0)
        cell.sizes.set(kNewTokens, findKnownSize(kNewTokens)->fallback);
    return cell;
}

bool isQuantizing(const CellConfig& cell)
{
    return cell.workload == kCellWorkloads.of(CellWorkload::Quantize);
}

}  // namespace qs::core
