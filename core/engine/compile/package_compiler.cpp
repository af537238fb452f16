#include "core/engine/compile/package_compiler.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/json_list.h"
#include "core/base/sha256.h"
#include "core/engine/compile/compile_package_script.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/probe/describe.h"
#include "core/graph/exported/program_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

namespace qs::engine {

namespace fs = std::filesystem;

using core::Error;
using core::ErrorCode;
using core::Json;
using core::Result;
using core::StageCompile;
using core::Status;

namespace {

constexpr const char* kPackage = ".pt2";
constexpr const char* kRecord = ".json";
constexpr std::uintmax_t kMostRecordBytes = std::uintmax_t{64} << 20U;
constexpr std::uint64_t kLargestRecord = std::uint64_t{1} << 20U;
constexpr std::uint64_t kLargestLog = std::uint64_t{4} << 20U;
constexpr std::size_t kLogTail = 2000;

std::string_view kindOf(const core::DeviceDescription& device)
{
    return device.kind == core::DeviceKind::Cuda ? "cuda" : "cpu";
}

// What decides the package beside the program.
std::string circumstances(const PackageRequest& request)
{
    const core::DeviceDescription& device = request.device;
    std::string text;
    for (const std::string& each :
         {request.packageMode, std::string(kindOf(device)), device.name,
          std::to_string(device.computeMajor), std::to_string(device.computeMinor),
          engineVersions().torch, core::sha256Hex(compilePackageScript())})
        text += each + "|";
    return text;
}

// The folder of one compile: what goes in, what comes out, what Inductor keeps.
struct Workplace {
    fs::path folder;

    [[nodiscard]] fs::path archive() const { return folder / "program.pt2"; }
    [[nodiscard]] fs::path package() const { return folder / "package.pt2"; }
    [[nodiscard]] fs::path report() const { return folder / "report.json"; }
    [[nodiscard]] fs::path kept() const { return folder / "kept"; }
    [[nodiscard]] fs::path log() const { return kept() / "log"; }
};

// One program that has to be compiled.
struct Job {
    std::string content;
    Workplace place;
    const PackageRequest* request;
    StageCompile made = {};
};

// All of one call, in one folder.
struct Batch {
    fs::path folder;
    std::vector<Job> jobs;

    [[nodiscard]] fs::path script() const { return folder / "compile_package.py"; }
    [[nodiscard]] fs::path log() const { return folder / "log"; }
};

// Tells the observer how many programs are compiled, of each pass over the batch.
class FinishedPrograms final
{
public:
    FinishedPrograms(const Batch& batch, CellObserver& observer)
        : m_batch(batch), m_observer(observer)
    {
    }

    // All of them once more.
    void beginAgain() { m_before += m_batch.jobs.size(); }

    // False: to stop. A report is the last thing that the compiler makes of a program.
    [[nodiscard]] bool look()
    {
        std::error_code ignored;
        const auto& jobs = m_batch.jobs;
        const auto reported = std::count_if(jobs.begin(), jobs.end(), [&](const Job& job) {
            return fs::exists(job.place.report(), ignored);
        });
        const std::size_t finished = m_before + static_cast<std::size_t>(reported);
        if (finished <= m_told)
            return m_observer.goesOn();
        m_told = finished;
        return m_observer.progressed(static_cast<double>(finished) /
                                     static_cast<double>(kPasses * jobs.size()));
    }

private:
    static constexpr std::size_t kPasses = 2;  // cold and warm

