#include "core/engine/compile/region_calls.h"

#include <utility>

namespace qs::engine {

using core::Result;

RegionCalls::RegionCalls(Executor executor, const core::RegionStage& stage)
    : m_executor(std::move(executor)), m_programs(stage.programOf)
{
    for (std::size_t i = 0; i < stage.graph.nodes.size(); ++i) {
        if (stage.graph.nodes[i].operation->name == core::kQsRegion)
            m_nodes.push_back(i);
    }
}

Result<RegionCalls> RegionCalls::create(const core::RegionStage& stage, NamedTensors weights,
                                        const NamedTensors& states, c10::Device device)
{
    weights.insert(states.begin(), states.end());
    QS_TRY(Executor executor, Executor::create(stage.graph, weights, device));
    return RegionCalls(std::move(executor), stage);
}

std::vector<at::Tensor> RegionCalls::run(const std::vector<at::Tensor>& inputs,
                                         const RunProgram& runProgram,
                                         const Executor::Observer& done) const
{
    Executor::Values values = m_executor.begin(inputs);
    std::size_t next = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        m_executor.runRange(next, m_nodes[i], values, done);
        m_executor.replace(m_nodes[i], values,
                           runProgram(m_programs[i], m_executor.arguments(m_nodes[i], values)));
        next = m_nodes[i] + 1;
    }
    m_executor.runRange(next, m_executor.instructionCount(), values, done);
    return m_executor.outputs(values);
}

std::vector<at::Tensor> RegionCalls::inputsOf(std::size_t program,
                                              const std::vector<at::Tensor>& inputs,
                                              const RunProgram& runProgram) const
{
    Executor::Values values = m_executor.begin(inputs);
    std::size_t next = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        m_executor.runRange(next, m_nodes[i], values, {});
        std::vector<at::Tensor> read = m_executor.arguments(m_nodes[i], values);
        if (m_programs[i] == program)
            return read;
        m_executor.replace(m_nodes[i], values, runProgram(m_programs[i], std::move(read)));
        next = m_nodes[i] + 1;
    }
    return {};
}

}  // namespace qs::engine
