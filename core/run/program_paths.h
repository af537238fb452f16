#pragma once

#include <filesystem>

namespace qs::core {

// Where the parts of an installation lie, seen from the running program.
struct ProgramPaths {
    std::filesystem::path
        worker;  // quantscope-worker; may not exist: the program then has no engine
    std::filesystem::path resources;  // demo model, example runs, help
    std::filesystem::path presets;    // shipped presets
    // Of the user, for what can be made again: decoded pictures. Empty if the system names none.
    std::filesystem::path inputCache;
    std::filesystem::path workerCache;  // the same of what calibration and compilers made
    // Of the user, see Note [Path trust]. Empty if the system names no place for it.
    std::filesystem::path trustFile;
    std::filesystem::path programTrustFile;  // the same, see core/run/program_trust.h
};

// Beside the program first (a bundle), then ../share/quantscope (installed), then the source tree
// above it (a build folder). QUANTSCOPE_WORKER, QUANTSCOPE_RESOURCES and QUANTSCOPE_PRESETS win
// over all of them; QUANTSCOPE_CACHE over the place that the desktop's rules give.
[[nodiscard]] ProgramPaths locatePrograms();

}  // namespace qs::core