    const Batch& m_batch;
    CellObserver& m_observer;
    std::size_t m_before = 0;  // compiled in earlier passes
    std::size_t m_told = 0;
};

// Where kernels are timed against each other, nothing else may run.
unsigned parallelCompiles(const Batch& batch)
{
    const bool tuned = std::any_of(batch.jobs.begin(), batch.jobs.end(), [](const Job& job) {
        return job.request->packageMode != "default";
    });
    return tuned ? 1 : std::max(1U, std::thread::hardware_concurrency() / 2);
}

core::ChildCommand commandOf(const fs::path& python, const Batch& batch)
{
    core::ChildCommand command{
        .program = python,
        .arguments = {"-E", batch.script().string(), std::to_string(parallelCompiles(batch))},
        .variables = {{"TMPDIR", batch.folder.string()},
                      // Libraries that came with this program are none of Python's.
                      {"LD_LIBRARY_PATH", ""}},
        .log = batch.log()};
    for (const Job& job : batch.jobs) {
        for (const std::string& argument :
             {job.place.archive().string(), job.place.package().string(), job.request->packageMode,
              std::string(kindOf(job.request->device)), job.place.report().string(),
              job.place.kept().string()})
            command.arguments.push_back(argument);
    }
    const core::DeviceDescription& device = batch.jobs.front().request->device;
    if (device.kind == core::DeviceKind::Cuda && !device.uuid.empty())
        command.variables.emplace_back("CUDA_VISIBLE_DEVICES", device.uuid);
    return command;
}

// What the compiler said goes to the log of the worker; its end is the reason.
Error compilerError(const fs::path& logFile, const core::ChildEnd& end)
{
    const auto read = core::readTextFile(logFile, kLargestLog);
    std::string log = read.ok() ? read.value() : std::string();
    std::fwrite(log.data(), 1, log.size(), stderr);
    if (log.size() > kLogTail)
        log.erase(0, log.size() - kLogTail);
    const std::string how = end.signal != 0 ? "killed by signal " + std::to_string(end.signal)
                                            : "exit code " + std::to_string(end.exitCode);
    return {ErrorCode::Internal, "Inductor could not compile the stage (" + how + "): " + log};
}

double secondsOf(const std::vector<core::CompilePart>& parts)
{
    double seconds = 0.0;
    for (const core::CompilePart& part : parts)
        seconds += part.seconds;
    return seconds;
}

// What the script says of a compile; false without a report.
bool readReport(const fs::path& report, StageCompile& made)
{
    const auto text = core::readTextFile(report, kLargestRecord);
    if (!text.ok())
        return false;
    const auto json = core::parseJson(text.value(), report.string());
    if (!json.ok())
        return false;
    std::vector<core::JsonIssue> issues;
    core::JsonFields fields(json.value(), "$", issues);
    made.coldParts.clear();
    core::forEachObject(fields, "steps", issues, made.coldParts, [&](core::JsonFields& each) {
        made.coldParts.push_back({each.text("name"), each.number("seconds", 0.0, 0.0, 1e9)});
    });
    made.products = core::compiledProductsFromJson(fields, issues);
    return true;
}

// Every program once. Reports are gone afterwards.
Status compileOnce(const core::ChildCommand& command, Batch& batch, FinishedPrograms& finished)
{
    QS_TRY(const core::ChildEnd end, core::runChild(command, [&] { return finished.look(); }));
    std::error_code ignored;
    for (Job& job : batch.jobs) {
        const bool reported = readReport(job.place.report(), job.made);
        const bool said = fs::exists(job.place.log(), ignored);
        if (!reported)
            return compilerError(said ? job.place.log() : batch.log(), end);
        fs::remove(job.place.report(), ignored);
    }
    return end.succeeded() ? Status() : compilerError(batch.log(), end);
}

// Cold, and then warm: with what the first time has left.
Status compile(Batch& batch, CellObserver& observer)
{
    QS_TRY(const fs::path python, pythonOfTorch());
    QS_RETURN_IF_ERROR(core::writeFileAtomically(batch.script(), compilePackageScript()));
    const core::ChildCommand command = commandOf(python, batch);
    FinishedPrograms finished(batch, observer);
    QS_RETURN_IF_ERROR(compileOnce(command, batch, finished));
    std::vector<StageCompile> cold;
    for (Job& job : batch.jobs) {
        job.made.coldSeconds = secondsOf(job.made.coldParts);
        cold.push_back(job.made);
    }
    finished.beginAgain();
    QS_RETURN_IF_ERROR(compileOnce(command, batch, finished));
    for (std::size_t i = 0; i < cold.size(); ++i) {
        cold[i].warmSeconds = secondsOf(batch.jobs[i].made.coldParts);
        batch.jobs[i].made = cold[i];
    }
    return {};
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
    Batch batch{temporary.path(), {}};
    std::map<std::string, StagePackage> packages;
    std::vector<std::string> contents;
    for (const PackageRequest& request : requests) {
        const Workplace place{temporary.path() / std::to_string(contents.size())};
        QS_RETURN_IF_ERROR(core::createFolders(place.kept()));
        const core::Graph& graph =
            request.batches.empty() ? request.graph : request.batches.front().graph;
        QS_RETURN_IF_ERROR(
            core::writeExportedProgram({.graph = graph,
                                        .device = std::string(kindOf(request.device)),
                                        .constantsAsBuffers = true,
                                        .batches = request.batches},
                                       place.archive()));
        QS_TRY(const std::string program, core::sha256File(place.archive()));
        const std::string content = core::sha256Hex(program + "|" + circumstances(request));
        contents.push_back(content);
        if (packages.contains(content))
            continue;
        if (auto found = find(content))
            packages.emplace(content, std::move(*found));
        else {
            packages.emplace(content, StagePackage());
            batch.jobs.push_back({content, place, &request});
        }
    }
    if (!batch.jobs.empty())
        QS_RETURN_IF_ERROR(compile(batch, observer));
    for (Job& job : batch.jobs) {
        job.made.content = job.content;
        const fs::path file = m_folder / (job.content + kPackage);
        QS_RETURN_IF_ERROR(copyFile(job.place.package(), file));
        remember(job.content, job.place.package(), job.made);
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
