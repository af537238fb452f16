#include "core/engine/compile/fused_runner.h"

#include "core/engine/compile/eager_comparison.h"
#include "core/engine/compile/fused_group.h"
#include "core/engine/compile/region_calls.h"
#include "core/engine/compile/stage_places.h"
#include "core/engine/execute/attention_choice.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/pass_report.h"
#include "core/lower/reference.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

class FusedRunner final : public StageRunner
{
public:
    FusedRunner(const StageSetup& setup, core::ReferenceStage reference, core::RegionStage fused)
        : m_setup(setup),
          m_reference(std::move(reference)),
          m_fused(std::move(fused)),
          m_places(m_reference.graph, m_setup.values)
    {
    }

    [[nodiscard]] Status load()
    {
        const auto weightInputs = core::weightInputs(m_fused);
        for (std::size_t i = 0; i < m_fused.programs.size(); ++i) {
            QS_TRY(FusedGroup group,
                   FusedGroup::create(m_fused.programs[i].graph, m_setup.backend, m_setup.device,
                                      weightInputs[i], core::mostUnits(m_setup.program.compile)));
            m_groups.push_back(std::move(group));
        }
        QS_TRY(NamedTensors weights, allWeights());
        QS_TRY(RegionCalls calls, RegionCalls::create(m_fused, std::move(weights), m_setup.states,
                                                      m_setup.backend.device()));
        m_calls.emplace(std::move(calls));
        return {};
    }

    void run() override
    {
        if (m_recording)
            m_recording.launch(m_places.inputs());
        else
            runStage({});
    }

    // A product in a kernel of ours multiplies and adds in the types of its composition.
    void observe() override
    {
        m_products.clear();
        const auto count = [this](const core::Node& node, core::DType type) {
            if (core::multiplies(*node.operation))
                ++m_products[{std::string(node.operation->name), type}];
        };
        runStage([&](const core::Node& node, const std::vector<at::Tensor>& results) {
            count(node, fromTorch(results.front().scalar_type()));
        });
        for (const std::size_t program : m_calls->programs()) {
            const core::Graph& graph = m_fused.programs[program].graph;
            for (const core::Node& node : graph.nodes) {
                if (!node.outputs.empty())
                    count(node, graph.value(node.outputs.front()).type.dtype);
            }
        }
    }

    [[nodiscard]] Status verify() override
    {
        QS_TRY(m_distance, engine::distanceToEager(m_setup, m_reference.graph, m_places.inputs(),
                                                   [this] { runStage({}); }));
        return {};
    }

    [[nodiscard]] Status prepare() override
    {
        if (m_setup.backend.stream() == nullptr)
            return {};
        return m_recording.record(m_setup.backend, m_places.inputs(), [this] { runStage({}); });
    }

    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }
    // A group may fall back as late as when it is recorded.
    [[nodiscard]] std::vector<core::Note> notes() const override
    {
        std::vector<core::Note> notes = m_fused.notes;
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            if (const auto& why = m_groups[i].whyComposed())
                notes.push_back({core::NoteCode::FusedFellBack,
                                 {m_setup.program.name, m_fused.programs[i].module, *why}});
        }
        return notes;
    }
    [[nodiscard]] double distanceToEager() const override { return m_distance; }
    [[nodiscard]] std::vector<core::KernelChoice> kernels() const override
    {
        std::vector<core::KernelChoice> kernels;
        const core::ProductChip chip =
            core::productChip(m_setup.device, core::mostUnits(m_setup.program.compile));
        for (core::PassEntry& entry : core::passReport(m_fused, chip)) {
            std::vector<core::KernelChoice> choices;
            if (entry.program) {
                const FusedGroup& group = m_groups[*entry.program];
                choices = group.choices();
                if (group.whyComposed())
                    entry.why = core::Unfused::FellBack;
            }
            if (choices.empty())
                choices.emplace_back();  // operation by operation
            for (core::KernelChoice& choice : choices) {
                choice.module = entry.module;
                choice.operations = entry.operations;
                choice.calls = entry.calls;
                const bool wasTried = choice.kernel.empty() && !choice.shape.empty();
                choice.why = wasTried ? core::Unfused::Library : entry.why;
                kernels.push_back(std::move(choice));
            }
        }
        return kernels;
    }
    [[nodiscard]] bool hasOwnAttention() const override
    {
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            const std::vector<core::Node>& nodes = m_fused.programs[i].graph.nodes;
            const bool attends =
                std::any_of(nodes.begin(), nodes.end(), [](const core::Node& node) {
                    return node.operation->operationClass == core::OperationClass::Attention;
                });
            if (attends && m_groups[i].isOwn())
                return true;
        }
        return false;
    }

private:
    // Those of the model, and what is made once.
    [[nodiscard]] Result<NamedTensors> allWeights() const
    {
        NamedTensors weights = m_setup.weights;
        const core::Graph& once = m_fused.once;
        if (once.nodes.empty())
            return weights;
        QS_TRY(const Executor executor, Executor::create(once, {}, m_setup.backend.device()));
        const std::vector<at::Tensor> made = executor.run({});
        for (std::size_t i = 0; i < made.size(); ++i)
            weights[once.value(once.outputs[i]).name] = made[i];
        return weights;
    }

    void runStage(const Executor::Observer& done)
    {
        const auto runGroup = [this](std::size_t program, std::vector<at::Tensor> inputs) {
            return m_groups[program].run(std::move(inputs));
        };
        m_places.keep(m_calls->run(m_places.inputs(), runGroup, done));
    }

    StageSetup m_setup;
    core::ReferenceStage m_reference;
    core::RegionStage m_fused;
    StagePlaces m_places;
    std::vector<FusedGroup> m_groups;    // one for each program
    std::optional<RegionCalls> m_calls;  // reads m_fused, so it stays where it is
    RecordedPass m_recording;
    ProductCounts m_products;
    double m_distance = 0.0;
};

}  // namespace

Result<std::unique_ptr<StageRunner>> makeFusedRunner(const StageSetup& setup)
{
    QS_TRY(core::RegionStage fused,
           core::fusedStage(setup.program, setup.device, chosenAttention()));
    return makeFusedRunnerOf(setup, std::move(fused));
}

Result<std::unique_ptr<StageRunner>> makeFusedRunnerOf(const StageSetup& setup,
                                                       core::RegionStage fused)
{
    QS_TRY(core::ReferenceStage reference, core::referenceStage(setup.program, setup.device));
    auto runner = std::make_unique<FusedRunner>(setup, std::move(reference), std::move(fused));
    QS_RETURN_IF_ERROR(runner->load());
    return std::unique_ptr<StageRunner>(std::move(runner));
}

}  // namespace qs::engine
