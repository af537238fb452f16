#include "core/engine/phase_timer.h"
#include "core/engine/quantize/gptq.h"
#include "core/engine/quantize/sample_walk.h"
#include "core/engine/quantize/stage_observation.h"
#include "core/lower/reference.h"
#include "core/lower/single_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <memory>
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
    const at::Tensor shifted = (codes + 8).to(at::kByte).reshape({codes.size(0), -1, 2});
    return shifted.select(2, 0) * 16 + shifted.select(2, 1);
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

// A layer alone, as its scheme composes it.
struct ComposedLayer {
    core::ReferenceStage stage;
    std::optional<Executor> executor;  // reads the graph of the stage
};

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
          m_graph(core::withoutSchemes(stage.graph)),
          m_layers(core::markedLayers(stage.graph))
    {
        // What comes behind the last of them is not run.
        while (!m_layers.empty() && m_layers.back().scheme->solver.empty())
            m_layers.pop_back();
    }

    [[nodiscard]] Result<StageFindings> solve(const Progress& progress)
    {
        m_run.makeStates(m_graph, m_weights);
        QS_RETURN_IF_ERROR(beginWalk());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            if (!m_layers[i].scheme->solver.empty())
                solve(i);
            if (i + 1 < m_layers.size()) {
                QS_RETURN_IF_ERROR(passThrough(m_layers[i].node));
                m_walk->goOnTowards(i + 1);
            }
            if (!progress(static_cast<double>(i + 1) / static_cast<double>(m_layers.size())))
                return Error{ErrorCode::Cancelled, "stopped while calibrating"};
        }
        return std::move(m_findings);
    }

private:
    [[nodiscard]] Status beginWalk()
    {
        NamedTensors tensors = m_weights.tensors;
        const NamedTensors& states = m_run.samples().front().states;
        tensors.insert(states.begin(), states.end());
        QS_TRY(Executor executor, Executor::create(m_graph, tensors, m_device));
        m_executor.emplace(std::move(executor));
        std::vector<Executor::Values> samples;
        for (const SampleRun::Sample& sample : m_run.samples())
            samples.push_back(SampleRun::begin(*m_executor, m_graph, sample));
        std::vector<std::size_t> stops;
        for (const MarkedLayer& layer : m_layers)
            stops.push_back(layer.node);
        m_walk.emplace(m_graph, *m_executor, std::move(stops), std::move(samples));
        return {};
    }

    // Twice the mean over the samples of the sum of outer products. Layers that read the same value
    // share it: query, key and value. Gives the seconds that summing took, without what the samples
    // needed to come here.
    [[nodiscard]] double gather(const MarkedLayer& layer)
    {
        if (layer.input == m_gathered)
            return 0.0;
        m_gathered = layer.input;
        m_moments.reset();
        const double factor = 2.0 / static_cast<double>(m_walk->sampleCount());
        double seconds = 0.0;
        m_walk->visit(layer.node, [&](const Executor::Values& values) {
            const at::Tensor& given = values[static_cast<std::size_t>(layer.input)].toTensor();
            const std::int64_t in = given.size(-1);
            const double begin = secondsOnDevice();
            if (!m_moments.defined())
                m_moments = at::zeros({in, in}, at::TensorOptions(at::kDouble).device(m_device));
            const at::Tensor rows = given.reshape({-1, in}).to(at::kDouble);
            m_moments.addmm_(rows.t(), rows, 1.0, factor);
            seconds += secondsOnDevice() - begin;
        });
        return seconds;
    }

    // When all is done that was asked of the device.
    [[nodiscard]] double secondsOnDevice() const
    {
        if (!m_device.is_cpu())
            c10::impl::VirtualGuardImpl(m_device.type()).synchronizeDevice(m_device.index());
        return secondsNow();
    }

    // Of the second moments only the layers that read the same value need another copy.
    [[nodiscard]] at::Tensor takeMoments(std::size_t layer)
    {
        if (layer + 1 < m_layers.size() && m_layers[layer + 1].input == m_gathered)
            return m_moments;
        m_gathered = -1;
        return std::move(m_moments);
    }

    void solve(std::size_t number)
    {
        const MarkedLayer& layer = m_layers[number];
        const core::Scheme& scheme = layer.scheme;
        if (m_findings.tensors.contains(layer.weight + ":codes"))
            return;  // multiplied a second time
        const double summing = gather(layer);
        const double begin = secondsOnDevice();
        // It may have waited on the host.
        const at::Tensor weight = m_weights.tensors.at(layer.weight).to(m_device);
        const auto found = m_rounders.find(scheme.word("by"));
        const ColumnRounder* rounder = found == m_rounders.end() ? nullptr : found->second.get();
        const GptqResult solved =
            solveGptq(weight, takeMoments(number),
                      {scheme.whole("group"), orderOf(scheme), scheme.real("damp"),
                       scheme.whole("block"), solverOf(scheme), rounder});
        for (auto& [part, tensor] : storedParts(solved, scheme, weight.scalar_type()))
            m_findings.tensors.emplace(layer.weight + ":" + part, tensor.contiguous());
        m_findings.layers.push_back({.module = m_stage.graph.nodes[layer.node].module,
                                     .loss = solved.loss,
                                     .deadColumns = solved.deadColumns,
                                     .roundedToNearest = solved.roundedToNearest,
                                     .seconds = summing + secondsOnDevice() - begin,
                                     .outFeatures = weight.size(0),
                                     .inFeatures = weight.size(1)});
    }

    // What the samples go on with is what the solved layer gives.
    [[nodiscard]] Status passThrough(std::size_t node)
    {
        QS_TRY(const core::StageProgram alone, core::layerAlone(m_stage, node));
        auto layer = std::make_shared<ComposedLayer>();
        QS_TRY(layer->stage, core::referenceStage(alone, m_description));
        NamedTensors tensors = m_weights.tensors;
        tensors.insert(m_findings.tensors.begin(), m_findings.tensors.end());
        QS_TRY(Executor executor, Executor::create(layer->stage.graph, tensors, m_device));
        layer->executor.emplace(std::move(executor));
        std::vector<std::size_t> slots;
        for (const core::ValueId id : layer->stage.graph.inputs) {
            const std::string& name = layer->stage.graph.value(id).name;
            const core::Node& source = m_stage.graph.nodes[node];
            slots.push_back(static_cast<std::size_t>(source.tensor(name == "x" ? "input" : name)));
        }
        m_walk->replace(node, [layer, slots](const Executor::Values& values) {
            std::vector<at::Tensor> inputs;
            for (const std::size_t slot : slots)
                inputs.push_back(values[slot].toTensor());
            return layer->executor->run(inputs);
        });
        return {};
    }

    const core::StageProgram& m_stage;
    const StageWeights& m_weights;
    const core::DeviceDescription& m_description;
    SampleRun& m_run;
    c10::Device m_device;
    const ColumnRounders& m_rounders;
    core::Graph m_graph;
    std::vector<MarkedLayer> m_layers;   // up to the last one that is solved
    std::optional<Executor> m_executor;  // reads m_graph
    std::optional<SampleWalk> m_walk;    // uses both
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
