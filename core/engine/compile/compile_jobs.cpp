#include "core/engine/compile/compile_jobs.h"

#include "core/base/atomic_file.h"
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/json_list.h"
#include "core/base/sha256.h"
#include "core/engine/compile/compile_scripts.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/phase_timer.h"
#include "core/sweep/worker_variables.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

namespace qs::engine {

namespace fs = std::filesystem;

using core::Error;
using core::ErrorCode;
using core::Result;
using core::StageCompile;
using core::Status;

namespace {

constexpr std::uint64_t kLargestReport = std::uint64_t{1} << 20U;
constexpr std::streamoff kLargestLog = std::streamoff{4} << 20U;
constexpr std::size_t kLogTail = 2000;

// Tells the observer how many programs are compiled, of each pass over all of them.
class FinishedPrograms final
{
public:
    FinishedPrograms(const CompileJobs& all, CellObserver& observer)
        : m_all(all), m_observer(observer)
    {
    }

    // All of them once more.
    void beginAgain() { m_before += m_all.jobs.size(); }

    // False: to stop. A report is the last thing that the compiler makes of a program.
    [[nodiscard]] bool look()
    {
        std::error_code ignored;
        const auto& jobs = m_all.jobs;
        const auto reported = std::count_if(jobs.begin(), jobs.end(), [&](const CompileJob& job) {
            return fs::exists(job.report(), ignored);
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

    const CompileJobs& m_all;
    CellObserver& m_observer;
    std::size_t m_before = 0;  // compiled in earlier passes
    std::size_t m_told = 0;
};

// Where kernels are timed against each other, nothing else may run.
unsigned parallelCompiles(const CompileJobs& all)
{
    const bool tuned = std::any_of(all.jobs.begin(), all.jobs.end(), [](const CompileJob& job) {
        return job.request->packageMode != "default";
    });
    return tuned ? 1 : std::max(1U, std::thread::hardware_concurrency() / 2);
}

// What the compiler is to log; null: nothing.
const char* compilerLogs()
{
    return std::getenv(core::kCompilerLogsOfWorker);
}

core::ChildCommand commandOf(const fs::path& python, const CompileJobs& all)
{
    core::ChildCommand command{
        .program = python,
        .arguments = {"-E", all.script().string(), std::to_string(parallelCompiles(all))},
        .variables = {{"TMPDIR", all.folder.string()},
                      // Libraries that came with this program are none of Python's.
                      {"LD_LIBRARY_PATH", ""}},
        .log = all.log()};
    for (const CompileJob& job : all.jobs) {
        for (const std::string& argument :
             {job.archive().string(), job.package().string(), job.request->packageMode,
              std::string(compiledKind(job.request->device)), job.report().string(),
              job.kept().string(), job.request->float32Precision()})
            command.arguments.push_back(argument);
    }
    if (const char* logs = compilerLogs())
        command.variables.emplace_back(core::kCompilerLogs, logs);
    const core::DeviceDescription& device = all.jobs.front().request->device;
    if (device.kind == core::DeviceKind::Cuda && !device.uuid.empty())
        command.variables.emplace_back("CUDA_VISIBLE_DEVICES", device.uuid);
    return command;
}

// What the compiler said goes to the log of the worker, its end if it said too much.
std::string passOnLog(const fs::path& logFile)
{
    std::ifstream file(logFile, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? std::streamoff{file.tellg()} : 0;
    std::string log(static_cast<std::size_t>(std::min(size, kLargestLog)), '\0');
    file.seekg(size - std::streamoff(log.size()));
    file.read(log.data(), std::streamsize(log.size()));
    std::fwrite(log.data(), 1, log.size(), stderr);
    return log;
}

// The end of its log is the reason.
Error compilerError(const fs::path& logFile, const core::ChildEnd& end)
{
    std::string log = passOnLog(logFile);
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
    const auto text = core::readTextFile(report, kLargestReport);
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

// Every program once: the seconds from the start of the compiler to its end. Reports are gone
// afterwards.
Result<double> compileOnce(const core::ChildCommand& command, CompileJobs& all,
                           FinishedPrograms& finished)
{
    const double begin = secondsNow();
    QS_TRY(const core::ChildEnd end, core::runChild(command, [&] { return finished.look(); }));
    const double seconds = secondsNow() - begin;
    std::error_code ignored;
    for (CompileJob& job : all.jobs) {
        const bool reported = readReport(job.report(), job.made);
        const bool said = fs::exists(job.log(), ignored);
        if (!reported)
            return compilerError(said ? job.log() : all.log(), end);
        fs::remove(job.report(), ignored);
    }
    if (!end.succeeded())
        return compilerError(all.log(), end);
    if (compilerLogs() != nullptr) {
        for (const CompileJob& job : all.jobs)
            static_cast<void>(passOnLog(job.log()));
    }
    return seconds;
}

// Whatever is compiled together has one.
std::string togetherId(const CompileJobs& all)
{
    std::string contents;
    for (const CompileJob& job : all.jobs)
        contents += job.content + "|";
    return core::sha256Hex(contents);
}

}  // namespace

std::string_view compiledKind(const core::DeviceDescription& device)
{
    return device.kind == core::DeviceKind::Cuda ? "cuda" : "cpu";
}

Status compileJobs(CompileJobs& all, CellObserver& observer)
{
    QS_TRY(const fs::path python, pythonOfTorch());
    for (const ScriptFile& script : compileScripts())
        QS_RETURN_IF_ERROR(core::writeFileAtomically(all.folder / script.name, script.text));
    const core::ChildCommand command = commandOf(python, all);
    FinishedPrograms finished(all, observer);
    core::CompiledTogether together{.id = togetherId(all),
                                    .programs = static_cast<int>(all.jobs.size())};
    QS_TRY(together.coldSeconds, compileOnce(command, all, finished));
    std::vector<StageCompile> cold;
    for (const CompileJob& job : all.jobs)
        cold.push_back(job.made);
    finished.beginAgain();
    QS_TRY(together.warmSeconds, compileOnce(command, all, finished));
    for (std::size_t i = 0; i < cold.size(); ++i) {
        StageCompile& made = all.jobs[i].made;
        const double warmSeconds = secondsOf(made.coldParts);
        made = cold[i];
        made.coldSeconds = secondsOf(made.coldParts);
        made.warmSeconds = warmSeconds;
        made.together = together;
    }
    return {};
}

}  // namespace qs::engine
