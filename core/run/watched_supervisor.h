#pragma once

#include "core/device/description.h"
#include "core/run/cell_supervisor.h"
#include "core/run/cpu_watch.h"
#include "core/run/device_watch.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Runs cells as the supervisor does; those on a GPU between a wait for its memory and a look at
// what it did meanwhile, those on a CPU with a look at what else used it. The driver is opened for
// the first of a GPU.
class WatchedSupervisor final
{
public:
    // `supervisor` must outlive it. `devices`: of this computer. `stop` ends the wait for memory.
    WatchedSupervisor(CellSupervisor& supervisor, std::vector<DeviceDescription> devices,
                      std::string nvmlLibrary, std::stop_token stop);

    // As CellSupervisor::run(); Cancelled if it was stopped before the cell began.
    [[nodiscard]] Result<CellOutcome> run(const CellRequest& request, bool keepWorker);

private:
    [[nodiscard]] Result<CellOutcome> runOnProcessor(const CellRequest& request, bool keepWorker);
    // Of the device that the cell runs on; empty for a CPU.
    [[nodiscard]] std::string uuidOf(const CellConfig& config) const;

    CellSupervisor& m_supervisor;
    std::vector<DeviceDescription> m_devices;
    std::string m_nvmlLibrary;
    std::stop_token m_stop;
    std::optional<DeviceWatch> m_watch;
    CpuWatch m_processor;
};

}  // namespace qs::core
