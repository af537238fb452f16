#include "core/run/program_paths.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

bool isThere(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// The first ancestor (or shared folder) of the program that has `name`; the place beside the
// program if none has.
fs::path find(const fs::path& programFolder, const char* variable, const std::string& name)
{
    if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0')
        return chosen;
    if (isThere(programFolder / name))
        return programFolder / name;
    const fs::path installed = programFolder.parent_path() / "share" / "quantscope" / name;
    if (isThere(installed))
        return installed;
    constexpr int kLevels = 5;
    fs::path folder = programFolder.parent_path();
    for (int level = 1; level < kLevels && folder.has_relative_path(); ++level) {
        if (isThere(folder / name))
            return folder / name;
        folder = folder.parent_path();
    }
    return programFolder / name;
}

fs::path cacheFolder()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value == nullptr ? "" : value);
    };
    if (const fs::path chosen = variable("QUANTSCOPE_CACHE"); !chosen.empty())
        return chosen;
    // The XDG rules: a path that is not absolute does not count.
    if (const fs::path caches = variable("XDG_CACHE_HOME"); caches.is_absolute())
        return caches / "quantscope";
    const fs::path home = variable("HOME");
    return home.is_absolute() ? home / ".cache" / "quantscope" : fs::path();
}

}  // namespace

ProgramPaths locatePrograms()
{
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    ProgramPaths paths;
    const char* worker = std::getenv("QUANTSCOPE_WORKER");
    paths.worker =
        worker != nullptr && *worker != '\0' ? fs::path(worker) : folder / "quantscope-worker";
    paths.resources = find(folder, "QUANTSCOPE_RESOURCES", "resources");
    paths.presets = find(folder, "QUANTSCOPE_PRESETS", "presets");
    if (const fs::path cache = cacheFolder(); !cache.empty()) {
        paths.inputCache = cache / "inputs";
        paths.workerCache = cache;
        paths.trustFile = cache / "agreed_paths.json";
        paths.programTrustFile = cache / "trusted_programs.json";
    }
    return paths;
}

}  // namespace qs::core
