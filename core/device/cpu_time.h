#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace qs::core {

// The cores that this process may run on, by number.
[[nodiscard]] std::vector<int> allowedCoreNumbers();

// Seconds that these cores have worked since the machine started, for whomever; what a hypervisor
// gave to others counts as work. From /proc below `root`; nothing if the kernel does not tell.
[[nodiscard]] std::optional<double> workedSeconds(const std::vector<int>& cores,
                                                  const std::filesystem::path& root = "/");

// Processor time of a process with all its threads; nothing if it is gone.
[[nodiscard]] std::optional<double> processorSeconds(std::int64_t pid,
                                                     const std::filesystem::path& root = "/");

}  // namespace qs::core
