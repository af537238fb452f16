#include "core/record/report.h"

#include "core/base/files.h"
#include "core/record/environment_file.h"
#include "core/record/report_folder.h"
#include "core/record/ustar.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

// A larger journal is copied as a file; an archive in memory is for handing a run on.
constexpr std::uint64_t kBundledFileLimit = std::uint64_t{2} << 30U;

std::string textOf(const Json& json)
{
    return jsonText(json, 1) + "\n";
}

std::vector<ArchiveFile> reportFiles(const RunData& data, const Analysis& analysis,
                                     const ReportOptions& options)
{
    std::vector<ArchiveFile> files;
    if (options.cells)
        files.push_back({"cells.csv", cellsCsv(data, analysis, options.formulaSafe)});
    if (options.measurements)
        files.push_back({"measurements.csv", measurementsCsv(data, options.formulaSafe)});
    if (options.samples)
        files.push_back({"samples.csv", samplesCsv(data, options.formulaSafe)});
    if (options.json)
        files.push_back({"report.json", textOf(reportJson(data, analysis))});
    if (options.summary)
        files.push_back({"summary.md", summaryMarkdown(data, analysis)});
    return files;
}

// The run's own files as they lie there. A run that was never stored has plan and environments
// only.
Status addRunFiles(const RunData& data, std::vector<ArchiveFile>& files)
{
    for (const char* name : {"plan.json", "environment.json", "journal.jsonl"}) {
        const FilePlace file = FilePlace::inside(data.folder, name);
        if (data.folder.empty() || !isThere(file))
            continue;
        QS_TRY(std::string content, readTextFile(file, kBundledFileLimit));
        files.push_back({name, std::move(content)});
    }
    if (data.folder.empty()) {
        files.push_back({"plan.json", textOf(toJson(data.plan))});
        files.push_back({"environment.json", environmentsText(data.environments)});
    }
    return {};
}

// Nothing of a run folder may be a link; what a user named may lead through some.
FilePlace placeIn(const RunData& data, const std::filesystem::path& folder, const char* name)
{
    return isSameFolder(folder, data.folder) ? FilePlace::inside(data.folder, name)
                                             : FilePlace(folder / name);
}

// Tables without it could not be compared with others. A run folder has it already, and a session
// that goes on there may be adding to it.
Status writeEnvironmentFile(const RunData& data, const std::filesystem::path& folder)
{
    if (isSameFolder(folder, data.folder))
        return {};
    return writeEnvironments(folder / "environment.json", data.environments);
}

Status checkFolder(const RunData& data, const ReportOptions& options,
                   const std::vector<ArchiveFile>& files)
{
    std::vector<std::string> names;
    for (const ArchiveFile& file : files)
        names.push_back(file.name);
    if (options.environment)
        names.emplace_back("environment.json");
    if (options.bundle)
        names.emplace_back("bundle.tar");
    return checkReportFolder(options.folder, data.folder, names);
}

}  // namespace

Status writeReport(const RunData& data, const Analysis& analysis, const ReportOptions& options)
{
    std::vector<ArchiveFile> files = reportFiles(data, analysis, options);
    QS_RETURN_IF_ERROR(checkFolder(data, options, files));
    QS_RETURN_IF_ERROR(createFolders(options.folder));
    for (const ArchiveFile& file : files)
        QS_RETURN_IF_ERROR(
            writeFileAtomically(placeIn(data, options.folder, file.name.c_str()), file.content));
    if (options.environment)
        QS_RETURN_IF_ERROR(writeEnvironmentFile(data, options.folder));
    if (!options.bundle)
        return {};
    QS_RETURN_IF_ERROR(addRunFiles(data, files));
    QS_TRY(const std::string archive, ustarArchive(files));
    return writeFileAtomically(placeIn(data, options.folder, "bundle.tar"), archive);
}

}  // namespace qs::core
