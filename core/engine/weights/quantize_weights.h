#pragma once

#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"

#include <c10/core/Device.h>

#include <cstddef>
#include <functional>

// What becomes of weights between the file and the first pass, in this order.
namespace qs::engine {

// Of weights that files hold quantized: those that the program does not quantize, or all.
enum class WeightsToRestore { Unquantized, All };
// Makes weights in the working type of what their parts stand for.
[[nodiscard]] core::Status restoreWeights(StageWeights& weights, const core::Model& model,
                                          const core::Program& program, std::size_t stage,
                                          WeightsToRestore which, c10::Device device);

// Turns weights as the foldings of the stage say, once, before they are quantized.
[[nodiscard]] core::Status foldWeights(StageWeights& weights, const core::StageProgram& stage,
                                       c10::Device device);

// A stage that was quantized before and shares its weights.
struct QuantizedStage {
    const core::StageProgram& program;
    const StageWeights& weights;
};

// Replaces each weight that a preparation names by its codes and scale; weights that the stage also
// reads as they are stay beside. What the same preparation made for `shared` is taken from there.
[[nodiscard]] core::Status quantizeWeights(StageWeights& weights, const core::StageProgram& stage,
                                           c10::Device device,
                                           const std::function<bool(double fraction)>& progress,
                                           const QuantizedStage* shared = nullptr);

}  // namespace qs::engine
