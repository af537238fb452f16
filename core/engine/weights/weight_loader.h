#pragma once

#include "core/base/result.h"
#include "core/engine/execute/executor.h"
#include "core/lower/program.h"
#include "core/model/model.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace qs::engine {

// Bytes of weights that are in place, of all; false cancels.
using LoadProgress = std::function<bool(std::int64_t doneBytes, std::int64_t totalBytes)>;

// The weights of one stage on the device, under the names that its graph uses.
struct StageWeights {
    NamedTensors tensors;
};

// Brings weights to the device one after the other, so that no more than one of them exists twice.
// What a stage shares with an earlier one is the same tensor while the loader lives. Weights come
// from files by positioned reads, or from the generator on the device itself.
class WeightLoader final
{
public:
    [[nodiscard]] static core::Result<WeightLoader> create(const core::Model& model,
                                                           c10::Device device);
    ~WeightLoader();
    WeightLoader(WeightLoader&&) noexcept;
    WeightLoader& operator=(WeightLoader&&) noexcept;

    // All weights of the stage in the working type, or the one that they keep.
    [[nodiscard]] core::Result<StageWeights> load(std::size_t stage, core::DType workingType,
                                                  const LoadProgress& progress);

private:
    struct Source;
    WeightLoader();

    [[nodiscard]] core::Result<at::Tensor> loadOne(std::size_t stage, const core::WeightSpec& spec,
                                                   core::DType workingType);

    // Of a weight that its file holds quantized. Whether the weight itself is there as well.
    [[nodiscard]] core::Result<bool> loadParts(std::size_t stage, const core::WeightSpec& spec,
                                               StageWeights& weights);

    std::unique_ptr<Source> m_source;
};

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

// Of all stages; a storage that several of them share counts once.
[[nodiscard]] std::int64_t residentBytes(const std::vector<StageWeights>& stages);

// Note [Generated weights], as a composition that gives the same bits on every device. Elements
// first … first + count - 1.
[[nodiscard]] at::Tensor generateOnDevice(std::uint64_t key, float factor, std::int64_t first,
                                          std::int64_t count, c10::Device device);

}  // namespace qs::engine
