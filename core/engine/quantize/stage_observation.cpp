#include "core/engine/quantize/stage_observation.h"

#include "core/engine/quantize/observers.h"
#include "core/lower/single_layer.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::MarkedLayer;
using core::Result;
using core::Status;

namespace {

using Observers = std::map<std::string, std::unique_ptr<InputObserver>>;

// What observing one stage needs.
struct Observation {
    const core::Graph& graph;
    const Executor& executor;
    const std::vector<MarkedLayer>& layers;
    std::int64_t runs;
};

SampleRun::Sample copyOf(const SampleRun::Sample& sample)
{
    SampleRun::Sample copy{sample.values, {}};
    for (const auto& [name, state] : sample.states)
        copy.states.emplace(name, state.clone());
    return copy;
}

// The sample is a copy: it is changed.
void observe(const Observation& observation, SampleRun::Sample sample, Observers& observers)
{
    for (std::int64_t run = 0; run < observation.runs; ++run) {
        Executor::Values values = SampleRun::begin(observation.executor, observation.graph, sample);
        std::size_t done = 0;
        for (const MarkedLayer& layer : observation.layers) {
            observation.executor.runRange(done, layer.node, values, {});
            observers.at(layer.weight)
                ->see(values[static_cast<std::size_t>(layer.input)].toTensor());
            done = layer.node;
        }
        if (run + 1 == observation.runs)
            return;
        observation.executor.runRange(done, observation.executor.instructionCount(), values, {});
        SampleRun::keep(observation.graph, observation.executor.outputs(values), sample);
    }
}

// Others are composed only because the model around them has another type.
std::vector<MarkedLayer> calibratedLayers(const core::Graph& graph)
{
    std::vector<MarkedLayer> layers = core::markedLayers(graph);
    std::erase_if(layers, [](const MarkedLayer& layer) { return !layer.scheme->statistic; });
    return layers;
}

}  // namespace

Result<StageFindings> observeStage(const core::StageProgram& stage, const StageWeights& weights,
                                   SampleRun& run, c10::Device device, const Progress& progress)
{
    const core::Graph graph = core::withoutSchemes(stage.graph);
    const std::vector<MarkedLayer> layers = calibratedLayers(stage.graph);
    run.makeStates(graph, weights);
    NamedTensors tensors = weights.tensors;
    const NamedTensors& states = run.samples().front().states;
    tensors.insert(states.begin(), states.end());
    QS_TRY(const Executor executor, Executor::create(graph, tensors, device));
    Observers observers;
    int passes = 0;
    for (const MarkedLayer& layer : layers) {
        auto observer = makeObserver(layer.scheme);
        passes = std::max(passes, observer->passes());
        observers.try_emplace(layer.weight, std::move(observer));
    }
    const Observation observation{graph, executor, layers, stage.runs};
    const auto steps = static_cast<double>(run.samples().size()) * passes;
    double done = 0.0;
    for (int pass = 0; pass < passes; ++pass) {
        for (const auto& [name, observer] : observers)
            observer->beginPass(pass);
        for (const SampleRun::Sample& sample : run.samples()) {
            observe(observation, copyOf(sample), observers);
            if (!progress(++done / steps))
                return Error{ErrorCode::Cancelled, "stopped while calibrating"};
        }
    }
    StageFindings findings;
    for (const auto& [name, observer] : observers)
        findings.tensors.emplace(core::statisticName(name), observer->statistic().to(device));
    return findings;
}

}  // namespace qs::engine
