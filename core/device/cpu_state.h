#pragma once

#include "core/base/json.h"

#include "core/base/note.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// How the processor is set up: what changes its speed from outside a program. A member is empty
// where the kernel does not tell (virtual machines, containers).
struct CpuSettings {
    std::string governor;              // "performance"; all that are in use, separated by ", "
    std::optional<bool> turbo;         // clocks above the nominal one are allowed
    std::optional<bool> smt;           // two threads share a core
    std::optional<double> quotaCores;  // CPU time that the control group may use, in cores

    [[nodiscard]] bool empty() const { return governor.empty() && !turbo && !smt && !quotaCores; }
};

// Members that are empty are left out.
[[nodiscard]] Json toJson(const CpuSettings& settings);
[[nodiscard]] Result<CpuSettings> cpuSettingsFromJson(const Json& json);
// "governor performance, turbo off, SMT on"
[[nodiscard]] std::string cpuSettingsText(const CpuSettings& settings);

// The processor at one moment.
struct CpuState {
    CpuSettings settings;
    int cores = 0;                    // that this process may run on; 0 if not known
    std::optional<double> busyCores;  // threads that ran or wanted to, mean of the last minute
};

// From /sys and /proc below `root`.
[[nodiscard]] CpuState readCpuState(const std::filesystem::path& root = "/");

// Why times measured on this processor may scatter; empty if it is quiet as far as it tells.
[[nodiscard]] std::vector<Note> reasonsNotQuiet(const CpuState& state);

}  // namespace qs::core
