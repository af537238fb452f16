#include "core/engine/compile/region_runner.h"

#include "core/engine/compile/eager_comparison.h"
#include "core/engine/compile/loaded_package.h"
#include "core/engine/compile/region_calls.h"
#include "core/engine/compile/region_timing.h"
#include "core/engine/compile/stage_places.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"
#include "core/lower/region_stage.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace qs::engine {

using core::Result;
using core::Status;

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

class RegionRunner final : public StageRunner
{
public:
    RegionRunner(const StageSetup& setup, core::ReferenceStage reference, core::RegionStage regions)
        : m_setup(setup),
          m_reference(std::move(reference)),
          m_regions(std::move(regions)),
          m_places(m_reference.graph, m_setup.values)
    {
    }

    [[nodiscard]] Status load()
    {
        const c10::Device device = m_setup.backend.device();
        for (std::size_t i = 0; i < m_regions.programs.size(); ++i) {
            const core::Graph& graph = m_regions.programs[i].graph;
            QS_TRY(
                LoadedPackage package,
                LoadedPackage::load(m_setup.packages[i].file, device, graph, [&](core::ValueId id) {
                    return constantTensor(graph.value(id).type, graph.constants.at(id), device);
                }));
            m_packages.push_back(std::move(package));
        }
        QS_TRY(RegionCalls calls,
               RegionCalls::create(m_regions, m_setup.weights, m_setup.states, device));
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

    // What packages call was counted when they were compiled.
    void observe() override
    {
        m_products.clear();
        for (const std::size_t program : m_calls->programs()) {
            for (const core::ExecutedProduct& product : m_setup.packages[program].compile.products)
                m_products[{product.operation, product.type}] += product.ran;
        }
        runStage([this](const core::Node& node, const std::vector<at::Tensor>& results) {
            if (core::multiplies(*node.operation))
                ++m_products[{std::string(node.operation->name),
                              fromTorch(results.front().scalar_type())}];
        });
    }

    [[nodiscard]] Status verify() override
    {
        QS_TRY(m_distance, engine::distanceToEager(m_setup, m_reference.graph, m_places.inputs(),
                                                   [this] { runStage({}); }));
        return {};
    }

    [[nodiscard]] Status prepare() override
    {
        if (!m_setup.program.compile->recorded)
            return {};
        return m_recording.record(m_setup.backend, m_places.inputs(), [this] { runStage({}); });
    }

    [[nodiscard]] Result<std::vector<core::PartTime>> timeParts() override
    {
        std::vector<core::PartTime> times;
        for (std::size_t i = 0; i < m_packages.size(); ++i) {
            QS_TRY(const core::PartTime time,
                   timeRegion(m_regions.programs[i].graph, m_packages[i],
                              m_calls->inputsOf(i, m_places.inputs(), runPackage()),
                              m_setup.backend));
            times.push_back(time);
        }
        return times;
    }

    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    // A region reads the weights of its place as inputs.
    [[nodiscard]] WeightProducts weightProducts() const override
    {
        WeightProducts products;
        std::size_t region = 0;
        for (const core::Node& node : m_regions.graph.nodes) {
            if (node.operation->name != core::kQsRegion)
                continue;
            const std::vector<core::ValueId> read = node.inputs();
            const std::size_t program = m_regions.programOf.at(region++);
            for (const core::ExecutedProduct& product :
                 m_setup.packages[program].compile.products) {
                for (std::size_t i = 0; i < read.size(); ++i) {
                    if (contains(product.operands, "#" + std::to_string(i)))
                        products[m_regions.graph.value(read[i]).name] = {product.operation,
                                                                         product.type};
                }
            }
        }
        return products;
    }
    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }
    [[nodiscard]] std::vector<core::Note> notes() const override { return m_regions.notes; }
    [[nodiscard]] double distanceToEager() const override { return m_distance; }

private:
    [[nodiscard]] RegionCalls::RunProgram runPackage() const
    {
        return [this](std::size_t program, std::vector<at::Tensor> inputs) {
            return m_packages[program].run(std::move(inputs));
        };
    }

    void runStage(const Executor::Observer& done)
    {
        m_places.keep(m_calls->run(m_places.inputs(), runPackage(), done));
    }

    StageSetup m_setup;
    core::ReferenceStage m_reference;
    core::RegionStage m_regions;
    StagePlaces m_places;
    std::vector<LoadedPackage> m_packages;  // one for each program
    std::optional<RegionCalls> m_calls;     // reads m_regions, so it stays where it is
    RecordedPass m_recording;
    ProductCounts m_products;
    double m_distance = 0.0;
};

}  // namespace

Result<std::unique_ptr<StageRunner>> makeRegionRunner(const StageSetup& setup,
                                                      core::RegionStage regions)
{
    QS_TRY(core::ReferenceStage reference, core::referenceStage(setup.program, setup.device));
    if (setup.packages.size() != regions.programs.size())
        return core::Error{core::ErrorCode::Internal, "the stage lacks packages of its regions"};
    auto runner = std::make_unique<RegionRunner>(setup, std::move(reference), std::move(regions));
    QS_RETURN_IF_ERROR(runner->load());
    return std::unique_ptr<StageRunner>(std::move(runner));
}

}  // namespace qs::engine
