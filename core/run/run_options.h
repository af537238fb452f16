#pragma once

#include "core/device/host_room.h"
#include "core/device/nvml.h"
#include "core/run/path_trust.h"
#include "core/run/program_trust.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct RunOptions {
    std::filesystem::path folder;         // of the run
    std::filesystem::path workerProgram;  // quantscope-worker
    std::filesystem::path resourceFolder;
    std::filesystem::path inputCache = {};   // see InputCache; empty: none
    std::filesystem::path workerCache = {};  // of calibration and compilers; empty: none
    std::filesystem::path systemRoot = "/";  // with /proc and /sys, see readCpuState()
    // That the paths of the plan are checked with, see Note [Path trust]; none: whoever starts the
    // session answers for them.
    std::optional<PathTrust> trust = {};
    std::vector<std::string> agreedPaths = {};     // that the user was shown and agreed to just now
    ProgramTrust programTrust = ProgramTrust({});  // others than those compiled programs do not run
    bool resume = false;                           // the folder holds a run to go on with
    bool retryFailed = false;                  // when resuming: cells that failed get a new attempt
    double maximumSeconds = 0.0;               // stopNow() after so long; 0 for no limit
    std::string nvmlLibrary = Nvml::kLibrary;  // that clocks and memory of GPUs are read with
    // Free space where a folder is or will be; see freeSpace().
    std::function<std::optional<std::uintmax_t>(const std::filesystem::path&)> freeSpace =
        [](const std::filesystem::path& folder) { return core::freeSpace(folder); };
};

}  // namespace qs::core
