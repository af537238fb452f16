#include "core/device/host_memory.h"

#include "core/base/files.h"
#include "core/device/control_groups.h"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace qs::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemoryFileLimit = std::uint64_t{1} << 20U;  // bytes
constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE of Linux 5.14, newer than some headers
constexpr std::size_t kSmallestPage = 4096;  // bytes

// The number that stands first in `text`; nothing for "max".
std::optional<std::int64_t> leadingBytes(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> numberIn(const fs::path& file)
{
    const auto text = readTextFile(file, kMemoryFileLimit);
    return text.ok() ? leadingBytes(text.value()) : std::nullopt;
}

// The number of the line that begins with `key`.
std::optional<std::int64_t> numberAfter(const fs::path& file, const std::string& key)
{
    const auto text = readTextFile(file, kMemoryFileLimit);
    if (!text.ok())
        return std::nullopt;
    const std::string lines = "\n" + text.value();
    const auto at = lines.find("\n" + key);
    return at == std::string::npos
               ? std::nullopt
               : leadingBytes(std::string_view(lines).substr(at + key.size() + 1));
}

// A figure "KEY:  1234 kB" of a file of the kernel, in bytes.
std::optional<std::int64_t> kibibytesAfter(const fs::path& file, std::string_view key)
{
    const auto kibibytes = numberAfter(file, std::string(key) + ":");
    if (!kibibytes || *kibibytes > std::numeric_limits<std::int64_t>::max() / 1024)
        return std::nullopt;
    return *kibibytes * 1024;
}

// What one control group still allows, in either version of the interface; nothing without a limit.
std::optional<std::int64_t> leftIn(const fs::path& group)
{
    const bool unified = numberIn(group / "memory.current").has_value();
    const auto limit = numberIn(group / (unified ? "memory.max" : "memory.limit_in_bytes"));
    const auto used = numberIn(group / (unified ? "memory.current" : "memory.usage_in_bytes"));
    if (!limit || !used)
        return std::nullopt;
    const auto droppable =
        numberAfter(group / "memory.stat", unified ? "inactive_file " : "total_inactive_file ");
    const std::int64_t needed = *used - std::min(*used, droppable.value_or(0));
    return std::max<std::int64_t>(0, *limit - needed);
}

}  // namespace

std::optional<std::int64_t> residentMemory(std::string_view key)
{
    return kibibytesAfter("/proc/self/status", key);
}

std::int64_t freeHostMemory(const fs::path& root)
{
    std::int64_t free = kibibytesAfter(root / "proc/meminfo", "MemAvailable").value_or(0);
    for (const fs::path& group : controlGroupFolders(root, "memory"))
        free = std::min(free, leftIn(group).value_or(free));
    return free;
}

std::int64_t hostMemory(const fs::path& root)
{
    std::int64_t memory = kibibytesAfter(root / "proc/meminfo", "MemTotal").value_or(0);
    for (const fs::path& group : controlGroupFolders(root, "memory")) {
        for (const char* file : {"memory.max", "memory.limit_in_bytes"})
            memory = std::min(memory, numberIn(group / file).value_or(memory));
    }
    return memory;
}

std::optional<std::int64_t> outOfMemoryKills(const fs::path& root)
{
    // The nearest group first: what happens in others is no business of this program.
    for (const fs::path& group : controlGroupFolders(root, "memory")) {
        for (const char* file : {"memory.events", "memory.oom_control"}) {
            if (const auto kills = numberAfter(group / file, "oom_kill "))
                return kills;
        }
    }
    return numberAfter(root / "proc/vmstat", "oom_kill ");
}

std::shared_ptr<void> takeHostBlock(std::size_t bytes)
{
    void* block =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return nullptr;
    std::shared_ptr<void> owner(block, [bytes](void* memory) { ::munmap(memory, bytes); });
    // Both are wishes: kernels that do not know them fail here and give pages as they are written.
    static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
    if (::madvise(block, bytes, kPopulateWrite) != 0) {
        auto* page = static_cast<volatile char*>(block);
        for (std::size_t at = 0; at < bytes; at += kSmallestPage)
            page[at] = 1;
    }
    return owner;
}

}  // namespace qs::core
