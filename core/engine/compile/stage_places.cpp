#include "core/engine/compile/stage_places.h"

#include <utility>

namespace qs::engine {

std::vector<at::Tensor> StagePlaces::inputs()
{
    if (m_places.empty()) {
        for (const core::ValueId id : m_graph.inputs)
            m_places.push_back(&m_values.at(m_graph.value(id).name));
    }
    std::vector<at::Tensor> inputs;
    for (const at::Tensor* place : m_places)
        inputs.push_back(*place);
    return inputs;
}

void StagePlaces::keep(std::vector<at::Tensor> outputs)
{
    for (std::size_t i = 0; i < m_graph.outputs.size(); ++i)
        m_values[m_graph.value(m_graph.outputs[i]).name] = std::move(outputs.at(i));
}

core::Status RecordedPass::record(Backend& backend, std::vector<at::Tensor> inputs,
                                  const std::function<void()>& work)
{
    m_inputs = std::move(inputs);
    QS_TRY(m_recording, backend.record(work));
    m_recording->launch();
    return {};
}

void RecordedPass::launch(const std::vector<at::Tensor>& inputs)
{
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        if (!inputs[i].is_same(m_inputs[i]))
            m_inputs[i].copy_(inputs[i]);
    }
    m_recording->launch();
}

}  // namespace qs::engine
