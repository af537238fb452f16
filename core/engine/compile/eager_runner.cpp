#include "core/engine/compile/eager_runner.h"

#include "core/engine/compile/stage_places.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/weights/weight_layouts.h"
#include "core/lower/eager_stage.h"

#include <utility>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

class EagerRunner : public StageRunner
{
public:
    EagerRunner(const StageSetup& setup, core::EagerStage eager)
        : m_setup(setup), m_eager(std::move(eager)), m_places(m_eager.stage.graph, m_setup.values)
    {
    }

    [[nodiscard]] Status bind()
    {
        NamedTensors tensors = m_setup.weights;
        tensors.insert(m_setup.states.begin(), m_setup.states.end());
        QS_TRY(NamedTensors layouts,
               makeLayouts(m_eager.layouts, tensors, m_setup.backend.device()));
        m_layoutBytes = layoutBytesOf(layouts);
        tensors.merge(layouts);
        QS_TRY(Executor executor,
               Executor::create(m_eager.stage.graph, tensors, m_setup.backend.device()));
        m_executor.emplace(std::move(executor));
        return {};
    }

    void run() override { m_places.keep(m_executor->run(m_places.inputs())); }

    void observe() override
    {
        m_products.clear();
        m_places.keep(
            runOperations([this](const core::Node& node, const std::vector<at::Tensor>& results) {
                if (core::multiplies(*node.operation))
                    ++m_products[{std::string(node.operation->name),
                                  core::sumsIntegers(*node.operation)
                                      ? core::DType::Int32
                                      : fromTorch(results.front().scalar_type())}];
            }));
    }

    void runNoted(const Executor::Observer& done) override
    {
        static_cast<void>(runOperations(done));
    }

    [[nodiscard]] Status prepare() override { return {}; }
    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] int recordingsPerPass() const override { return 0; }
    [[nodiscard]] std::vector<core::Note> notes() const override { return m_eager.stage.notes; }
    [[nodiscard]] std::int64_t layoutBytes() const override { return m_layoutBytes; }

protected:
    [[nodiscard]] std::vector<at::Tensor> inputs() { return m_places.inputs(); }

    StageSetup m_setup;

private:
    [[nodiscard]] std::vector<at::Tensor> runOperations(const Executor::Observer& done)
    {
        Executor::Values values = m_executor->begin(m_places.inputs());
        m_executor->runRange(0, m_executor->instructionCount(), values, done);
        return m_executor->outputs(values);
    }

    core::EagerStage m_eager;
    StagePlaces m_places;
    std::optional<Executor> m_executor;  // reads m_eager.stage.graph, so it stays where it is
    std::int64_t m_layoutBytes = 0;
    ProductCounts m_products;
};

// Until prepare() it is eager.
class GraphRunner final : public EagerRunner
{
public:
    using EagerRunner::EagerRunner;

    void run() override
    {
        if (m_recording)
            m_recording.launch(inputs());
        else
            EagerRunner::run();
    }

    // The pass that is recorded is the one that is counted. It leaves its outputs among the values,
    // where the next stage finds them at a fixed address.
    [[nodiscard]] Status prepare() override
    {
        return m_recording.record(m_setup.backend, inputs(), [this] { observe(); });
    }

    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }

private:
    RecordedPass m_recording;
};

template <typename Runner>
Result<std::unique_ptr<StageRunner>> make(const StageSetup& setup)
{
    QS_TRY(core::EagerStage eager, core::eagerStage(setup.program, setup.device));
    auto runner = std::make_unique<Runner>(setup, std::move(eager));
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
