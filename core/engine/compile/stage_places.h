#pragma once

#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/graph/graph.h"

#include <functional>
#include <memory>
#include <vector>

namespace qs::engine {

// Where a stage finds its inputs and leaves its outputs: among the values of the pipeline, under
// the names that its graph has. Graph and values must outlive it.
class StagePlaces final
{
public:
    StagePlaces(const core::Graph& graph, NamedTensors& values) : m_graph(graph), m_values(values)
    {
    }

    // In the order of graph.inputs, as they lie there now. Found at the first call, when the stages
    // before have left theirs.
    [[nodiscard]] std::vector<at::Tensor> inputs();
    // In the order of graph.outputs.
    void keep(std::vector<at::Tensor> outputs);

private:
    const core::Graph& m_graph;
    NamedTensors& m_values;
    std::vector<const at::Tensor*> m_places;
};

// A pass of a stage that was recorded. Nothing until record().
class RecordedPass final
{
public:
    // `work` reads these inputs, which stay where they are, and leaves its outputs where the next
    // stage finds them at a fixed address. It has run once more when this returns.
    [[nodiscard]] core::Status record(Backend& backend, std::vector<at::Tensor> inputs,
                                      const std::function<void()>& work);
    // With the inputs as they are now: a stage before this one that is not recorded leaves its
    // outputs somewhere else each time.
    void launch(const std::vector<at::Tensor>& inputs);
    explicit operator bool() const { return m_recording != nullptr; }

private:
    std::vector<at::Tensor> m_inputs;
    std::unique_ptr<RecordedWork> m_recording;
};

}  // namespace qs::engine
