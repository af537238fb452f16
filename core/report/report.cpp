#include "core/report/report.h"

#include "core/report/kernels.h"

#include "core/base/files.h"
#include "core/record/environment_file.h"
#include "core/record/journal/journal_place.h"
#include "core/record/layer_reports.h"
#include "core/report/reference_section.h"
#include "core/report/report_folder.h"
#include "core/report/ustar.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace qs::core {

namespace {

struct Part {
    std::string name;
    std::function<Status(const TextSink&)> write;
};

std::vector<Part> reportParts(const RunData& data, const Analysis& analysis,
                              const ReportOptions& options)
{
    const bool safe = options.formulaSafe;
    std::vector<Part> parts;
    const auto add = [&](bool wanted, const char* name, auto write) {
        if (wanted)
            parts.push_back({name, std::move(write)});
    };
    add(options.cells, "cells.csv",
        [&, safe](const TextSink& sink) { return sink(cellsCsv(data, analysis, safe)); });
    add(options.measurements, "measurements.csv", [&, safe](const TextSink& sink) {
        return writeMeasurementsCsv(data, analysis.rows, safe, sink);
    });
    add(options.samples, "samples.csv", [&, safe](const TextSink& sink) {
        return writeSamplesCsv(data, analysis.rows, safe, sink);
    });
    add(options.layers && !layerReportPlaces(data).empty(), "layers.csv",
        [&, safe](const TextSink& sink) { return writeLayersCsv(data, analysis, safe, sink); });
    add(options.kernels && anyKernels(analysis), "kernels.csv",
        [&, safe](const TextSink& sink) { return sink(kernelsCsv(analysis, safe)); });
    add(options.cells && !referencesOf(data.folder).empty(), "other_programs.csv",
        [&, safe](const TextSink& sink) { return sink(referencesCsv(data, safe)); });
    add(options.json, "report.json",
        [&](const TextSink& sink) { return writeReportJson(data, analysis, sink); });
    add(options.summary, "summary.md",
        [&](const TextSink& sink) { return sink(summaryMarkdown(data, analysis)); });
    add(options.html, "report.html",
        [&](const TextSink& sink) { return sink(reportHtml(data, analysis)); });
    return parts;
}

Status copyInto(const FilePlace& place, const TextSink& sink)
{
    QS_TRY(const FileDescriptor file, openForReading(place));
    std::string chunk(std::size_t{1} << 18U, '\0');
    while (true) {
        QS_TRY(const std::size_t count,
               readSome(file, std::as_writable_bytes(std::span(chunk)), place.path()));
        if (count == 0)
            return {};
        QS_RETURN_IF_ERROR(sink(std::string_view(chunk).substr(0, count)));
    }
}

// The run's own files as they lie there. A run that was never stored has plan and environments
// only.
std::vector<Part> runParts(const RunData& data)
{
    std::vector<Part> parts;
    for (const FilePlace& file :
         {FilePlace::inside(data.folder, "plan.json"),
          FilePlace::inside(data.folder, "environment.json"), journalPlace(data.folder)}) {
        if (!data.folder.empty() && isThere(file))
            parts.push_back({file.relative().string(),
                             [file](const TextSink& sink) { return copyInto(file, sink); }});
    }
    for (const RunReference& each : referencesOf(data.folder)) {
        const FilePlace file = FilePlace::inside(data.folder, each.file);
        if (!each.results || !isThere(file))
            continue;
        parts.push_back({each.file, [file](const TextSink& sink) { return copyInto(file, sink); }});
    }
    if (data.folder.empty()) {
        parts.push_back({"plan.json", [&](const TextSink& sink) {
                             return sink(jsonText(toJson(data.plan), 1) + "\n");
                         }});
        parts.push_back({"environment.json", [&](const TextSink& sink) {
                             return sink(environmentsText(data.environments));
                         }});
    }
    return parts;
}

Status writePart(const Part& part, const FilePlace& place)
{
    QS_TRY(AtomicFile file, AtomicFile::create(place));
    QS_RETURN_IF_ERROR(part.write(file.sink()));
    return file.commit();
}

// Nothing of a run folder may be a link; what a user named may lead through some.
FilePlace placeIn(const RunData& data, const std::filesystem::path& folder, const std::string& name)
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
                   const std::vector<Part>& parts)
{
    std::vector<std::string> names;
    for (const Part& part : parts)
        names.push_back(part.name);
    if (options.environment)
        names.emplace_back("environment.json");
    if (options.bundle)
        names.emplace_back("bundle.tar");
    return checkReportFolder(options.folder, data.folder, names);
}

Status writeArchive(const RunData& data, const std::vector<Part>& reports, const FilePlace& place)
{
    std::vector<Part> parts = reports;
    for (Part& part : runParts(data))
        parts.push_back(std::move(part));
    QS_TRY(AtomicFile file, AtomicFile::create(place));
    UstarWriter archive(file);
    for (const Part& part : parts) {
        QS_RETURN_IF_ERROR(archive.begin(part.name));
        QS_RETURN_IF_ERROR(part.write(file.sink()));
        QS_RETURN_IF_ERROR(archive.end());
    }
    QS_RETURN_IF_ERROR(archive.finish());
    return file.commit();
}

}  // namespace

Status writeReport(const RunData& data, const Analysis& analysis, const ReportOptions& options)
{
    const std::vector<Part> parts = reportParts(data, analysis, options);
    QS_RETURN_IF_ERROR(checkFolder(data, options, parts));
    QS_RETURN_IF_ERROR(createFolders(options.folder));
    for (const Part& part : parts)
        QS_RETURN_IF_ERROR(writePart(part, placeIn(data, options.folder, part.name)));
    if (options.environment)
        QS_RETURN_IF_ERROR(writeEnvironmentFile(data, options.folder));
    return options.bundle ? writeArchive(data, parts, placeIn(data, options.folder, "bundle.tar"))
                          : Status();
}

Status writeBundle(const RunData& data, const Analysis& analysis, const std::filesystem::path& file)
{
    return writeArchive(data, reportParts(data, analysis, {}), file);
}

}  // namespace qs::core
