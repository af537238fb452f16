#include "core/model/joined_paths.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace qs::core {

std::vector<std::filesystem::path> joinedPaths(const std::filesystem::path& path)
{
    constexpr std::string_view kJoint = ".pt2+";
    std::error_code ignored;
    std::string rest = path.string();
    if (rest.find(kJoint) == std::string::npos || std::filesystem::exists(path, ignored))
        return {path};
    std::vector<std::filesystem::path> paths;
    for (std::size_t at = rest.find(kJoint); !rest.empty(); at = rest.find(kJoint)) {
        const std::size_t end = at == std::string::npos ? rest.size() : at + kJoint.size() - 1;
        const std::filesystem::path part = rest.substr(0, end);
        // An absolute one replaces the folder.
        paths.push_back(paths.empty() ? part : paths.front().parent_path() / part);
        rest.erase(0, std::min(rest.size(), end + 1));
    }
    return paths;
}

}  // namespace qs::core
