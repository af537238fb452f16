#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace qs::core {

// What the disk of a folder has left for this user; of one that is still to be made, that of the
// folder it will be in. Nothing if the system does not tell.
[[nodiscard]] std::optional<std::uintmax_t> freeSpace(const std::filesystem::path& folder);

// What a run may take of this machine.
struct HostRoom {
    std::int64_t memoryBytes = 0;                 // of the machine; 0 if nobody knows
    std::optional<std::uintmax_t> freeDiskBytes;  // nothing if nobody knows
};

}  // namespace qs::core
