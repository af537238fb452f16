#include "core/engine/quantize/layer_inspection.h"

#include "core/engine/phase_timer.h"
#include "core/engine/quantize/weight_figures.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"
#include "core/lower/single_layer.h"

#include <algorithm>
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

// One layer in the composition of its scheme, each time as it begins.
class LayerAlone final
{
public:
    [[nodiscard]] Status prepare(const core::StageProgram& stage, std::size_t node,
                                 const core::DeviceDescription& description,
                                 const StageWeights& weights, c10::Device device)
    {
        QS_TRY(const core::StageProgram alone, core::layerAlone(stage, node));
        QS_TRY(core::ReferenceStage reference, core::referenceStage(alone, description));
        m_graph = std::move(reference.graph);
        NamedTensors tensors = weights.tensors;
        for (const core::Value& value : m_graph.values) {
            if (value.kind != core::ValueKind::State)
                continue;
            const at::Tensor& initial = weights.tensors.at(core::initialName(value.name));
            m_states.emplace_back(initial.clone(), initial);
            tensors.insert_or_assign(value.name, m_states.back().first);
        }
        QS_TRY(Executor executor, Executor::create(m_graph, tensors, device));
        m_executor.emplace(std::move(executor));
        return {};
    }

    // `values` are those of the stage, before that node.
    [[nodiscard]] at::Tensor run(const core::Node& node, const Executor::Values& values) const
    {
        for (const auto& [state, initial] : m_states)
            state.copy_(initial);
        std::vector<at::Tensor> inputs;
        for (const core::ValueId id : m_graph.inputs) {
            const std::string& name = m_graph.value(id).name;
            const core::ValueId source = node.tensor(name == "x" ? "input" : name);
            inputs.push_back(values[static_cast<std::size_t>(source)].toTensor());
        }
        return m_executor->run(inputs).front();
    }

private:
    core::Graph m_graph;
    std::vector<std::pair<at::Tensor, at::Tensor>> m_states;  // with what they begin as
    std::optional<Executor> m_executor;                       // reads m_graph
};

// The samples with and without quantization, both before the same operation of a stage.
struct TwoRuns {
    SampleRun exact;
    SampleRun quantized;
};

class StageInspector final
{
public:
    StageInspector(const InspectionSetup& setup, const core::Program& program, std::size_t stage,
                   const StageWeights& exact)
        : m_setup(setup),
          m_program(program),
          m_number(stage),
          m_stage(program.stages[stage]),
          m_exact(exact),
          m_graph(core::withoutSchemes(m_stage.graph))
    {
    }

    // Both runs stand behind the stage afterwards.
    [[nodiscard]] Status inspect(TwoRuns& runs, const Progress& progress,
                                 std::vector<core::ReportedLayer>& found)
    {
        QS_TRY(const Executor executor, begin(runs));
        const std::vector<MarkedLayer> layers = core::markedLayers(m_stage.graph);
        std::size_t done = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            advance(executor, done, layers[i].node);
            QS_RETURN_IF_ERROR(inspect(executor, layers[i], found));
            done = layers[i].node + 1;
            if (!progress(static_cast<double>(i + 1) / static_cast<double>(layers.size())))
                return Error{ErrorCode::Cancelled, "stopped while inspecting layers"};
        }
        advance(executor, done, executor.instructionCount());
        for (std::size_t i = 0; i < m_exactValues.size(); ++i) {
            SampleRun::keep(m_graph, executor.outputs(m_exactValues[i]), runs.exact.samples()[i]);
            SampleRun::keep(m_graph, executor.outputs(m_quantizedValues[i]),
                            runs.quantized.samples()[i]);
        }
        return {};
    }

