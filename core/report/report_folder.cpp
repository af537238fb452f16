#include "core/report/report_folder.h"

#include "core/record/environment_file.h"
#include "core/record/journal/journal_place.h"

#include <algorithm>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// One that may not be looked at is said to be so when it is written.
bool isSeen(const fs::path& path)
{
    std::error_code error;
    return fs::exists(path, error);
}

}  // namespace

bool isSameFolder(const fs::path& a, const fs::path& b)
{
    std::error_code error;
    const bool same = !a.empty() && !b.empty() && fs::equivalent(a, b, error);
    return same && !error;
}

Status checkReportFolder(const fs::path& folder, const fs::path& runFolder,
                         const std::vector<std::string>& files)
{
    if (isSameFolder(folder, runFolder))
        return {};
    if (isSeen(folder / "plan.json") && isSeen(journalPlace(folder).path()))
        return Error{ErrorCode::InvalidArgument,
                     folder.string() + " contains another run; use another folder"};
    const auto taken = std::find_if(files.begin(), files.end(),
                                    [&](const std::string& name) { return isSeen(folder / name); });
    if (taken == files.end() || readEnvironments(folder / "environment.json").ok())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 (folder / *taken).string() +
                     " already exists and is not a QuantScope report; use another folder"};
}

std::vector<std::string> reportFileNames()
{
    return {"cells.csv",          "measurements.csv", "samples.csv", "layers.csv",  "kernels.csv",
            "other_programs.csv", "report.json",      "summary.md",  "report.html", "bundle.tar"};
}

}  // namespace qs::core
