#include "core/engine/compile/package_runner.h"

#include "core/base/format.h"
#include "core/engine/internal/torch_types.h"
#include "core/graph/exported/program_writer.h"
#include "core/lower/reference.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/norm.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;
using torch::inductor::AOTIModelPackageLoader;

namespace {

// Relative L2 distance of a compiled stage from the eager one beyond which its time means nothing.
constexpr double kMostDistance = 0.05;

// || a - b || / || b ||; 0 where both are 0.
double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor wide = b.to(at::kDouble);
    const double difference = at::norm(a.to(at::kDouble) - wide).item<double>();
    const double size = at::norm(wide).item<double>();
    return difference == 0.0 ? 0.0 : difference / size;
}

class PackageRunner final : public StageRunner
{
public:
    PackageRunner(const StageSetup& setup, core::ReferenceStage reference)
        : m_setup(setup), m_reference(std::move(reference))
    {
    }

    [[nodiscard]] Status load()
    {
        const c10::Device device = m_setup.backend.device();
        for (const core::ExecutedProduct& product : m_setup.package.compile.products)
            m_products[{product.operation, product.type}] += product.ran;
        m_loader = std::make_unique<AOTIModelPackageLoader>(
            m_setup.package.file.string(), "model", /*run_single_threaded=*/true, /*num_runners=*/1,
            device.is_cpu() ? c10::DeviceIndex(-1) : device.index());
        const auto held = core::heldTensors(m_reference.graph);
        std::unordered_map<std::string, at::Tensor> constants;
        for (const std::string& name : m_loader->get_constant_fqns()) {
            const auto found = held.find(name);
            if (found == held.end())
                return Error{ErrorCode::Internal,
                             "the package asks for " + name + ", which the stage does not have"};
            constants.emplace(name, tensorOf(found->second));
        }
        m_loader->load_constants(constants, /*use_inactive=*/false, /*check_full_update=*/true,
                                 /*user_managed=*/true);
        for (auto& [name, tensor] : constants)
            m_constants.push_back(tensor);
        return {};
    }

    void run() override
    {
        if (!m_recording) {
            runPackage();
            return;
        }
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const at::Tensor& current = *places()[i];
            if (!current.is_same(m_inputs[i]))
                m_inputs[i].copy_(current);
        }
        m_recording->launch();
    }

    // What is called was counted when it was compiled.
    void observe() override { runPackage(); }

    [[nodiscard]] Status prepare() override
    {
        QS_RETURN_IF_ERROR(compareWithEager());
        if (!m_setup.program.compile->recorded)
            return {};
        m_inputs = inputs();
        QS_TRY(m_recording, m_setup.backend.record([this] { runPackage(); }));
        m_recording->launch();
        return {};
    }

    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] int recordingsPerPass() const override { return m_recording ? 1 : 0; }
    [[nodiscard]] const std::vector<core::Note>& notes() const override
    {
        return m_reference.notes;
    }
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

    // Found at the first pass, when the stages before have left theirs.
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
            inputs.push_back(place->contiguous());
        return inputs;
    }

    void runPackage()
    {
        std::vector<at::Tensor> outputs = m_loader->run(inputs());
        const core::Graph& graph = m_reference.graph;
        for (std::size_t i = 0; i < graph.outputs.size(); ++i)
            m_setup.values[graph.value(graph.outputs[i]).name] = std::move(outputs.at(i));
    }

    // Same inputs, same states, same batch. Leaves the states as the package left them.
    [[nodiscard]] Status compareWithEager()
    {
        NamedTensors tensors = m_setup.weights;
        for (const auto& [name, state] : m_setup.states)
            tensors[name] = state.clone();
        QS_TRY(const Executor eager,
               Executor::create(m_reference.graph, tensors, m_setup.backend.device()));
        const std::vector<at::Tensor> expected = eager.run(inputs());
        runPackage();
        const core::Graph& graph = m_reference.graph;
        for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
            const std::string& name = graph.value(graph.outputs[i]).name;
            // What is said of outputs that are not finite is said of the whole cell.
            if (!at::isfinite(expected.at(i)).all().item<bool>())
                continue;
            const double distance = relativeDistance(m_setup.values.at(name), expected.at(i));
            if (!(distance <= kMostDistance))
                return Error{ErrorCode::WrongResult, name + ": " +
                                                         core::formatSignificant(distance, 3) +
                                                         " relative L2 from eager, at most " +
                                                         core::formatSignificant(kMostDistance, 3)};
            m_distance = std::max(m_distance, distance);
        }
        return {};
    }

    StageSetup m_setup;
    core::ReferenceStage m_reference;
    std::unique_ptr<AOTIModelPackageLoader> m_loader;
    std::vector<at::Tensor> m_constants;  // that the package reads and does not own
    std::vector<const at::Tensor*> m_places;
    std::vector<at::Tensor> m_inputs;  // that the recording reads
    std::unique_ptr<RecordedWork> m_recording;
    ProductCounts m_products;
    double m_distance = 0.0;
};

}  // namespace

Result<std::unique_ptr<StageRunner>> makePackageRunner(const StageSetup& setup)
{
    if (setup.package.file.empty())
        return Error{ErrorCode::Internal, "no package was made for the stage"};
    QS_TRY(core::ReferenceStage reference, core::referenceStage(setup.program, setup.device));
    auto runner = std::make_unique<PackageRunner>(setup, std::move(reference));
    QS_RETURN_IF_ERROR(runner->load());
    return std::unique_ptr<StageRunner>(std::move(runner));
}

}  // namespace qs::engine
