#include "core/base/files.h"
#include "core/base/format.h"
#include "core/device/host_memory.h"
#include "core/run/run_loop.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <chrono>

// Where a run is: whether it fits there, and whether it is still there.
namespace qs::core {

namespace {

constexpr std::chrono::seconds kDiskCheckPeriod{2};

}  // namespace

HostRoom RunLoop::roomAt(const std::filesystem::path& place) const
{
    return {hostMemory(m_options.systemRoot), m_options.freeSpace(place)};
}

Status RunLoop::checkItFits(const Plan& plan) const
{
    PlanNeeds needs = needsOf(plan);
    needs.diskBytes = bytesToWrite(plan);
    return checkRoom(needs, roomAt(folder()));
}

std::int64_t RunLoop::bytesToWrite(const Plan& plan) const
{
    std::int64_t bytes = 0;
    std::set<std::int64_t> sizes;
    for (const PlannedCell& cell : plan.cells) {
        if (!cell.possible())
            continue;
        if (sizes.insert(cell.config.imageSize()).second &&
            !isThere(inputArray(folder(), cell.config.imageSize())))
            bytes += inputBytes(plan, cell.config.imageSize());
        if (m_comparison->outputs().pictures(cell.id, m_environmentId) == 0)
            bytes += outputBytes(plan, cell);
    }
    const int done = m_scheduler != nullptr ? m_scheduler->rowsDone() : 0;
    return bytes + std::max(0, plan.plannedRows() - done) * kRowBytes;
}

bool RunLoop::diskIsFull() const
{
    const auto free = m_options.freeSpace(folder());
    // What there is to write is only counted when it matters: a plan may have thousands of cells.
    return free && *free < withSpareDisk(m_mostBytesToWrite) &&
           *free < withSpareDisk(bytesToWrite(m_data.plan));
}

Status RunLoop::waitForSpace()
{
    QS_RETURN_IF_ERROR(loggedEvent(
        EventKind::Warning,
        {NoteCode::DiskFull,
         {static_cast<double>(withSpareDisk(bytesToWrite(m_data.plan))), folder().string(),
          static_cast<double>(m_options.freeSpace(folder()).value_or(0))}}));
    while (diskIsFull() && !m_requests.stopping()) {
        report(Phase::DiskFull, 0.0);
        m_requests.waitForStop(kDiskCheckPeriod);
    }
    if (!m_requests.stopping())
        return loggedEvent(EventKind::Note, {NoteCode::DiskFree});
    return {};
}

}  // namespace qs::core
