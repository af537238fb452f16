#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What else used the processor while a cell ran on it. Empty where the kernel does not tell, and
// in rows of a GPU, whose times are of its own clock.
struct HostLoad {
    // Threads that ran or wanted to, mean of the minute before the cell.
    std::optional<double> averageBefore = std::nullopt;
    // Cores' worth of time that other processes took (those of this run are none): in a moment
    // before the cell, and from its start to its end.
    std::optional<double> othersBefore = std::nullopt;
    std::optional<double> othersDuring = std::nullopt;
    int cores = 0;  // that the cell may run on

    // Others took enough to be seen in the times.
    [[nodiscard]] bool disturbed() const;
    [[nodiscard]] bool empty() const { return !averageBefore && !othersBefore && !othersDuring; }
    bool operator==(const HostLoad&) const = default;
};

// Half a core: less is what a desktop does by itself. All threads of an operation wait for the
// slowest of them, so that one stolen core counts on a machine of any size.
inline constexpr double kDisturbingCores = 0.5;

[[nodiscard]] Json toJson(const HostLoad& load);
[[nodiscard]] HostLoad hostLoadFromJson(const JsonView& json, const std::string& path,
                                        std::vector<JsonIssue>& issues);

}  // namespace qs::core
