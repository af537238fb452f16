#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// Whether two names are of one folder; false if either is not there.
[[nodiscard]] bool isSameFolder(const std::filesystem::path& a, const std::filesystem::path& b);

// Refuses to put a report of these files into a folder where that would replace what QuantScope did
// not write, or what belongs to another run than the one in `runFolder` (empty: stored nowhere).
// An earlier report, which is told by its environment.json, may be replaced.
[[nodiscard]] Status checkReportFolder(const std::filesystem::path& folder,
                                       const std::filesystem::path& runFolder,
                                       const std::vector<std::string>& files);

// All that a report may write into a folder, but for what every run folder has.
[[nodiscard]] std::vector<std::string> reportFileNames();

}  // namespace qs::core
