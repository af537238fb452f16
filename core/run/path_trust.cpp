#include "core/run/path_trust.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/catalogue.h"
#include "core/model/joined_paths.h"
#include "core/record/run_folder.h"
#include "core/run/own_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kList = "agreed";
constexpr std::size_t kMostFolders = 1000;

struct Agreed {
    std::string folder;
    std::set<std::string> paths;
};

std::string absoluteText(const fs::path& path)
{
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code);
    return (code ? path : absolute).lexically_normal().string();
}

// The name that the folder has whatever links lead to it.
std::string folderText(const fs::path& folder)
{
    std::error_code code;
    const fs::path real = fs::canonical(folder, code);
    return code ? absoluteText(folder) : real.string();
}

std::vector<Agreed> readAgreed(const fs::path& file)
{
    std::vector<Agreed> all;
    const auto list = readOwnList(file, kList);
    if (!list)
        return all;
    std::vector<JsonIssue> issues;
    for (const Json& each : *list) {
        JsonFields entry(each, "$.agreed", issues);
        const std::vector<std::string> paths = entry.textList("paths");
        all.push_back({entry.text("folder"), {paths.begin(), paths.end()}});
    }
    return issues.empty() ? all : std::vector<Agreed>();
}

void writeAgreed(const fs::path& file, const std::vector<Agreed>& all)
{
    Json list = Json::array();
    for (const Agreed& each : all)
        list.push_back({{"folder", each.folder}, {"paths", each.paths}});
    static_cast<void>(writeOwnList(file, kList, std::move(list)).ok());
}

}  // namespace

std::vector<std::string> outsidePaths(const Plan& plan)
{
    std::set<std::string> paths;
    const auto add = [&](const std::string& path) {
        if (!path.empty())
            paths.insert(absoluteText(path));
    };
    for (const PlannedCell& cell : plan.cells) {
        if (isModelPath(cell.config.model))
            for (const std::filesystem::path& file : joinedPaths(cell.config.model))
                add(file.string());
    }
    if (!plan.preset.pictures.shipped())
        add(plan.preset.pictures.source);
    const CalibrationInputs& calibration = plan.preset.calibration;
    if (!calibration.pictures.shipped())
        add(calibration.pictures.source);
    add(plan.preset.feeding.labels);
    for (const auto& inputs : {plan.preset.feeding.inputs, calibration.inputs}) {
        for (const auto& [input, feed] : inputs) {
            for (const std::string& path : feedPaths(feed))
                add(path);
        }
    }
    return {paths.begin(), paths.end()};
}

std::vector<std::string> PathTrust::unknown(const fs::path& runFolder,
                                            const std::vector<std::string>& paths) const
{
    std::vector<std::string> missing = paths;
    const std::string folder = folderText(runFolder);
    for (const Agreed& agreed : readAgreed(m_file)) {
        if (agreed.folder == folder)
            std::erase_if(missing,
                          [&](const std::string& path) { return agreed.paths.contains(path); });
    }
    return missing;
}

void PathTrust::agree(const fs::path& runFolder, const std::vector<std::string>& paths) const
{
    if (m_file.empty() || unknown(runFolder, paths).empty())
        return;
    std::vector<Agreed> all = readAgreed(m_file);
    Agreed own{folderText(runFolder), {paths.begin(), paths.end()}};
    for (const Agreed& each : all) {
        if (each.folder == own.folder)
            own.paths.insert(each.paths.begin(), each.paths.end());
    }
    std::erase_if(all, [&](const Agreed& each) {
        return each.folder == own.folder || !isThere(each.folder);
    });
    all.push_back(std::move(own));
    if (all.size() > kMostFolders)
        all.erase(all.begin(), all.end() - kMostFolders);
    writeAgreed(m_file, all);
}

Result<std::vector<std::string>> pathsToAgree(const fs::path& runFolder, const PathTrust& trust)
{
    QS_TRY(const Plan plan, readRunPlan(runFolder));
    return trust.unknown(runFolder, outsidePaths(plan));
}

}  // namespace qs::core
