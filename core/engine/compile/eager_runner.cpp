#include "core/engine/compile/eager_runner.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"

#include <utility>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

class EagerRunner : public StageRunner
{
public:
    EagerRunner(const StageSetup& setup, core::ReferenceStage reference)
        : m_setup(setup), m_reference(std::move(reference))
    {
    }

    [[nodiscard]] Status bind()
    {
        NamedTensors tensors = m_setup.weights;
        tensors.insert(m_setup.states.begin(), m_setup.states.end());
        QS_TRY(Executor executor,
               Executor::create(m_reference.graph, tensors, m_setup.backend.device()));
        m_executor.emplace(std::move(executor));
        return {};
    }

    void run() override { keep(m_executor->run(inputs())); }

    void observe() override
    {
        m_products.clear();
        keep(runOperations([this](const core::Node& node, const std::vector<at::Tensor>& results) {
            if (core::multiplies(*node.operation))
                ++m_products[{std::string(node.operation->name),
                              fromTorch(results.front().scalar_type())}];
        }));
    }

    void runNoted(const Executor::Observer& done) override
    {
        static_cast<void>(runOperations(done));
    }

    [[nodiscard]] Status prepare() override { return {}; }
    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] int recordingsPerPass() const override { return 0; }
    [[nodiscard]] const std::vector<core::Note>& notes() const override
    {
        return m_reference.notes;
    }

protected:
    // Entries of the map of values; they stay where they are. Found at the first pass, when the
    // stages before have left theirs.
    [[nodiscard]] const std::vector<const at::Tensor*>& places()
    {
        if (m_places.empty()) {
            for (const core::ValueId id : m_reference.graph.inputs)
                m_places.push_back(&m_setup.values.at(m_reference.graph.value(id).name));
        }
        return m_places;
    }
    [[nodiscard]] std::vector<at::Tensor> inputs()
    {
        std::vector<at::Tensor> inputs;
        for (const at::Tensor* place : places())
            inputs.push_back(*place);
        return inputs;
    }

    StageSetup m_setup;

private:
    [[nodiscard]] std::vector<at::Tensor> runOperations(const Executor::Observer& done)
    {
        Executor::Values values = m_executor->begin(inputs());
        m_executor->runRange(0, m_executor->instructionCount(), values, done);
        return m_executor->outputs(values);
    }

    void keep(std::vector<at::Tensor> outputs)
    {
        const core::Graph& graph = m_reference.graph;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            m_setup.values[graph.value(graph.outputs[i]).name] = std::move(outputs[i]);
    }

    core::ReferenceStage m_reference;
    std::optional<Executor> m_executor;  // reads m_reference.graph, so it stays where it is
    std::vector<const at::Tensor*> m_places;
    ProductCounts m_products;
};

// Until prepare() it is eager.
class GraphRunner final : public EagerRunner
{
public:
    using EagerRunner::EagerRunner;

    void run() override
    {
        if (!m_recording) {
            EagerRunner::run();
            return;
        }
        // A stage before this one that is not recorded leaves its outputs somewhere else each time.
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const at::Tensor& current = *places()[i];
            if (!current.is_same(m_inputs[i]))
                m_inputs[i].copy_(current);
        }
        m_recording->launch();
    }

    // The pass that is recorded is the one that is counted. It leaves its outputs among the values,
    // where the next stage finds them at a fixed address.
    [[nodiscard]] Status prepare() override
    {
        m_inputs = inputs();
        QS_TRY(m_recording, m_setup.backend.record([this] { observe(); }));
        m_recording->launch();
        return {};
    }

    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }

private:
    std::vector<at::Tensor> m_inputs;  // that the recording reads
    std::unique_ptr<RecordedWork> m_recording;
};

template <typename Runner>
Result<std::unique_ptr<StageRunner>> make(const StageSetup& setup)
{
    QS_TRY(core::ReferenceStage reference, core::referenceStage(setup.program, setup.device));
    auto runner = std::make_unique<Runner>(setup, std::move(reference));
    QS_RETURN_IF_ERROR(runner->bind());
    return std::unique_ptr<StageRunner>(std::move(runner));
}

}  // namespace

Result<std::unique_ptr<StageRunner>> makeEagerRunner(const StageSetup& setup)
{
    return make<EagerRunner>(setup);
}

Result<std::unique_ptr<StageRunner>> makeGraphRunner(const StageSetup& setup)
{
    return make<GraphRunner>(setup);
}

}  // namespace qs::engine
