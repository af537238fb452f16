#include "core/device/host_room.h"

#include <system_error>

namespace qs::core {

std::optional<std::uintmax_t> freeSpace(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::path there = std::filesystem::absolute(folder, error);
    while (!error && there.has_relative_path() && !std::filesystem::exists(there, error)) {
        error.clear();
        there = there.parent_path();
    }
    if (error)
        return std::nullopt;
    const auto space = std::filesystem::space(there, error);
    return error ? std::nullopt : std::optional(space.available);
}

}  // namespace qs::core
