#include "core/engine/execute/pipeline.h"

#include "core/engine/compile/runner_registry.h"
#include "core/engine/execute/attention_choice.h"
#include "core/engine/internal/torch_types.h"

#include <ATen/ops/cat.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

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

bool recordsAsOne(const core::Program& program)
{
    return std::all_of(program.stages.begin(), program.stages.end(),
                       [](const auto& stage) { return core::recordsWholePass(stage.compile); });
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

Status Pipeline::prepare()
{
    for (const auto& runner : m_runners)
        QS_RETURN_IF_ERROR(runner->verify());
    // What the comparisons held is none of the mode's; what is recorded is still to come.
    m_backend.resetPeaks();
    if (recordsAsOne(m_program) && m_backend.stream() != nullptr) {
        QS_RETURN_IF_ERROR(recordAsOne());
    } else {
        for (const auto& runner : m_runners)
            QS_RETURN_IF_ERROR(runner->prepare());
    }
    // What was recorded ran a few times before.
    resetStates();
    return {};
}

Status Pipeline::recordAsOne()
{
    QS_TRY(m_recorded, m_backend.record([stages = m_plan.steps] {
        for (const auto& stage : stages)
            stage();
    }));
    m_plan.steps = {[this] { m_recorded->launch(); }};
    m_plan.stagesApart = false;
    m_recorded->launch();
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

void Pipeline::setConditions(int passes, bool coldCache)
{
    m_plan.passes = passes;
    m_plan.coldCache = coldCache;
    const bool recorded = std::all_of(m_runners.begin(), m_runners.end(), [](const auto& runner) {
        return runner->recordingsPerPass() == 1;
    });
    m_plan.held = (recorded || m_recorded) && !m_feed && m_backend.holdsStreams();
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

core::FloatArray Pipeline::runJudged(std::int64_t rows, std::int64_t batch)
{
    if (m_program.judgedSteps.empty()) {
        run();
        // A large batch repeats few samples, and copies of it can take longer than the pass.
        return rows < batch ? onHost(m_values.at(m_outputName).narrow(0, 0, rows)) : output();
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
    for (const auto& runner : m_runners) {
        const std::vector<core::Note> ofStage = runner->notes();
        notes.insert(ofStage.begin(), ofStage.end());
    }
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
    int launches = m_recorded ? 1 : 0;
    for (std::size_t i = 0; i < m_runners.size(); ++i)
        launches += m_runners[i]->recordingsPerPass() * static_cast<int>(m_program.stages[i].runs);
    return launches;
}

}  // namespace qs::engine
