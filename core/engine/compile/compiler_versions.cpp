#include "core/engine/compile/compiler_versions.h"

#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/temporary_folder.h"
#include "core/engine/compile/python_place.h"
#include "core/engine/phase_timer.h"

#include <nlohmann/json.hpp>

namespace qs::engine {

namespace {

constexpr double kMostSeconds = 20.0;
constexpr std::uint64_t kLongestAnswer = std::uint64_t{64} << 10U;

// The compiler is the one that Inductor would choose.
constexpr const char* kQuestion = R"(
import importlib.metadata, importlib.util, json, os, platform, subprocess
found = {"python": platform.python_version()}
for name in ("torch", "triton"):
    if importlib.util.find_spec(name):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "unknown"
try:
    told = subprocess.run([os.environ.get("CXX") or "g++", "-dumpfullversion", "-dumpversion"],
                          capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    found["g++"] = told.stdout.strip()
except (OSError, subprocess.CalledProcessError):
    pass
print(json.dumps(found))
)";

core::Result<std::string> answer()
{
    QS_TRY(const std::filesystem::path python, pythonOfTorch());
    QS_TRY(const core::TemporaryFolder folder,
           core::TemporaryFolder::create("quantscope-versions"));
    const core::ChildCommand command{.program = python,
                                     .arguments = {"-E", "-c", kQuestion},
                                     // As for a compile.
                                     .variables = {{"LD_LIBRARY_PATH", ""}},
                                     .log = folder.path() / "answer"};
    const double begin = secondsNow();
    QS_TRY(const core::ChildEnd end,
           core::runChild(command, [&] { return secondsNow() - begin < kMostSeconds; }));
    static_cast<void>(end);
    return core::readTextFile(command.log, kLongestAnswer);
}

}  // namespace

CompilerVersions compilerVersions()
{
    const auto text = answer();
    if (!text.ok())
        return {};
    const auto json = core::parseJson(text.value(), "versions");
    CompilerVersions versions;
    if (!json.ok() || !json.value().is_object())
        return versions;
    for (const auto& [name, version] : json.value().items()) {
        if (version.is_string())
            versions[name] = version.get<std::string>();
    }
    return versions;
}

std::string inductorLacks(core::DeviceKind kind, const CompilerVersions& versions)
{
    const auto python = pythonOfTorch();
    if (!python.ok() || versions.empty())
        return "Python";
    if (!versions.contains("torch"))
        return "PyTorch in " + python.value().string();
    if (!versions.contains("g++"))
        return "g++";
    return kind == core::DeviceKind::Cuda && !versions.contains("triton") ? "triton" : "";
}

}  // namespace qs::engine
