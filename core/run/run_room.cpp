#include "core/run/run_room.h"

#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace qs::core {

HostRoom hostRoom(const RunOptions& options, const std::filesystem::path& place)
{
    return {hostMemory(options.systemRoot), options.freeSpace(place)};
}

RunRoom::RunRoom(const RunOptions& options, const RunData& data, const OutputPlaces& outputs,
                 std::string environmentId)
    : m_options(options),
      m_data(data),
      m_outputs(outputs),
      m_environmentId(std::move(environmentId))
{
    planGrew();
}

void RunRoom::planGrew()
{
    m_mostBytes = m_data.plan.estimatedBytes();
}

Status RunRoom::check(const Plan& plan, int rowsDone) const
{
    PlanNeeds needs = needsOf(plan);
    needs.diskBytes = bytesToWrite(plan, rowsDone);
    return checkRoom(needs, hostRoom(m_options, m_data.folder));
}

std::int64_t RunRoom::bytesToWrite(const Plan& plan, int rowsDone) const
{
    std::int64_t bytes = 0;
    std::set<std::int64_t> sizes;
    for (const PlannedCell& cell : plan.cells) {
        if (!cell.possible())
            continue;
        if (sizes.insert(cell.config.imageSize()).second &&
            !isThere(inputArray(m_data.folder, cell.config.imageSize())))
            bytes += inputBytes(plan, cell.config.imageSize());
        if (m_outputs.pictures(cell.id, m_environmentId) == 0)
            bytes += outputBytes(plan, cell);
    }
    return bytes + std::max(0, plan.plannedRows() - rowsDone) * kRowBytes;
}

bool RunRoom::diskIsFull(int rowsDone) const
{
    const auto free = m_options.freeSpace(m_data.folder);
    // What there is to write is only counted when it matters: a plan may have thousands of cells.
    return free && *free < withSpareDisk(m_mostBytes) && *free < neededBytes(rowsDone);
}

std::uintmax_t RunRoom::neededBytes(int rowsDone) const
{
    return withSpareDisk(bytesToWrite(m_data.plan, rowsDone));
}

}  // namespace qs::core
