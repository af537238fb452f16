#include "core/engine/quantize/sample_run.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Status;

namespace {

at::Tensor onDevice(const core::HostTensor& host, c10::Device device)
{
    return std::visit(
        [&](const auto& values) {
            using Element = typename std::decay_t<decltype(values)>::value_type;
            const auto type = std::is_same_v<Element, float> ? at::kFloat : at::kLong;
            const at::Tensor borrowed =
                at::from_blob(const_cast<Element*>(values.data()), host.shape, type);
            return borrowed.to(device, type, false, true);
        },
        host.values);
}

}  // namespace

Status SampleRun::fill(std::int64_t count, const SampleSource& source)
{
    m_samples.clear();
    m_next = 0;
    for (std::int64_t number = 0; number < count; ++number) {
        QS_TRY(const core::HostTensors inputs, source(number));
        Sample sample;
        for (const auto& [name, host] : inputs)
            sample.values.emplace(name, onDevice(host, m_place));
        m_samples.push_back(std::move(sample));
    }
    return {};
}

void SampleRun::makeStates(const core::Graph& graph, const StageWeights& weights)
{
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const core::Value& value = graph.values[i];
        // All samples have the same states.
        if (value.kind != core::ValueKind::State || m_samples.front().states.contains(value.name))
            continue;
        const double number = graph.initialValue(static_cast<core::ValueId>(i));
        const auto options = optionsOf(value.type.dtype, m_place);
        const auto stored = weights.tensors.find(core::initialName(value.name));
        const at::Tensor first = stored == weights.tensors.end()
                                     ? at::full(value.type.shape, number, options)
                                     : stored->second.clone();
        for (Sample& sample : m_samples)
            sample.states.try_emplace(value.name, first);
    }
}

Executor::Values SampleRun::begin(const Executor& executor, const core::Graph& graph,
                                  const Sample& sample)
{
    std::vector<at::Tensor> inputs;
    for (const core::ValueId id : graph.inputs) {
        const core::Value& value = graph.value(id);
        inputs.push_back(sample.values.at(value.name).to(toTorch(value.type.dtype)));
    }
    Executor::Values values = executor.begin(inputs);
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        if (graph.values[i].kind == core::ValueKind::State)
            values[i] = sample.states.at(graph.values[i].name);
    }
    return values;
}

void SampleRun::keep(const core::Graph& graph, std::vector<at::Tensor> outputs, Sample& sample)
{
    for (std::size_t i = 0; i < outputs.size(); ++i)
        sample.values[graph.value(graph.outputs[i]).name] = std::move(outputs[i]);
}

Status SampleRun::runStage(std::size_t stage, const StageWeights& weights, const Progress& progress)
{
    const core::StageProgram& program = m_program.stages[stage];
    QS_TRY(const core::ReferenceStage reference, core::referenceStage(program, m_device));
    makeStates(reference.graph, weights);
    NamedTensors tensors = weights.tensors;
    tensors.insert(m_samples.front().states.begin(), m_samples.front().states.end());
    QS_TRY(const Executor executor, Executor::create(reference.graph, tensors, m_place));
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        // From here on they are its own; those of an earlier stage are already.
        for (auto& [name, state] : m_samples[i].states) {
            if (state.use_count() > 1)
                state = state.clone();
        }
        for (std::int64_t run = 0; run < program.runs; ++run) {
            Executor::Values values = begin(executor, reference.graph, m_samples[i]);
            executor.runRange(0, executor.instructionCount(), values, {});
            keep(reference.graph, executor.outputs(values), m_samples[i]);
        }
        if (!progress(static_cast<double>(i + 1) / static_cast<double>(m_samples.size())))
            return Error{ErrorCode::Cancelled, "stopped while calibrating"};
    }
    return {};
}

Status SampleRun::advanceTo(std::size_t stage, const std::vector<StageWeights>& weights,
                            const Progress& progress)
{
    for (; m_next < stage; ++m_next)
        QS_RETURN_IF_ERROR(runStage(m_next, weights.at(m_next), progress));
    return {};
}

}  // namespace qs::engine
