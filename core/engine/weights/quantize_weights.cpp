#include "core/engine/weights/quantize_weights.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/weight_preparation.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <string>
#include <vector>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Status;

namespace {

// What the same preparation made for an earlier stage, in the order of its outputs; empty if it
// made none.
std::vector<at::Tensor> alreadyMade(const core::Graph& preparation, const QuantizedStage* shared)
{
    std::vector<at::Tensor> made;
    if (shared == nullptr)
        return made;
    const std::string text = core::toText(preparation);
    const auto& all = shared->program.preparations;
    const auto same = std::find_if(all.begin(), all.end(), [&](const core::Graph& each) {
        return core::toText(each) == text;
    });
    if (same == all.end())
        return made;
    for (const core::ValueId id : preparation.outputs)
        made.push_back(shared->weights.tensors.at(preparation.value(id).name));
    return made;
}

// Whether the files held what the preparation would make.
bool isStored(const core::Graph& preparation, const StageWeights& weights)
{
    return std::all_of(
        preparation.outputs.begin(), preparation.outputs.end(),
        [&](core::ValueId id) { return weights.tensors.contains(preparation.value(id).name); });
}

}  // namespace

Status restoreWeights(StageWeights& weights, const core::Model& model, const core::Program& program,
                      std::size_t stage, WeightsToRestore which, c10::Device device)
{
    const std::string& source =
        model.family->stages()[core::weightOwner(*model.family, stage)].name;
    for (const core::LayerRow& row : program.layers) {
        const auto found = model.quantized.find(source + "/" + row.weight);
        if (row.stage != stage || found == model.quantized.end())
            continue;
        if (which == WeightsToRestore::Unquantized && row.quantized() &&
            row.scheme.text() == found->second)
            continue;
        core::LayerRow stored = row;
        QS_TRY(stored.scheme, core::parseScheme(found->second));
        QS_TRY(const core::Graph graph, core::restoreWeight(stored));
        QS_TRY(const Executor executor, Executor::create(graph, weights.tensors, device));
        const at::Tensor restored = executor.run({}).front();
        for (const core::StoredPart& part :
             stored.scheme->stored(stored.scheme, stored.outFeatures, stored.inFeatures))
            weights.tensors.erase(core::storedName(stored.weight, part));
        weights.tensors.insert_or_assign(
            row.weight,
            restored.to(toTorch(program.stages[stage].workingType)).reshape(row.weightShape));
    }
    return {};
}

Status foldWeights(StageWeights& weights, const core::StageProgram& stage, c10::Device device)
{
    for (const core::Folding& folding : stage.foldings) {
        QS_TRY(const Executor executor, Executor::create(folding.graph, weights.tensors, device));
        const std::vector<at::Tensor> folded = executor.run({});
        weights.tensors.at(folding.weight) = folded.at(0);
        weights.tensors.at(folding.bias) = folded.at(1);
    }
    return {};
}

Status quantizeWeights(StageWeights& weights, const core::StageProgram& stage, c10::Device device,
                       const std::function<bool(double fraction)>& progress,
                       const QuantizedStage* shared)
{
    for (std::size_t i = 0; i < stage.preparations.size(); ++i) {
        const core::Graph& preparation = stage.preparations[i];
        if (isStored(preparation, weights))
            continue;
        std::vector<at::Tensor> results = alreadyMade(preparation, shared);
        if (results.empty()) {
            QS_TRY(const Executor executor, Executor::create(preparation, weights.tensors, device));
            results = executor.run({});
        }
        for (std::size_t output = 0; output < results.size(); ++output)
            weights.tensors.insert_or_assign(preparation.value(preparation.outputs[output]).name,
                                             results[output].contiguous());
        for (const core::Value& value : preparation.values) {
            if (value.kind == core::ValueKind::Weight && !stage.keptWeights.contains(value.name))
                weights.tensors.erase(value.name);
        }
        if (!progress(static_cast<double>(i + 1) / static_cast<double>(stage.preparations.size())))
            return Error{ErrorCode::Cancelled, "stopped while quantizing weights"};
    }
    return {};
}

}  // namespace qs::engine
