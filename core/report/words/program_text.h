#pragma once

#include "core/base/sandbox.h"
#include "core/measure/script_conversion.h"
#include "core/model/program_file.h"

#include <string>
#include <vector>

namespace qs::core {

// What it means to run a program that comes with a model, and what this machine keeps it from.
[[nodiscard]] std::string runningMeansText(ProgramKind kind, const SandboxLimits& limits);
// "a TorchScript program"
[[nodiscard]] std::string kindText(ProgramKind kind);
// What became of it, a sentence each; the last one says what it was kept from.
[[nodiscard]] std::vector<std::string> conversionTexts(const ConversionResult& result);

}  // namespace qs::core