private:
    [[nodiscard]] Result<Executor> begin(TwoRuns& runs)
    {
        NamedTensors tensors = m_exact.tensors;
        for (SampleRun* run : {&runs.exact, &runs.quantized})
            run->makeStates(m_graph, m_exact);
        const NamedTensors& states = runs.exact.samples().front().states;
        tensors.insert(states.begin(), states.end());
        QS_TRY(Executor executor, Executor::create(m_graph, tensors, m_setup.device));
        for (const SampleRun::Sample& sample : runs.exact.samples())
            m_exactValues.push_back(SampleRun::begin(executor, m_graph, sample));
        for (const SampleRun::Sample& sample : runs.quantized.samples())
            m_quantizedValues.push_back(SampleRun::begin(executor, m_graph, sample));
        return executor;
    }

    void advance(const Executor& executor, std::size_t first, std::size_t last)
    {
        for (auto* all : {&m_exactValues, &m_quantizedValues}) {
            for (Executor::Values& values : *all)
                executor.runRange(first, last, values, {});
        }
    }

    [[nodiscard]] Status inspect(const Executor& executor, const MarkedLayer& place,
                                 std::vector<core::ReportedLayer>& found)
    {
        const core::Node& node = m_stage.graph.nodes[place.node];
        LayerAlone layer;
        QS_RETURN_IF_ERROR(layer.prepare(m_stage, place.node, m_setup.description,
                                         m_setup.weights.at(m_number), m_setup.device));
        RelativeError local;
        RelativeError cumulative;
        for (std::size_t i = 0; i < m_exactValues.size(); ++i) {
            const at::Tensor sameInput = layer.run(node, m_exactValues[i]);
            const at::Tensor ownInput = layer.run(node, m_quantizedValues[i]);
            at::Tensor exact;
            executor.runRange(place.node, place.node + 1, m_exactValues[i],
                              [&](const core::Node&, const std::vector<at::Tensor>& results) {
                                  exact = results.front().clone();
                              });
            executor.replace(place.node, m_quantizedValues[i], {ownInput});
            local.add(exact, sameInput);
            cumulative.add(exact, ownInput);
        }
        const core::LayerRow* row = rowOf(place.weight);
        if (row == nullptr || !row->quantized())
            return {};  // multiplied in another type alone
        core::ReportedLayer reported;
        reported.stage = m_stage.name;
        reported.module = node.module;
        reported.scheme = row->scheme.text();
        reported.weightShape = row->weightShape;
        reported.localError = local.value();
        reported.cumulativeError = cumulative.value();
        QS_RETURN_IF_ERROR(addWeightFigures(*row, m_exact.tensors.at(place.weight),
                                            m_setup.weights.at(m_number), m_setup.device,
                                            reported));
        found.push_back(std::move(reported));
        return {};
    }

    [[nodiscard]] const core::LayerRow* rowOf(const std::string& weight) const
    {
        const auto found =
            std::find_if(m_program.layers.begin(), m_program.layers.end(), [&](const auto& row) {
                return row.stage == m_number && row.weight == weight;
            });
        return found == m_program.layers.end() ? nullptr : &*found;
    }

    const InspectionSetup& m_setup;
    const core::Program& m_program;
    std::size_t m_number;
    const core::StageProgram& m_stage;
    const StageWeights& m_exact;
    core::Graph m_graph;
    std::vector<Executor::Values> m_exactValues;  // one per sample
    std::vector<Executor::Values> m_quantizedValues;
};

// What the stage is without quantization: loaded anew, since the weights were turned into codes.
Result<StageWeights> exactWeights(WeightLoader& loader, const core::Model& model,
                                  const core::Program& program, std::size_t stage,
                                  c10::Device device)
{
    QS_TRY(StageWeights weights, loader.load(stage, program.stages[stage].workingType,
                                             [](std::int64_t, std::int64_t) { return true; }));
    QS_RETURN_IF_ERROR(
        restoreWeights(weights, model, program, stage, WeightsToRestore::All, device));
    QS_RETURN_IF_ERROR(foldWeights(weights, program.stages[stage], device));
    return weights;
}

// Weights that a stage shares with an earlier one were solved there, or here if schemes differ.
const core::SolvedLayer* solvedLayer(const InspectionSetup& setup, const core::Program& program,
                                     std::size_t stage, const std::string& module)
{
    const core::SolvedLayer* found = nullptr;
    for (const std::size_t each : {core::weightOwner(*setup.model.family, stage), stage}) {
        for (const core::StageCalibration& made : setup.calibration) {
            if (made.stage != program.stages[each].name)
                continue;
            for (const core::SolvedLayer& layer : made.layers)
                found = layer.module == module ? &layer : found;
        }
    }
    return found;
}

void addSolving(const core::SolvedLayer& solved, core::ReportedLayer& reported)
{
    if (!solved.roundedToNearest)
        reported.solverLoss = solved.loss;
    reported.solverSeconds = solved.seconds;
    reported.deadColumns = solved.deadColumns;
    reported.roundedToNearest = solved.roundedToNearest;
}

}  // namespace

Result<core::LayerReport> inspectLayers(const InspectionSetup& setup, const Progress& progress)
{
    const double begin = secondsNow();
    QS_TRY(const core::Program program,
           core::lower(*setup.model.family, {setup.recipe, {1, setup.config.sizes}, {}}));
    TwoRuns runs{{program, setup.description, setup.device},
                 {program, setup.description, setup.device}};
    for (SampleRun* run : {&runs.exact, &runs.quantized})
        QS_RETURN_IF_ERROR(run->fill(setup.samples, setup.source));
    QS_TRY(WeightLoader loader, WeightLoader::create(setup.model, setup.device));
    core::LayerReport report;
    report.samples = setup.samples;
    const auto count = static_cast<double>(program.stages.size());
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        QS_TRY(const StageWeights exact,
               exactWeights(loader, setup.model, program, stage, setup.device));
        const std::size_t first = report.layers.size();
        StageInspector inspector(setup, program, stage, exact);
        QS_RETURN_IF_ERROR(inspector.inspect(
            runs,
            [&](double fraction) {
                return progress((static_cast<double>(stage) + fraction) / count);
            },
            report.layers));
        for (std::size_t i = first; i < report.layers.size(); ++i) {
            core::ReportedLayer& layer = report.layers[i];
            if (const auto* solved = solvedLayer(setup, program, stage, layer.module))
                addSolving(*solved, layer);
        }
    }
    report.seconds = secondsNow() - begin;
    return report;
}

}  // namespace qs::engine
