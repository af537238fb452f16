#include "core/engine/compile/package_compiler.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/json_list.h"
#include "core/base/sha256.h"
#include "core/engine/compile/compile_package_script.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/phase_timer.h"
#include "core/engine/probe/describe.h"
#include "core/graph/exported/program_writer.h"

#include <nlohmann/json.hpp>

#include <cstdio>
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

    [[nodiscard]] fs::path script() const { return folder / "compile_package.py"; }
    [[nodiscard]] fs::path archive() const { return folder / "program.pt2"; }
    [[nodiscard]] fs::path package() const { return folder / "package.pt2"; }
    [[nodiscard]] fs::path report() const { return folder / "report.json"; }
    [[nodiscard]] fs::path log() const { return folder / "log"; }
};

core::ChildCommand commandOf(const fs::path& python, const Workplace& place,
                             const PackageRequest& request)
{
    core::ChildCommand command{
        .program = python,
        .arguments = {"-E", "-B", place.script().string(), place.archive().string(),
                      place.package().string(), "--mode", request.packageMode, "--device",
                      std::string(kindOf(request.device)), "--report", place.report().string()},
        .variables = {{"TORCHINDUCTOR_CACHE_DIR", (place.folder / "inductor").string()},
                      {"TRITON_CACHE_DIR", (place.folder / "triton").string()},
                      {"TMPDIR", place.folder.string()},
                      // Libraries that came with this program are none of Python's.
                      {"LD_LIBRARY_PATH", ""}},
        .log = place.log()};
    if (request.device.kind == core::DeviceKind::Cuda && !request.device.uuid.empty())
        command.variables.emplace_back("CUDA_VISIBLE_DEVICES", request.device.uuid);
    return command;
}

// What the compiler said goes to the log of the worker; its end is the reason.
Error compilerError(const Workplace& place, const core::ChildEnd& end)
{
    const auto read = core::readTextFile(place.log(), kLargestLog);
    std::string log = read.ok() ? read.value() : std::string();
    std::fwrite(log.data(), 1, log.size(), stderr);
    if (log.size() > kLogTail)
        log.erase(0, log.size() - kLogTail);
    const std::string how = end.signal != 0 ? "killed by signal " + std::to_string(end.signal)
                                            : "exit code " + std::to_string(end.exitCode);
    return {ErrorCode::Internal, "Inductor could not compile the stage (" + how + "): " + log};
}

// Seconds from the start of the process to its end.
Result<double> compileOnce(const core::ChildCommand& command, const Workplace& place,
                           const std::function<bool()>& goesOn)
{
    const double begin = secondsNow();
    QS_TRY(const core::ChildEnd end, core::runChild(command, goesOn));
    if (!end.succeeded())
        return compilerError(place, end);
    return secondsNow() - begin;
}

// What the script says of its compile.
void readReport(const fs::path& report, StageCompile& made)
{
    const auto text = core::readTextFile(report, kLargestRecord);
    if (!text.ok())
        return;
    const auto json = core::parseJson(text.value(), report.string());
    if (!json.ok())
        return;
    std::vector<core::JsonIssue> issues;
    core::JsonFields fields(json.value(), "$", issues);
    core::forEachObject(fields, "steps", issues, made.coldParts, [&](core::JsonFields& each) {
        made.coldParts.push_back({each.text("name"), each.number("seconds", 0.0, 0.0, 1e9)});
    });
    made.products = core::compiledProductsFromJson(fields, issues);
}

Result<StageCompile> compile(const Workplace& place, const PackageRequest& request,
                             const std::function<bool()>& goesOn)
{
    QS_TRY(const fs::path python, pythonOfTorch());
    QS_RETURN_IF_ERROR(core::writeFileAtomically(place.script(), compilePackageScript()));
    const core::ChildCommand command = commandOf(python, place, request);
    StageCompile made;
    QS_TRY(made.coldSeconds, compileOnce(command, place, goesOn));
    readReport(place.report(), made);
    QS_TRY(made.warmSeconds, compileOnce(command, place, goesOn));
    return made;
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

Result<StagePackage> PackageCompiler::provide(const PackageRequest& request,
                                              const std::function<bool()>& goesOn)
{
    QS_RETURN_IF_ERROR(findFolder());
    QS_TRY(const core::TemporaryFolder temporary,
           core::TemporaryFolder::create("quantscope-compile"));
    const Workplace place{temporary.path()};
    QS_RETURN_IF_ERROR(core::writeExportedProgram({.graph = request.graph,
                                                   .device = std::string(kindOf(request.device)),
                                                   .constantsAsBuffers = true},
                                                  place.archive()));
    QS_TRY(const std::string program, core::sha256File(place.archive()));
    const std::string content = core::sha256Hex(program + "|" + circumstances(request));
    if (auto found = find(content))
        return std::move(*found);
    QS_TRY(StageCompile made, compile(place, request, goesOn));
    made.content = content;
    QS_RETURN_IF_ERROR(copyFile(place.package(), m_folder / (content + kPackage)));
    remember(content, place.package(), made);
    return StagePackage{m_folder / (content + kPackage), std::move(made)};
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
