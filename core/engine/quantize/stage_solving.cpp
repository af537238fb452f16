#include "core/engine/phase_timer.h"
#include "core/engine/quantize/gptq.h"
#include "core/engine/quantize/stage_observation.h"
#include "core/lower/reference.h"
#include "core/lower/single_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>

#include <optional>
#include <string>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::MarkedLayer;
using core::Result;
using core::Status;

namespace {

ColumnOrder orderOf(const core::Scheme& scheme)
{
    const std::string& order = scheme.word("order");
    return order == "none" ? ColumnOrder::Natural
                           : (order == "group" ? ColumnOrder::Group : ColumnOrder::Static);
}

// Two codes to a byte, the even column in the upper half; see core/quant/schemes/nibbles.h.
at::Tensor packed(const at::Tensor& codes)
{
    const at::Tensor shifted = (codes.to(at::kInt) + 8).reshape({codes.size(0), -1, 2});
    return (shifted.select(2, 0) * 16 + shifted.select(2, 1)).to(at::kByte);
}

// The parts that the scheme stores, by their names in it.
NamedTensors storedParts(const GptqResult& solved, const core::Scheme& scheme,
                         c10::ScalarType working)
{
    NamedTensors parts{{"codes", packed(solved.codes)}, {"scale", solved.scale.to(working)}};
    if (orderOf(scheme) == ColumnOrder::Group)
        parts.emplace("group", solved.groupOf.to(at::kInt));
    return parts;
}

BlockSolver solverOf(const core::Scheme& scheme)
{
    return scheme.word("by") == "straight" ? BlockSolver::Straight : BlockSolver::Improved;
}

class StageSolver final
{
public:
    StageSolver(const core::StageProgram& stage, const StageWeights& weights,
                const core::DeviceDescription& description, SampleRun& run, c10::Device device,
                const ColumnRounders& rounders)
        : m_stage(stage),
          m_weights(weights),
          m_description(description),
          m_run(run),
          m_device(device),
          m_rounders(rounders),
          m_graph(core::withoutSchemes(stage.graph))
    {
    }

    [[nodiscard]] Result<StageFindings> solve(const Progress& progress)
    {
        const std::vector<MarkedLayer> layers = core::markedLayers(m_stage.graph);
        m_run.makeStates(m_graph, m_weights);
        QS_RETURN_IF_ERROR(beginSamples());
        std::size_t done = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const MarkedLayer& layer = layers[i];
            for (Executor::Values& values : m_values)
                m_executor->runRange(done, layer.node, values, {});
            if (!layer.scheme->solver.empty()) {
                QS_RETURN_IF_ERROR(solve(layer));
            }
            QS_RETURN_IF_ERROR(passOn(layer.node));
            done = layer.node + 1;
            if (!progress(static_cast<double>(i + 1) / static_cast<double>(layers.size())))
                return Error{ErrorCode::Cancelled, "stopped while calibrating"};
        }
        return std::move(m_findings);
    }

private:
    // On copies of the states: the samples stay at the beginning of the stage.
    [[nodiscard]] Status beginSamples()
    {
        NamedTensors tensors = m_weights.tensors;
        const NamedTensors& states = m_run.samples().front().states;
        tensors.insert(states.begin(), states.end());
        QS_TRY(Executor executor, Executor::create(m_graph, tensors, m_device));
        m_executor.emplace(std::move(executor));
        for (const SampleRun::Sample& sample : m_run.samples()) {
            SampleRun::Sample copy{sample.values, {}};
            for (const auto& [name, state] : sample.states)
                copy.states.emplace(name, state.clone());
            m_values.push_back(SampleRun::begin(*m_executor, m_graph, copy));
        }
        return {};
    }

    [[nodiscard]] const at::Tensor& inputOf(const Executor::Values& values,
                                            core::ValueId input) const
    {
        return values[static_cast<std::size_t>(input)].toTensor();
    }

