#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <set>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

// The host tensor as it is; the result shares its memory.
at::Tensor borrowed(const core::HostTensor& host)
{
    const auto wrap = [&](auto& values, c10::ScalarType type) {
        using Element = typename std::decay_t<decltype(values)>::value_type;
        return at::from_blob(const_cast<Element*>(values.data()), host.shape, type);
    };
    if (const auto* floats = std::get_if<std::vector<float>>(&host.values))
        return wrap(*floats, at::kFloat);
    return wrap(std::get<std::vector<std::int64_t>>(host.values), at::kLong);
}

// Contents of a batch into its place. A batch larger than what there is repeats it, on the device:
// the host never holds the whole batch.
void fill(at::Tensor& place, const at::Tensor& rows)
{
    if (place.sizes() == rows.sizes()) {
        place.copy_(rows);
        return;
    }
    for (std::int64_t first = 0; first < place.size(0); first += rows.size(0)) {
        const std::int64_t count = std::min(rows.size(0), place.size(0) - first);
        place.narrow(0, first, count).copy_(rows.narrow(0, 0, count));
    }
}

}  // namespace

Status Pipeline::placeInputs(const core::HostTensors& inputs)
{
    std::set<std::string> produced;
    for (const core::StageProgram& stage : m_program.stages) {
        for (const core::ValueId id : stage.graph.inputs) {
            const core::Value& value = stage.graph.value(id);
            if (produced.contains(value.name) || m_values.contains(value.name))
                continue;
            if (!inputs.contains(value.name))
                return core::Error{core::ErrorCode::InvalidArgument,
                                   "stage " + stage.name + " needs the input " + value.name +
                                       ", which nothing gives"};
            m_inputNames.push_back(value.name);
            m_values[value.name] =
                at::empty(value.type.shape, optionsOf(value.type.dtype, m_backend.device()));
        }
        for (const core::ValueId id : stage.graph.outputs)
            produced.insert(stage.graph.value(id).name);
        m_outputName = stage.graph.value(stage.graph.outputs.front()).name;
    }
    if (!m_program.judged.empty())
        m_outputName = m_program.judged;
    return {};
}

// Those of the model, and those that the schemes of layers bring.
Status Pipeline::placeStates(const std::vector<StageWeights>& weights,
                             const core::DeviceDescription& device)
{
    for (std::size_t i = 0; i < m_program.stages.size(); ++i) {
        QS_TRY(const core::ReferenceStage reference,
               core::referenceStage(m_program.stages[i], device));
        QS_RETURN_IF_ERROR(placeStates(m_program.stages[i].name, reference.graph, weights.at(i)));
    }
    return {};
}

// States of one name are one tensor, whichever stages read and change it.
Status Pipeline::placeStates(const std::string& stage, const core::Graph& graph,
                             const StageWeights& weights)
{
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const core::Value& value = graph.values[i];
        if (value.kind != core::ValueKind::State)
            continue;
        const auto [place, fresh] = m_states.try_emplace(value.name);
        if (!fresh && (place->second.sizes() != at::IntArrayRef(value.type.shape) ||
                       place->second.scalar_type() != toTorch(value.type.dtype)))
            return core::Error{core::ErrorCode::Unsupported,
                               "stage " + stage + " has the state " + value.name + " as " +
                                   core::toText(value.type) + ", an earlier stage as another type"};
        if (!fresh)
            continue;
        place->second =
            at::empty(value.type.shape, optionsOf(value.type.dtype, m_backend.device()));
        m_initialValues[value.name] = graph.initialValue(static_cast<core::ValueId>(i));
        const auto stored = weights.tensors.find(core::initialName(value.name));
        if (stored != weights.tensors.end())
            m_initialTensors.emplace(value.name, stored->second);
    }
    return {};
}

void Pipeline::setInputs(const core::HostTensors& inputs)
{
    for (const auto& [name, host] : inputs) {
        const auto found = m_values.find(name);
        if (found != m_values.end())
            fill(found->second, borrowed(host).to(m_backend.device()));
    }
    resetStates();
}

void Pipeline::resetStates()
{
    for (auto& [name, tensor] : m_states) {
        const auto stored = m_initialTensors.find(name);
        if (stored == m_initialTensors.end())
            tensor.fill_(m_initialValues.at(name));
        else
            tensor.copy_(stored->second);
    }
    m_backend.synchronize();
}

Status Pipeline::feedFrom(core::InputResidency residency, int count,
                          const std::function<Result<core::HostTensors>(int number)>& batch)
{
    m_residency = residency;
    const bool stays = residency == core::InputResidency::Device;
    if (stays && count <= 1)
        return {};
    InputBatch inputs;
    for (const std::string& name : m_inputNames)
        inputs.push_back(m_values.at(name));
    std::vector<InputBatch> batches;
    // The first comes last, and stays.
    for (int number = count - 1; number >= 0; --number) {
        QS_TRY(const core::HostTensors contents, batch(number));
        setInputs(contents);
        InputBatch& taken = *batches.emplace(batches.begin());
        for (const at::Tensor& input : inputs)
            taken.push_back(stays ? input.clone() : input.cpu());
    }
    if (stays) {
        m_plan.nextBatch = [inputs, batches = std::move(batches), next = std::size_t{0}]() mutable {
            for (std::size_t i = 0; i < inputs.size(); ++i)
                inputs[i].copy_(batches[next][i], true);
            next = (next + 1) % batches.size();
        };
        return {};
    }
    QS_TRY(m_feed, m_backend.makeFeed(residency, inputs, std::move(batches)));
    m_plan.feed = m_feed.get();
    return {};
}

}  // namespace qs::engine
