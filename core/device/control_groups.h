#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace qs::core {

// The folders of the control groups that hold this process, its own before those around it, in
// both versions of the kernel's interface: a limit of any of them holds. `controller`: "cpu",
// "memory". Below `root`; not all of them need to exist, because a container sees its own group as
// the root.
[[nodiscard]] std::vector<std::filesystem::path>
controlGroupFolders(const std::filesystem::path& root, std::string_view controller);

}  // namespace qs::core
