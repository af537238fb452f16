#pragma once

#include "core/device/nvml.h"

#include <cstdint>
#include <optional>
#include <string>

namespace qs::core {

// What the driver counts for one process on one GPU: its context, modules and workspaces, nothing
// of other processes. The driver is opened when this is made, which may take a second; used from
// one thread at a time.
class ProcessMemory final
{
public:
    // `uuid`: as DeviceDescription::uuid.
    ProcessMemory(const std::string& uuid, std::int64_t pid,
                  const std::string& library = Nvml::kLibrary);

    // Now; nothing without a driver that tells, or where it knows the process by another number.
    [[nodiscard]] std::optional<std::int64_t> bytes() const;

private:
    std::optional<Nvml> m_nvml;
    int m_gpu = -1;
    std::int64_t m_pid;
};

}  // namespace qs::core
