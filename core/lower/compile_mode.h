#pragma once

#include "core/graph/regions.h"
#include "core/lower/compile_mode_spec.h"
#include "core/quant/layer_pattern.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

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
