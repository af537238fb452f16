#include "core/sweep/cell_workload.h"

namespace qs::core {

Result<std::string> normalWorkload(std::string_view text)
{
    QS_TRY(const CellWorkload workload, kCellWorkloads.parse(text, "workload"));
    return std::string(kCellWorkloads.of(workload));
}

bool isQuantizing(const CellConfig& cell)
{
    return cell.workload == kCellWorkloads.of(CellWorkload::Quantize);
}

}  // namespace qs::core
