#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace qs::core {

// "VmHWM" (the most so far) or "VmRSS" (now) of this process, in bytes.
[[nodiscard]] std::optional<std::int64_t> residentMemory(std::string_view key);

// What this process may still take, in bytes: what the machine has left, or the control groups
// around the process if that is less. Files that were read and may be dropped are no loss. 0 if
// nothing is told. From /proc and /sys below `root`.
[[nodiscard]] std::int64_t freeHostMemory(const std::filesystem::path& root = "/");

// What this process may take at most, in bytes: what the machine has, or the control groups around
// the process allow if that is less. 0 if nothing is told.
[[nodiscard]] std::int64_t hostMemory(const std::filesystem::path& root = "/");

// How often the kernel has killed for want of memory, counted since boot: in the control group of
// this process and those below it, or else on the whole machine. Nothing if it does not tell.
[[nodiscard]] std::optional<std::int64_t> outOfMemoryKills(const std::filesystem::path& root = "/");

// Memory of which every page is there, straight from the kernel; it goes back with the last owner.
// Null if the kernel has none. Large pages are asked for, because a gibibyte of small ones takes
// half a second.
[[nodiscard]] std::shared_ptr<void> takeHostBlock(std::size_t bytes);

}  // namespace qs::core
