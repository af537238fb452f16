#pragma once

#include "core/base/result.h"
#include "core/engine/execute/executor.h"
#include "core/engine/weights/weight_source.h"
#include "core/model/model.h"
#include "core/quant/scheme.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::engine {

// Bytes of weights that are in place, of all; false cancels.
using LoadProgress = std::function<bool(std::int64_t doneBytes, std::int64_t totalBytes)>;

// The weights of one stage on the device, under the names that its graph uses.
struct StageWeights {
    NamedTensors tensors;
};

// Brings weights to the device one after the other, so that no more than one of them exists twice.
// What a stage shares with an earlier one is the same tensor while the loader lives.
class WeightLoader final
{
public:
    // Of a model that was checked: see core/quant/checked_model.h.
    [[nodiscard]] static core::Result<WeightLoader> create(const core::Model& model,
                                                           c10::Device device);

    // All weights of the stage in the working type, or the one that they keep. Those in `waiting`
    // stay on the host; stages that share a weight agree on that.
    [[nodiscard]] core::Result<StageWeights> load(std::size_t stage, core::DType workingType,
                                                  const LoadProgress& progress,
                                                  const std::set<std::string>& waiting = {});

private:
    WeightLoader(const core::Model& model, WeightSource source, c10::Device device)
        : m_model(&model), m_source(std::move(source)), m_device(device)
    {
    }

    // The stage that a weight comes from: its own, or the one that it shares weights with.
    [[nodiscard]] const std::string& sourceOf(std::size_t stage) const;
    [[nodiscard]] bool isShared(std::size_t stage) const;
    [[nodiscard]] core::Result<at::Tensor> loadOne(std::size_t stage, const core::WeightSpec& spec,
                                                   core::DType workingType, c10::Device place);

    // Of a weight that its file holds quantized. Whether the weight itself is there as well.
    [[nodiscard]] core::Result<bool> loadParts(std::size_t stage, const core::WeightSpec& spec,
                                               StageWeights& weights);

    // Of a weight whose groups are ordered: each column is in one of them, and none is too long.
    [[nodiscard]] core::Status checkGroups(const core::Scheme& scheme, const std::string& key,
                                           const std::string& weight,
                                           const StageWeights& weights) const;

    const core::Model* m_model;
    WeightSource m_source;
    c10::Device m_device;
    // Weights that later stages share, with their type.
    std::map<std::pair<std::string, c10::ScalarType>, at::Tensor> m_shared;
    std::map<std::string, at::Tensor> m_sharedParts;
};

// Of all stages; a storage that several of them share counts once.
[[nodiscard]] std::int64_t residentBytes(const std::vector<StageWeights>& stages);

}  // namespace qs::engine
