#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/engine/cell_observer.h"
#include "core/engine/compile/compile_scripts.h"
#include "core/graph/exported/program_writer.h"
#include "core/graph/graph.h"
#include "core/measure/compile_record.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::engine {

// "cuda" or "cpu".
[[nodiscard]] std::string_view compiledKind(const core::DeviceDescription& device);

// What is to be compiled.
struct PackageRequest {
    const core::Graph& graph;        // of ATen operations
    const std::string& packageMode;  // see CompileModeSpec
    const core::DeviceDescription& device;
    // Not empty: compiled once for every batch, from the same program for these.
    std::span<const core::BatchGraph> batches = {};

    // How float32 products may be computed, in the words of torch.set_float32_matmul_precision.
    [[nodiscard]] std::string float32Precision() const
    {
        return graph.allowTf32 ? "high" : "highest";
    }
};

// One program that has to be compiled, with the folder of what goes in, what comes out and what
// Inductor keeps.
struct CompileJob {
    std::filesystem::path folder;
    const PackageRequest* request;
    std::string content = {};  // see StageCompile
    core::StageCompile made = {};

    [[nodiscard]] std::filesystem::path archive() const { return folder / "program.pt2"; }
    [[nodiscard]] std::filesystem::path package() const { return folder / "package.pt2"; }
    [[nodiscard]] std::filesystem::path report() const { return folder / "report.json"; }
    [[nodiscard]] std::filesystem::path kept() const { return folder / "kept"; }
    [[nodiscard]] std::filesystem::path log() const { return kept() / "log"; }
};

// All that one call of the compiler makes side by side, in one folder.
struct CompileJobs {
    std::filesystem::path folder;
    std::vector<CompileJob> jobs = {};

    [[nodiscard]] std::filesystem::path script() const
    {
        return folder / compileScripts().front().name;
    }
    [[nodiscard]] std::filesystem::path log() const { return folder / "log"; }
};

// Compiles all of them cold, and then warm: with what the first time has left. Fills `made` but for
// its content.
[[nodiscard]] core::Status compileJobs(CompileJobs& all, CellObserver& observer);

}  // namespace qs::engine
