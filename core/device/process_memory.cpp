#include "core/device/process_memory.h"

#include <utility>

namespace qs::core {

ProcessMemory::ProcessMemory(const std::string& uuid, std::int64_t pid, const std::string& library)
    : m_pid(pid)
{
    Result<Nvml> opened = Nvml::open(library);
    if (!opened.ok())
        return;
    for (int gpu = 0; gpu < opened.value().deviceCount(); ++gpu) {
        if (!uuid.empty() && opened.value().uuid(gpu) == uuid)
            m_gpu = gpu;
    }
    if (m_gpu >= 0)
        m_nvml.emplace(std::move(opened).value());
}

std::optional<std::int64_t> ProcessMemory::bytes() const
{
    return m_nvml ? usedBytes(m_nvml->processes(m_gpu), m_pid) : std::nullopt;
}

}  // namespace qs::core
