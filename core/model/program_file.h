#pragma once

#include "core/model/torchscript_file.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Files that are programs: they are read, and run only by those who trust them.
enum class ProgramKind {
    TorchScript,  // converted to a model that is data
    Package,      // tried once, then measured as it is
};

// What such a file says of itself without being run.
struct ProgramSummary {
    ProgramKind kind = ProgramKind::TorchScript;
    std::string text;  // "3 files of code (2 kB), …"
    // Arguments that it names: "x: Tensor".
    std::vector<std::string> inputs = {};
};

// Of a TorchScript file, if it is one.
[[nodiscard]] std::optional<ProgramSummary>
scriptProgram(const std::optional<TorchScriptSummary>& script);
// Nothing if the file is no program that could be of use here.
[[nodiscard]] std::optional<ProgramSummary> programSummary(const std::filesystem::path& file);
// Where what is made of it is looked for: "net.pt" -> "net.pt2", "net.pt2" -> "net.package.json".
[[nodiscard]] std::filesystem::path madeOf(const std::filesystem::path& file, ProgramKind kind);

}  // namespace qs::core
