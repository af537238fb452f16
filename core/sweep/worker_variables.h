#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Variables of the environment that a preset sets for the workers of its cells. Their text form is
// "NAME=value NAME=value", in the order of the names.

// Of a cell whose worker has those of this program alone.
inline constexpr std::string_view kNoVariables = "none";

// What this program finds as kCompilerLogs (see PyTorch's torch._logging), a worker hears of under
// a name that PyTorch does not read, and gives to the compilers that it starts: what they log costs
// no pass anything.
inline constexpr const char* kCompilerLogs = "TORCH_LOGS";
inline constexpr const char* kCompilerLogsOfWorker = "QUANTSCOPE_TORCH_LOGS";

// Those that may be set: they choose how PyTorch, CUDA and OpenMP work. None names code to load.
[[nodiscard]] const std::vector<std::string>& allowedVariables();

// The normal form of a text, or why it cannot be one.
[[nodiscard]] Result<std::string> normalVariables(std::string_view text);
// The text form of {"NAME": "value"}; nothing after a complaint.
[[nodiscard]] std::optional<std::string>
variablesFromJson(const JsonView& json, const std::string& path, std::vector<JsonIssue>& issues);
// "NAME=value", one each, of a text in its normal form.
[[nodiscard]] std::vector<std::string> variablesIn(std::string_view text);

}  // namespace qs::core
