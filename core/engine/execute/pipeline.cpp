#include "core/engine/execute/pipeline.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <array>
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

}  // namespace

Result<std::unique_ptr<Pipeline>> Pipeline::create(const core::Program& program,
                                                   const std::vector<StageWeights>& weights,
                                                   const core::HostTensors& inputs,
                                                   const core::DeviceDescription& device,
                                                   Backend& backend)
{
    std::unique_ptr<Pipeline> pipeline(new Pipeline(program, backend));
    pipeline->placeInputs(inputs);
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
        QS_TRY(auto runner, makeRunner({program.stages[i], weights.at(i).tensors,
                                        pipeline->m_values, backend, device}));
        pipeline->m_plan.steps.emplace_back([raw = runner.get()] { raw->run(); });
        pipeline->m_runners.push_back(std::move(runner));
    }
    pipeline->setInputs(inputs);
    return pipeline;
}

void Pipeline::placeInputs(const core::HostTensors& inputs)
{
    for (const core::StageProgram& stage : m_program.stages) {
        for (const core::ValueId id : stage.graph.inputs) {
            const core::Value& value = stage.graph.value(id);
            if (!inputs.contains(value.name) || m_values.contains(value.name))
                continue;
            m_inputNames.push_back(value.name);
            m_values[value.name] = at::empty(
                value.type.shape,
                at::TensorOptions().dtype(toTorch(value.type.dtype)).device(m_backend.device()));
        }
        m_outputName = stage.graph.value(stage.graph.outputs.front()).name;
    }
}

void Pipeline::setInputs(const core::HostTensors& inputs)
{
    for (const auto& [name, host] : inputs) {
        const auto found = m_values.find(name);
        if (found == m_values.end())
            continue;
        // A batch larger than the set of pictures repeats it, on the device: the host never holds
        // the whole batch.
        const at::Tensor rows = borrowed(host).to(m_backend.device());
        at::Tensor& place = found->second;
        for (std::int64_t first = 0; first < place.size(0); first += rows.size(0)) {
            const std::int64_t count = std::min(rows.size(0), place.size(0) - first);
            place.narrow(0, first, count).copy_(rows.narrow(0, 0, count));
        }
    }
    m_backend.synchronize();
}

Status Pipeline::prepare()
{
    for (const auto& runner : m_runners)
        QS_RETURN_IF_ERROR(runner->prepare());
    m_backend.synchronize();
    return {};
}

void Pipeline::run()
{
    for (const auto& runner : m_runners)
        runner->run();
    m_backend.synchronize();
}

Status Pipeline::feedFrom(core::InputResidency residency)
{
    m_residency = residency;
    if (residency == core::InputResidency::Device)
        return {};
    std::vector<at::Tensor> inputs;
    for (const std::string& name : m_inputNames)
        inputs.push_back(m_values.at(name));
    QS_TRY(m_feed, m_backend.makeFeed(residency, inputs));
    m_plan.feed = m_feed.get();
    return {};
}

void Pipeline::setConditions(int passes, bool coldCache)
{
    m_plan.passes = passes;
    m_plan.coldCache = coldCache;
    m_plan.held = launchesPerPass() == static_cast<int>(m_runners.size()) && !m_feed &&
                  m_backend.holdsStreams();
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
    const at::Tensor tensor = m_values.at(m_outputName).to(at::kFloat).cpu().contiguous();
    core::FloatArray array{tensor.sizes().vec(), {}};
    const float* data = tensor.const_data_ptr<float>();
    array.values.assign(data, data + tensor.numel());
    return array;
}

void Pipeline::observe(std::size_t stage)
{
    m_runners.at(stage)->observe();
    m_backend.synchronize();
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
    // Values of at::SDPBackend.
    static constexpr std::array<const char*, 5> kNames{"math", "flash", "efficient", "cudnn",
                                                       "overrideable"};
    std::set<std::string> kernels;
    for (const core::StageProgram& stage : m_program.stages) {
        const core::Graph& graph = stage.graph;
        for (const core::Node& node : graph.nodes) {
            if (node.operation->operationClass != core::OperationClass::Attention)
                continue;
            const auto like = [&](std::string_view argument) {
                // Heads are views of [B, N, H, D] tensors, and the choice looks at strides.
                const core::TensorType& type = graph.value(node.tensor(argument)).type;
                return at::empty({type.shape[0], type.shape[2], type.shape[1], type.shape[3]},
                                 at::TensorOptions()
                                     .dtype(toTorch(type.dtype))
                                     .device(m_backend.device()))
                    .transpose(1, 2);
            };
            const auto choice = at::_fused_sdp_choice(like("query"), like("key"), like("value"));
            const bool known = choice >= 0 && static_cast<std::size_t>(choice) < kNames.size();
            kernels.insert(known ? kNames[static_cast<std::size_t>(choice)] : "none");
            break;  // all blocks of a stage have the same shapes
        }
    }
    std::string text;
    for (const std::string& kernel : kernels)
        text += (text.empty() ? "" : "/") + kernel;
    return text;
}

int Pipeline::launchesPerPass() const
{
    int launches = 0;
    for (const auto& runner : m_runners)
        launches += runner->recordingsPerPass();
    return launches;
}

}  // namespace qs::engine
