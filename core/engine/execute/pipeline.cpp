#include "core/engine/execute/pipeline.h"

#include "core/engine/compile/runner_registry.h"
#include "core/engine/execute/attention_choice.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
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

core::FloatArray onHost(const at::Tensor& value)
{
    const at::Tensor tensor = value.to(at::kFloat).cpu().contiguous();
    core::FloatArray array{tensor.sizes().vec(), {}};
    const float* data = tensor.const_data_ptr<float>();
    array.values.assign(data, data + tensor.numel());
    return array;
}

// The output of that stage that is a step of the judged one; empty if none is.
std::string judgedStep(const core::Program& program, std::size_t stage)
{
    const core::Graph& graph = program.stages[stage].graph;
    for (const core::ValueId id : graph.outputs) {
        const std::string& name = graph.value(id).name;
        if (std::find(program.judgedSteps.begin(), program.judgedSteps.end(), name) !=
            program.judgedSteps.end())
            return name;
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<Pipeline>>
Pipeline::create(const core::Program& program, const std::vector<StageWeights>& weights,
                 const core::HostTensors& inputs, const core::DeviceDescription& device,
                 Backend& backend, const std::vector<StagePackages>& packages,
                 const std::optional<double>& bf16FromFp32)
{
    std::unique_ptr<Pipeline> pipeline(new Pipeline(program, backend));
    QS_RETURN_IF_ERROR(pipeline->placeInputs(inputs));
    QS_RETURN_IF_ERROR(pipeline->placeStates(weights, device));
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
        QS_TRY(auto runner,
               makeRunner({program.stages[i], weights.at(i).tensors, pipeline->m_states,
                           pipeline->m_values, backend, device,
                           i < packages.size() ? packages[i] : StagePackages(), bf16FromFp32}));
        pipeline->m_plan.steps.emplace_back([raw = runner.get(), runs = program.stages[i].runs] {
            for (std::int64_t run = 0; run < runs; ++run)
                raw->run();
        });
        pipeline->m_runners.push_back(std::move(runner));
    }
    pipeline->setInputs(inputs);
    return pipeline;
}

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
        const auto initial = graph.initialValues.find(static_cast<core::ValueId>(i));
        m_initialValues[value.name] = initial == graph.initialValues.end() ? 0.0 : initial->second;
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

Status Pipeline::prepare()
{
    for (const auto& runner : m_runners)
        QS_RETURN_IF_ERROR(runner->verify());
    // What the comparisons held is none of the mode's; what is recorded is still to come.
    m_backend.resetPeaks();
    for (const auto& runner : m_runners)
        QS_RETURN_IF_ERROR(runner->prepare());
    // What was recorded ran a few times before.
    resetStates();
    return {};
}

Status Pipeline::firstPass()
{
    for (std::size_t i = 0; i < m_runners.size(); ++i) {
        QS_RETURN_IF_ERROR(m_runners[i]->firstPass());
        for (std::int64_t run = 1; run < m_program.stages[i].runs; ++run)
            m_runners[i]->run();
    }
    m_backend.synchronize();
    return {};
}

void Pipeline::run()
{
    for (const auto& step : m_plan.steps)
        step();
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

void Pipeline::setConditions(int passes, bool coldCache)
{
    m_plan.passes = passes;
    m_plan.coldCache = coldCache;
    const bool recorded = std::all_of(m_runners.begin(), m_runners.end(), [](const auto& runner) {
        return runner->recordingsPerPass() == 1;
    });
    m_plan.held = recorded && !m_feed && m_backend.holdsStreams();
}

core::PassSample Pipeline::sample()
{
    return m_backend.timeSample(m_plan);
}

std::optional<core::Conditions> Pipeline::conditions() const
{
    if (!m_backend.hasDeviceClock())
        return std::nullopt;
    // Asked anew: a gate that nobody opened is not used again.
    return core::Conditions{.cache =
                                m_plan.coldCache ? core::CacheState::Cold : core::CacheState::Warm,
                            .streamHeld = m_plan.held && m_backend.holdsStreams(),
                            .inputs = m_residency};
}

core::FloatArray Pipeline::output() const
{
    return onHost(m_values.at(m_outputName));
}

core::FloatArray Pipeline::runJudged(std::int64_t rows)
{
    if (m_program.judgedSteps.empty()) {
        run();
        return output();
    }
    std::vector<at::Tensor> positions;
    for (std::size_t i = 0; i < m_runners.size(); ++i) {
        const std::string step = judgedStep(m_program, i);
        for (std::int64_t done = 0; done < m_program.stages[i].runs; ++done) {
            m_runners[i]->run();
            m_backend.synchronize();
            if (step.empty())
                continue;
            // A copy: the next run may write into the same tensor.
            at::Tensor given =
                m_values.at(step).narrow(0, 0, rows).to(at::kCPU, at::kFloat, false, true);
            positions.push_back(given.dim() == 2 ? given.unsqueeze(1) : given);
        }
    }
    return onHost(at::cat(positions, 1));
}

std::optional<core::HostTensor> Pipeline::output(const std::string& name) const
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
        return std::nullopt;
    const auto taken = [&]<typename Element>(Element, c10::ScalarType type) {
        const at::Tensor tensor = found->second.to(type).cpu().contiguous();
        const auto* data = tensor.const_data_ptr<Element>();
        return core::HostTensor{tensor.sizes().vec(),
                                std::vector<Element>(data, data + tensor.numel())};
    };
    if (at::isFloatingType(found->second.scalar_type()))
        return taken(float{}, at::kFloat);
    return taken(std::int64_t{}, at::kLong);
}

void Pipeline::observe(std::size_t stage)
{
    m_runners.at(stage)->observe();
    m_backend.synchronize();
}

void Pipeline::runNoted(std::size_t stage, const Executor::Observer& done)
{
    m_runners.at(stage)->runNoted(done);
}

std::vector<double> Pipeline::distancesToEager() const
{
    std::vector<double> distances;
    for (const auto& runner : m_runners)
        distances.push_back(runner->distanceToEager());
    return distances;
}

std::vector<std::vector<core::KernelChoice>> Pipeline::kernels() const
{
    std::vector<std::vector<core::KernelChoice>> kernels;
    for (const auto& runner : m_runners)
        kernels.push_back(runner->kernels());
    return kernels;
}

Result<std::vector<core::PartTime>> Pipeline::timeParts()
{
    std::vector<core::PartTime> all;
    for (const auto& runner : m_runners) {
        QS_TRY(const std::vector<core::PartTime> times, runner->timeParts());
        all.insert(all.end(), times.begin(), times.end());
    }
    return all;
}

std::vector<WeightProducts> Pipeline::weightProducts() const
{
    std::vector<WeightProducts> products;
    for (const auto& runner : m_runners)
        products.push_back(runner->weightProducts());
    return products;
}

std::vector<ProductCounts> Pipeline::products() const
{
    std::vector<ProductCounts> products;
    for (const auto& runner : m_runners)
        products.push_back(runner->products());
    return products;
}

std::vector<core::Note> Pipeline::notes() const
{
    std::set<core::Note> notes;
    for (const auto& runner : m_runners)
        notes.insert(runner->notes().begin(), runner->notes().end());
    return {notes.begin(), notes.end()};
}

std::string Pipeline::attentionKernel() const
{
    std::set<std::string> kernels;
    for (std::size_t i = 0; i < m_program.stages.size(); ++i) {
        const bool isOwn = i < m_runners.size() && m_runners[i]->hasOwnAttention();
        kernels.insert(isOwn ? "own"
                             : pickedAttention(m_program.stages[i].graph, m_backend.device()));
    }
    kernels.erase("");
    std::string text;
    for (const std::string& kernel : kernels)
        text += (text.empty() ? "" : "/") + kernel;
    return text;
}

std::int64_t Pipeline::layoutBytes() const
{
    std::int64_t bytes = 0;
    for (const auto& runner : m_runners)
        bytes += runner->layoutBytes();
    return bytes;
}

std::int64_t Pipeline::stateBytes() const
{
    return std::accumulate(m_states.begin(), m_states.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& state) {
                               return sum + static_cast<std::int64_t>(state.second.nbytes());
                           });
}

int Pipeline::launchesPerPass() const
{
    int launches = 0;
    for (std::size_t i = 0; i < m_runners.size(); ++i)
        launches += m_runners[i]->recordingsPerPass() * static_cast<int>(m_program.stages[i].runs);
    return launches;
}

}  // namespace qs::engine
