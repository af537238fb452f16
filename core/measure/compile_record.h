#pragma once

#include "core/base/json.h"
#include "core/lower/fused/pass_report.h"
#include "core/measure/execution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What all packages of a cell share of it: PyTorch is imported once.
inline constexpr std::string_view kImportPart = "import";
// A part of what a compiler took its time for: kImportPart, "graph" (see compile_package.py).
struct CompilePart {
    std::string name;
    double seconds = 0.0;

    bool operator==(const CompilePart&) const = default;
};

// Outputs of a part against the same operations run eagerly on the same inputs: equal bit by bit,
// and |a - b| <= kPartTolerance · (1 + |b|) everywhere, as torch.allclose has it.
inline constexpr double kPartTolerance = 1e-3;
struct PartNumerics {
    bool equal = false;
    bool close = false;
    double largestDifference = 0.0;

    bool operator==(const PartNumerics&) const = default;
};

// A region by itself, for one call.
struct PartTime {
    std::int64_t bytes = 0;  // that have to come in and go out
    double eagerSeconds = 0.0;
    double compiledSeconds = 0.0;
    std::optional<double> launchSeconds = {};   // that the host takes to ask a GPU for a call
    std::optional<PartNumerics> numerics = {};  // of rows that were written since it is compared

    bool operator==(const PartTime&) const = default;
};

// What one call of the compiler made side by side: programs of one cell, or of the cell that put
// them into the cache.
struct CompiledTogether {
    std::string id = {};  // hash of their contents
    int programs = 0;
    double coldSeconds = 0.0;  // from the start of the compiler to its end, for all of them
    double warmSeconds = 0.0;  // the same with the kernels of the first

    bool operator==(const CompiledTogether&) const = default;
};

// A kernel of a stage that is fused: what it computes, the shape that was the fastest of those that
// were tried, empty where there was nothing to choose from, and how long compiling and trying them
// took. Or an operation beside, which PyTorch launches.
struct KernelChoice {
    std::string kernel = {};  // empty: PyTorch's
    std::string shape = {};
    double seconds = 0.0;
    bool kept = false;        // known from an earlier cell; the seconds are those of then
    std::string module = {};  // of the first that is so
    std::vector<std::string> operations = {};
    int calls = 1;  // in one run of the stage
    Unfused why = Unfused::No;

    bool operator==(const KernelChoice&) const = default;
};

// Whether both are the same kernels in the same shapes.
[[nodiscard]] bool sameChoices(const std::vector<KernelChoice>& a,
                               const std::vector<KernelChoice>& b);

// What making a package of one stage, or the kernels of one, cost. Times are those of one
// program, the import of PyTorch included, now or when the package was put into the cache.
struct StageCompile {
    std::string stage;
    std::string part = {};     // kind of region that it is made of; empty: all of the stage
    int calls = 1;             // in one run of the stage
    std::string content = {};  // SHA-256 of all that decides the package
    double coldSeconds = 0.0;  // nothing of earlier compiles was there
    double warmSeconds = 0.0;  // once more, with the kernels of the first
    std::optional<CompiledTogether> together = {};  // unknown of the shipped examples
    std::vector<CompilePart> coldParts = {};
    // What the compiled program multiplies with in one pass; `expected` is empty.
    std::vector<ExecutedProduct> products = {};
    bool fromCache = false;
    // Outputs of the stage against the same operations run eagerly on the same inputs: the largest
    // relative L2 distance of them.
    double distanceToEager = 0.0;
    // The most that the worker allows it, and the distance of bf16 from fp32 that it follows from,
    // where that was known then; see Note [Distance limit]. Unknown of the shipped examples.
    std::optional<double> distanceLimit = {};
    std::optional<double> bf16FromFp32 = {};
    std::optional<PartTime> time = {};       // of a part, where it was asked for
    std::vector<KernelChoice> kernels = {};  // of a stage that runs in kernels of ours

    bool operator==(const StageCompile&) const = default;
};

[[nodiscard]] Json toJson(const StageCompile& compile);
// The list "products".
[[nodiscard]] std::vector<ExecutedProduct> compiledProductsFromJson(JsonFields& parent,
                                                                    std::vector<JsonIssue>& issues);
[[nodiscard]] std::vector<StageCompile> compilesFromJson(JsonFields& parent, std::string_view name,
                                                         std::vector<JsonIssue>& issues);

}  // namespace qs::core
