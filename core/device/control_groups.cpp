#include "core/device/control_groups.h"

#include "core/base/files.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

namespace qs::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kKernelFileLimit = std::uint64_t{1} << 16U;  // bytes

// Hierarchies and the path of this process in them, as the kernel names them: "0::/a/b" or
// "4:cpu,cpuacct:/a/b".
std::vector<std::pair<fs::path, fs::path>> groupsOf(const fs::path& root,
                                                    std::string_view controller)
{
    const fs::path mounted = root / "sys/fs/cgroup";
    const std::string wanted = "," + std::string(controller) + ",";
    std::vector<std::pair<fs::path, fs::path>> groups;
    const auto text = readTextFile(root / "proc/self/cgroup", kKernelFileLimit);
    std::istringstream lines(text.ok() ? text.value() : std::string());
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const fs::path path = fs::path(line.substr(second + 1)).relative_path();
        if (controllers.empty())
            groups.emplace_back(mounted, path);
        else if (("," + controllers + ",").find(wanted) != std::string::npos)
            groups.emplace_back(mounted / controllers, path);
    }
    groups.emplace_back(mounted, fs::path());
    groups.emplace_back(mounted / controller, fs::path());
    return groups;
}

}  // namespace

std::vector<fs::path> controlGroupFolders(const fs::path& root, std::string_view controller)
{
    std::vector<fs::path> folders;
    for (const auto& [hierarchy, path] : groupsOf(root, controller)) {
        // A path with ".." would lead out of the hierarchy.
        if (std::find(path.begin(), path.end(), "..") != path.end())
            continue;
        for (fs::path inside = path;; inside = inside.parent_path()) {
            folders.push_back(hierarchy / inside);
            if (inside.empty())
                break;
        }
    }
    return folders;
}

}  // namespace qs::core
