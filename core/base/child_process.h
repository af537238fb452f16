#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

struct ChildCommand {
    std::filesystem::path program;  // a name alone is looked for in PATH
    std::vector<std::string> arguments;
    // Beside those of this process, or in their place.
    std::vector<std::pair<std::string, std::string>> variables;
    // What it writes goes there; a file that exists is emptied.
    std::filesystem::path log;
};

// How a process ended.
struct ChildEnd {
    int exitCode = -1;  // if it exited
    int signal = 0;     // if it was killed

    [[nodiscard]] bool succeeded() const { return signal == 0 && exitCode == 0; }
};

// Runs a program to its end. It belongs to the process group of this one, so that what ends the
// group ends it as well. `goesOn` is asked ten times a second; when it says no, the program is
// killed and the error is Cancelled.
[[nodiscard]] Result<ChildEnd> runChild(const ChildCommand& command,
                                        const std::function<bool()>& goesOn);

}  // namespace qs::core
