#pragma once

#include "core/analysis/compile_cost.h"
#include "core/analysis/gates.h"
#include "core/analysis/region_speeds.h"
#include "core/measure/fused_product.h"

#include <string>
#include <vector>

namespace qs::core {

// "3,400 [2,900, 4,100]", "never", "undecided", "undecided, 3,400 as measured"; in passes, or in
// units of so many a pass, with their name behind the number if it is given. "≤ 3,400 …" if it
// is an upper limit.
[[nodiscard]] std::string breakEvenText(const BreakEven& breakEven, double unitsPerPass = 1.0,
                                        const std::string& units = {});
// "47.1 s"; "≤ 102 s" where it is added up of several calls of the compiler.
[[nodiscard]] std::string compileSecondsText(const CompileCost& cost, CompileStart start);
// Where the cold compile of all stages goes, longest first: "kernels 24 s, wrapper 8 s"; empty if
// the compiler does not tell.
[[nodiscard]] std::string compilePartsText(const CompileCost& cost);
// "6 programs for 3 shapes"
[[nodiscard]] std::string compilationsText(const Compilations& compilations);
// "encoder", "encoder rope"
[[nodiscard]] std::string packageName(const StageCompile& package);
// "encoder rope, one of 24 calls alone: 404 µs eager, 39.5 µs compiled, 10.2×, 3,400 GB/s"
[[nodiscard]] std::string regionSpeedText(const RegionSpeed& speed);
// "0.0021 of 0.012 (3× bf16)", "0.0021 of 0.050", "0.0021" without a limit; of the farthest stage.
[[nodiscard]] std::string packageDistanceText(const CompileCost& cost);
// Of each stage by what the worker allowed: "encoder 0.0021 of 0.050, decoder 0.031 of 0.15".
[[nodiscard]] std::string packageDistanceText(const std::vector<StageCompile>& packages);
// Why PyTorch launches it.
[[nodiscard]] std::string unfusedText(Unfused why);
// "qs_product_int8_128x96", or why PyTorch launches it.
[[nodiscard]] std::string fusedProductText(const FusedProduct& product);
// "linear, mul, add"; of many the first.
[[nodiscard]] std::string operationsText(const std::vector<std::string>& operations);
// Launches of a pass in kernels of QuantScope by stage, and what PyTorch launches beside them:
// "encoder 15, beside them 4 × linear"; empty where nothing is fused.
[[nodiscard]] std::string fusedText(const std::vector<StageCompile>& stages);
// Of the expectations those that speak of compiling: "pass: speedup 1.31 (>= 1.2)".
[[nodiscard]] std::string compileGatesText(const CellGates& gates);

}  // namespace qs::core
