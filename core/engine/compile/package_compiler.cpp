#include "core/engine/compile/package_compiler.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/engine/compile/compile_scripts.h"
#include "core/engine/compile/compiler_versions.h"
#include "core/engine/probe/describe.h"
#include "core/graph/exported/program_writer.h"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace qs::engine {

namespace fs = std::filesystem;

using core::Json;
using core::Result;
using core::StageCompile;
using core::Status;

namespace {

constexpr const char* kPackage = ".pt2";
constexpr const char* kRecord = ".json";
constexpr std::uintmax_t kMostRecordBytes = std::uintmax_t{64} << 20U;
constexpr std::uint64_t kLargestRecord = std::uint64_t{1} << 20U;

// What decides the package beside the program.
std::string circumstances(const PackageRequest& request, const CompilerVersions& compiler)
{
    const core::DeviceDescription& device = request.device;
    std::string text;
    for (const std::string& each :
         {request.packageMode, request.float32Precision(), std::string(compiledKind(device)),
          device.name, std::to_string(device.computeMajor), std::to_string(device.computeMinor),
          engineVersions().torch})
        text += each + "|";
    for (const ScriptFile& script : compileScripts())
        text += core::sha256Hex(script.text) + "|";
    for (const auto& [name, version] : compiler)
        text += name + " " + version + "|";
    return text;
}

Status copyFile(const fs::path& from, const fs::path& to)
{
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    QS_TRY(const core::FileDescriptor file, core::openForReading(from));
    QS_TRY(core::AtomicFile copy, core::AtomicFile::create(to, 0600));
    std::string piece(kPiece, '\0');
    while (true) {
        QS_TRY(const std::size_t count,
               core::readSome(file, std::as_writable_bytes(std::span(piece)), from));
        if (count == 0)
            return copy.commit();
        QS_RETURN_IF_ERROR(copy.write(std::string_view(piece).substr(0, count)));
    }
}

}  // namespace

Status PackageCompiler::findFolder()
{
    if (m_folder.empty()) {
        QS_TRY(core::TemporaryFolder own, core::TemporaryFolder::create("quantscope-packages"));
        m_own.emplace(std::move(own));
        m_folder = m_own->path();
    }
    return core::createFolders(m_folder);
}

Result<std::vector<StagePackage>>
PackageCompiler::provide(const std::vector<PackageRequest>& requests, CellObserver& observer)
{
    QS_RETURN_IF_ERROR(findFolder());
    QS_TRY(const core::TemporaryFolder temporary,
           core::TemporaryFolder::create("quantscope-compile"));
    CompileJobs compiled{temporary.path()};
    if (m_versions.empty())
        m_versions = compilerVersions();
    std::map<std::string, StagePackage> packages;
    std::vector<std::string> contents;
    for (const PackageRequest& request : requests) {
        CompileJob job{temporary.path() / std::to_string(contents.size()), &request};
        QS_RETURN_IF_ERROR(core::createFolders(job.kept()));
        const core::Graph& graph =
            request.batches.empty() ? request.graph : request.batches.front().graph;
        QS_RETURN_IF_ERROR(
            core::writeExportedProgram({.graph = graph,
                                        .device = std::string(compiledKind(request.device)),
                                        .constantsAsBuffers = true,
                                        .batches = request.batches},
                                       job.archive()));
        QS_TRY(const std::string program, core::sha256File(job.archive()));
        const std::string content =
            core::sha256Hex(program + "|" + circumstances(request, m_versions));
        contents.push_back(content);
        if (packages.contains(content))
            continue;
        if (auto found = find(content))
            packages.emplace(content, std::move(*found));
        else {
            packages.emplace(content, StagePackage());
            job.content = content;
            compiled.jobs.push_back(std::move(job));
        }
    }
    if (!compiled.jobs.empty())
        QS_RETURN_IF_ERROR(compileJobs(compiled, observer));
    for (CompileJob& job : compiled.jobs) {
        job.made.content = job.content;
        const fs::path file = m_folder / (job.content + kPackage);
        QS_RETURN_IF_ERROR(copyFile(job.package(), file));
        remember(job.content, job.package(), job.made);
        packages[job.content] = {file, std::move(job.made)};
    }
    std::vector<StagePackage> provided;
    for (const std::string& content : contents)
        provided.push_back(packages.at(content));
    return provided;
}

std::optional<StagePackage> PackageCompiler::find(const std::string& content) const
{
    const fs::path file = m_folder / (content + kPackage);
    const auto text = core::readTextFile(m_folder / (content + kRecord), kLargestRecord);
    if (!text.ok())
        return std::nullopt;
    const auto json = core::parseJson(text.value(), file.string());
    if (!json.ok())
        return std::nullopt;
    std::vector<core::JsonIssue> issues;
    core::JsonFields fields(json.value(), "$", issues);
    auto records = core::compilesFromJson(fields, "compile", issues);
    const std::string expected = fields.text("package_sha256");
    if (!issues.empty() || records.size() != 1)
        return std::nullopt;
    const auto hash = core::sha256File(file);
    if (!hash.ok() || hash.value() != expected)
        return std::nullopt;
    core::markUsed(file);
    StagePackage found{file, std::move(records.front())};
    found.compile.fromCache = true;
    return found;
}

// A cache that cannot be written is no fault of the run: it compiles again next time.
void PackageCompiler::remember(const std::string& content, const fs::path& made,
                               StageCompile& compile) const
{
    const auto hash = core::sha256File(made);
    if (!hash.ok())
        return;
    Json record{{"package_sha256", hash.value()}, {"compile", {core::toJson(compile)}}};
    static_cast<void>(
        core::writeFileAtomically(m_folder / (content + kRecord), core::jsonText(record), 0600)
            .ok());
    core::keepWithin(m_folder, {kPackage}, m_mostBytes);
    core::keepWithin(m_folder, {kRecord}, kMostRecordBytes);
}

}  // namespace qs::engine
