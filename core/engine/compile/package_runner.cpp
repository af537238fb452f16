#include "core/engine/compile/package_runner.h"

#include "core/engine/compile/eager_comparison.h"
#include "core/engine/compile/loaded_package.h"
#include "core/engine/compile/stage_places.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/reference.h"

#include <optional>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

class PackageRunner final : public StageRunner
{
public:
    PackageRunner(const StageSetup& setup, core::ReferenceStage reference)
        : m_setup(setup),
          m_reference(std::move(reference)),
          m_places(m_reference.graph, m_setup.values)
    {
    }

    [[nodiscard]] Status load()
    {
        const StagePackage& made = m_setup.packages.front();
        for (const core::ExecutedProduct& product : made.compile.products)
            m_products[{product.operation, product.type}] += product.ran;
        QS_TRY(LoadedPackage package,
               LoadedPackage::load(made.file, m_setup.backend.device(), m_reference.graph,
                                   [this](core::ValueId id) { return tensorOf(id); }));
        m_package.emplace(std::move(package));
        return {};
    }

    void run() override
    {
        if (m_recording)
            m_recording.launch(m_places.inputs());
        else
            runPackage();
    }

    // What is called was counted when it was compiled.
    void observe() override { runPackage(); }

    [[nodiscard]] Status verify() override
    {
        QS_TRY(m_distance, engine::distanceToEager(m_setup, m_reference.graph, m_places.inputs(),
                                                   [this] { runPackage(); }));
        return {};
    }

    [[nodiscard]] Status prepare() override
    {
        if (!m_setup.program.compile->recorded)
            return {};
        return m_recording.record(m_setup.backend, m_places.inputs(), [this] { runPackage(); });
    }

    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] WeightProducts weightProducts() const override
    {
        WeightProducts products;
        for (const core::ExecutedProduct& product : m_setup.packages.front().compile.products) {
            for (const std::string& name : product.operands)
                products[name] = {product.operation, product.type};
        }
        return products;
    }
    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }
    [[nodiscard]] std::vector<core::Note> notes() const override { return m_reference.notes; }
    [[nodiscard]] double distanceToEager() const override { return m_distance; }

private:
    // Packages read dense tensors.
    [[nodiscard]] at::Tensor tensorOf(core::ValueId id) const
    {
        const core::Value& value = m_reference.graph.value(id);
        if (value.kind == core::ValueKind::State)
            return m_setup.states.at(value.name);
        if (value.kind == core::ValueKind::Weight)
            return m_setup.weights.at(value.name).contiguous();
        return constantTensor(value.type, m_reference.graph.constants.at(id),
                              m_setup.backend.device());
    }

    void runPackage() { m_places.keep(m_package->run(m_places.inputs())); }

    StageSetup m_setup;
    core::ReferenceStage m_reference;
    StagePlaces m_places;
    std::optional<LoadedPackage> m_package;
    RecordedPass m_recording;
    ProductCounts m_products;
    double m_distance = 0.0;
};

}  // namespace

Result<std::unique_ptr<StageRunner>> makePackageRunner(const StageSetup& setup)
{
    if (setup.packages.size() != 1)
        return Error{ErrorCode::Internal, "no package was made for the stage"};
    QS_TRY(core::ReferenceStage reference, core::referenceStage(setup.program, setup.device));
    auto runner = std::make_unique<PackageRunner>(setup, std::move(reference));
    QS_RETURN_IF_ERROR(runner->load());
    return std::unique_ptr<StageRunner>(std::move(runner));
}

}  // namespace qs::engine
