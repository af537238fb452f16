#pragma once

#include "core/base/registry.h"
#include "core/device/device_needs.h"
#include "core/graph/regions.h"
#include "core/quant/layer_pattern.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

struct CompileModeSpec;

// How a stage is made runnable, with its parameters: "none", "cuda-graph".
using CompileMode = Parameterised<CompileModeSpec>;

// All that is known of a compile mode outside the engine, one row each; the engine has a runner of
// the same name (core/engine/compile/runner_registry.h).
struct CompileModeSpec {
    std::string name;
    std::string description;  // one sentence for tooltips and the command line
    std::vector<Parameter> parameters = {};
    std::vector<std::string> aliases = {};  // other names that are understood
    DeviceNeeds needs = {};
    // The processor launches each operation of a pass, so that it may be what a pass waits for.
    bool launchesOperations = true;
    // What making a stage runnable costs before the first timed pass.
    double preparationPasses = 1.0;   // passes of that stage, the first one included
    double preparationSeconds = 0.0;  // beside them, once for all rounds
    // Computes what eager does up to rounding: in bf16 it belongs to the noise floor.
    bool sameMathematics = false;
    int tone = 0;  // place among the marks of plots
    // How Inductor compiles a stage: "default", "max-autotune"; empty: not at all. Modes that
    // differ in being recorded share their packages.
    std::string packageMode = {};
    bool recorded = false;  // as a CUDA graph
    // Runs in kernels of QuantScope's, which the device compiles and tries before the first pass.
    bool ownKernels = false;
    // Only regions of a stage are compiled, each into a package of its own: its parameters say
    // which ones.
    bool regional = false;
    // Of compiled programs alone: see SchemeSpec::ofPrograms.
    bool ofPrograms = false;
};

// The kinds of regions that a regional mode compiles; none for others.
[[nodiscard]] std::vector<RegionKind> regionsOf(const CompileMode& mode);
// The modules that it compiles, each as a region: "regions:at=decoder_blocks.{0-3}.ffn"; a "+"
// stands between patterns.
[[nodiscard]] std::vector<LayerPattern> regionModulesOf(const CompileMode& mode);
// The mode that compiles what these patterns meet and nothing else.
[[nodiscard]] std::string regionsAt(const std::vector<std::string>& patterns);
// All that a regional mode says but which kinds it compiles.
[[nodiscard]] std::string besideRegions(const CompileMode& mode);
// The same regional mode with these kinds of regions instead of its own; where that leaves nothing
// to compile, the mode that compiles nothing and is recorded as it is.
[[nodiscard]] std::string withRegions(const CompileMode& mode,
                                      const std::vector<RegionKind>& kinds);
// Whether one package serves every batch size.
[[nodiscard]] bool hasFreeBatch(const CompileMode& mode);
// Whether a mode that compiles whole stages compiles their equal blocks once, and calls them.
[[nodiscard]] bool compilesBlocksOnce(const CompileMode& mode);
// Whether such a mode cuts each stage between its blocks, as a graph that breaks there is: blocks
// and what lies between them are programs of their own, also where no two blocks are equal.
[[nodiscard]] bool cutsBetweenBlocks(const CompileMode& mode);
// Whether products in kernels of ours use no instructions that compute capability 8.0 lacks.
[[nodiscard]] bool multipliesPlainly(const CompileMode& mode);
// Whether all stages of a pass are recorded as one, so that none has times of its own.
[[nodiscard]] bool recordsWholePass(const CompileMode& mode);
// How Inductor compiles one of them: of a kind, or nothing for a module that was chosen.
[[nodiscard]] std::string packageModeOf(const CompileMode& mode, std::optional<RegionKind> kind);
// What is compiled and how, or computed in kernels of ours, whether it is recorded or not; empty:
// nothing is.
[[nodiscard]] std::string compilerOf(const CompileMode& mode);

[[nodiscard]] Registry<CompileModeSpec>& compileModeRegistry();
// What lists offer, in their order.
[[nodiscard]] std::vector<CompileMode> offeredCompileModes();
// Operation by operation: the mode that every other one is compared with.
[[nodiscard]] const CompileMode& eagerMode();
[[nodiscard]] Result<CompileMode> parseCompileMode(std::string_view text);

// One mode for all stages, or one per stage: "none/cuda-graph".
[[nodiscard]] Result<std::vector<CompileMode>> parseCompileModes(std::string_view text,
                                                                 std::size_t stages);
// Whether each of the modes is one that computes what eager does, and none of them eager itself.
[[nodiscard]] bool computesAsEager(std::string_view text);
// The one way to write what parses: aliases and parameters that are the fallback vanish, and modes
// that are all equal are one. Text that does not parse stays as it is.
[[nodiscard]] std::string normalCompileText(std::string_view text);
// "regions:subsets=rope+norm" -> "regions:rope", "regions:norm", "regions:rope+norm": every choice
// of them but none, smaller ones first. Any other text is itself.
[[nodiscard]] Result<std::vector<std::string>> expandCompileText(std::string_view text);

}  // namespace qs::core