    // Twice the mean over the samples of the sum of outer products. Layers that read the same value
    // share it: query, key and value.
    void gather(core::ValueId input)
    {
        if (input == m_gathered)
            return;
        m_gathered = input;
        const std::int64_t in = inputOf(m_values.front(), input).size(-1);
        m_moments = at::zeros({in, in}, at::TensorOptions(at::kDouble).device(m_device));
        const double factor = 2.0 / static_cast<double>(m_values.size());
        for (const Executor::Values& values : m_values) {
            const at::Tensor rows = inputOf(values, input).reshape({-1, in}).to(at::kDouble);
            m_moments.addmm_(rows.t(), rows, 1.0, factor);
        }
    }

    [[nodiscard]] Status solve(const MarkedLayer& layer)
    {
        const core::Node& node = m_stage.graph.nodes[layer.node];
        const core::Scheme& scheme = layer.scheme;
        const at::Tensor& weight = m_weights.tensors.at(layer.weight);
        const std::string first = layer.weight + ":codes";
        if (m_findings.tensors.contains(first))
            return {};  // multiplied a second time
        const double begin = secondsNow();
        gather(layer.input);
        // Its loss comes to the host, so that all of it is done when it returns.
        const auto found = m_rounders.find(scheme.word("by"));
        const ColumnRounder* rounder = found == m_rounders.end() ? nullptr : found->second.get();
        const GptqResult solved =
            solveGptq(weight, m_moments,
                      {scheme.whole("group"), orderOf(scheme), scheme.real("damp"),
                       scheme.whole("block"), solverOf(scheme), rounder});
        for (auto& [part, tensor] : storedParts(solved, scheme, weight.scalar_type()))
            m_findings.tensors.emplace(layer.weight + ":" + part, tensor.contiguous());
        m_findings.layers.push_back({.module = node.module,
                                     .loss = solved.loss,
                                     .deadColumns = solved.deadColumns,
                                     .roundedToNearest = solved.roundedToNearest,
                                     .seconds = secondsNow() - begin,
                                     .outFeatures = weight.size(0),
                                     .inFeatures = weight.size(1)});
        return {};
    }

    // What the samples go on with is what the solved layer gives.
    [[nodiscard]] Status passOn(std::size_t node)
    {
        QS_TRY(const core::StageProgram alone, core::layerAlone(m_stage, node));
        QS_TRY(const core::ReferenceStage reference, core::referenceStage(alone, m_description));
        NamedTensors tensors = m_weights.tensors;
        tensors.insert(m_findings.tensors.begin(), m_findings.tensors.end());
        QS_TRY(const Executor layer, Executor::create(reference.graph, tensors, m_device));
        const core::Node& source = m_stage.graph.nodes[node];
        for (Executor::Values& values : m_values) {
            std::vector<at::Tensor> inputs;
            for (const core::ValueId id : reference.graph.inputs) {
                const std::string& name = reference.graph.value(id).name;
                inputs.push_back(inputOf(values, source.tensor(name == "x" ? "input" : name)));
            }
            const std::vector<at::Tensor> outputs = layer.run(inputs);
            inputs.clear();
            m_executor->replace(node, values, outputs);
        }
        return {};
    }

    const core::StageProgram& m_stage;
    const StageWeights& m_weights;
    const core::DeviceDescription& m_description;
    SampleRun& m_run;
    c10::Device m_device;
    const ColumnRounders& m_rounders;
    core::Graph m_graph;
    std::optional<Executor> m_executor;      // reads m_graph
    std::vector<Executor::Values> m_values;  // one per sample, all at the same operation
    core::ValueId m_gathered = -1;
    at::Tensor m_moments;
    StageFindings m_findings;
};

}  // namespace

Result<StageFindings> solveStage(const core::StageProgram& stage, const StageWeights& weights,
                                 const core::DeviceDescription& description, SampleRun& run,
                                 c10::Device device, const ColumnRounders& rounders,
                                 const Progress& progress)
{
    return StageSolver(stage, weights, description, run, device, rounders).solve(progress);
}

}  // namespace qs::engine
