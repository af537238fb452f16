// run_exported FOLDER: opens FOLDER/*/model.pt2 as a model each and runs it on the inputs and sizes
// that its about.json names; for tests/oracle/test_exported_networks.py.

#include "core/base/json.h"
#include "core/engine/compile/fused_runner.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"
#include "core/model/catalogue.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace qs::tests {
namespace {

using core::Json;

constexpr core::JsonLimits kLimits{.nodes = 1'000'000};

at::Tensor tensorOf(const std::filesystem::path& folder, const Json& about)
{
    const auto dtype = core::parseDType(about["dtype"].get<std::string>()).value();
    at::Tensor tensor =
        at::empty(about["shape"].get<std::vector<std::int64_t>>(), engine::toTorch(dtype));
    std::ifstream(folder / about["file"].get<std::string>(), std::ios::binary)
        .read(static_cast<char*>(tensor.mutable_data_ptr()),
              static_cast<std::streamsize>(tensor.nbytes()));
    return tensor;
}

core::ShapePoint shapeOf(const Json& point)
{
    core::ShapePoint shape{point["batch"].get<std::int64_t>()};
    for (const auto& [name, value] : point["sizes"].items())
        shape.sizes.set(name, value.get<std::int64_t>());
    return shape;
}

engine::NamedTensors initialStates(const core::Graph& graph)
{
    engine::NamedTensors states;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const core::Value& value = graph.values[i];
        if (value.kind != core::ValueKind::State)
            continue;
        states[value.name] =
            at::full(value.type.shape, graph.initialValue(static_cast<core::ValueId>(i)),
                     engine::toTorch(value.type.dtype));
    }
    return states;
}

// How far the passes of compile mode "fused" bring the outputs from those of operations one by one:
// relative L2, the larger one of what they make for a processor and for a GPU, both of which are
// computed by their compositions here.
core::Result<double> distanceOfPasses(const core::StageProgram& stage,
                                      const engine::NamedTensors& weights,
                                      const engine::NamedTensors& inputs)
{
    const std::unique_ptr<engine::Backend> backend = engine::makeCpuBackend();
    const core::DeviceDescription cpu = core::describeCpu();
    double largest = 0.0;
    for (const core::DeviceDescription& device : {cpu, core::commonGpus().front()}) {
        engine::NamedTensors values = inputs;
        const engine::NamedTensors states = initialStates(stage.graph);
        const engine::StageSetup setup{stage, weights, states, values, *backend, cpu};
        QS_TRY(core::RegionStage fused, core::fusedStage(stage, device));
        QS_TRY(const auto runner, engine::makeFusedRunnerOf(setup, std::move(fused)));
        runner->run();
        QS_RETURN_IF_ERROR(runner->verify());
        largest = std::max(largest, runner->distanceToEager());
    }
    return largest;
}

// The outputs of one point, written beside its inputs; twice, for what a run might leave behind.
core::Status runPoint(const core::Model& model, const Json& point,
                      const std::filesystem::path& folder, Json& results)
{
    const std::string precision = point["precision"].get<std::string>();
    const core::Recipe recipe = core::makeRecipe(*model.family, {precision}, "every").value();
    QS_TRY(const core::Program program, core::lower(*model.family, {recipe, shapeOf(point), {}}));
    const auto everything = [](auto...) { return true; };
    const c10::Device cpu(c10::kCPU);
    QS_TRY(engine::WeightLoader loader, engine::WeightLoader::create(model, cpu));
    QS_TRY(engine::StageWeights weights, loader.load(0, program.stages[0].workingType, everything));
    QS_RETURN_IF_ERROR(engine::quantizeWeights(weights, program.stages[0], cpu, everything));
    QS_TRY(const core::ReferenceStage stage,
           core::referenceStage(program.stages[0], core::describeCpu()));
    QS_TRY(const engine::Executor executor,
           engine::Executor::create(stage.graph, weights.tensors, cpu));
    std::vector<at::Tensor> inputs;
    engine::NamedTensors named;
    for (const core::ValueId id : stage.graph.inputs) {
        const core::Value& value = stage.graph.value(id);
        for (const Json& each : point["inputs"]) {
            if (each["name"] == value.name)
                inputs.push_back(tensorOf(folder, each).to(engine::toTorch(value.type.dtype)));
        }
        if (!inputs.empty())
            named[value.name] = inputs.back().clone();
    }
    if (inputs.size() != stage.graph.inputs.size())
        return core::Error{core::ErrorCode::InvalidArgument, "inputs have other names"};
    QS_TRY(const double passes, distanceOfPasses(program.stages[0], weights.tensors, named));
    static_cast<void>(executor.run(inputs));
    const std::vector<at::Tensor> outputs = executor.run(inputs);
    Json written = Json::array();
    for (const at::Tensor& output : outputs) {
        const std::string file =
            "ours_" + std::to_string(results.size()) + "_" + std::to_string(written.size());
        const at::Tensor dense = output.contiguous();
        std::ofstream(folder / file, std::ios::binary)
            .write(static_cast<const char*>(dense.const_data_ptr()),
                   static_cast<std::streamsize>(dense.nbytes()));
        written.push_back({{"file", file},
                           {"dtype", core::name(engine::fromTorch(dense.scalar_type()))},
                           {"shape", dense.sizes().vec()}});
    }
    std::int64_t layers = 0;
    for (const core::LayerRow& row : program.layers)
        layers += row.matched ? 1 : 0;
    results.push_back({{"outputs", written}, {"matched", layers}, {"passes", passes}});
    return {};
}

Json runNetwork(const std::filesystem::path& folder)
{
    std::ifstream file(folder / "about.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Json about = core::parseJson(text, "about.json", kLimits).value();
    const auto opened = core::openModel((folder / "model.pt2").string(), "", 42);
    if (!opened.ok())
        return {{"error", opened.error().message}};
    Json points = Json::array();
    for (const Json& point : about["points"]) {
        core::Status status;
        const core::Status thrown = engine::catching([&] {
            status = runPoint(opened.value().model, point, folder, points);
            return core::Status();
        });
        if (!status.ok() || !thrown.ok())
            return {{"error", (thrown.ok() ? status : thrown).error().message}};
    }
    Json sizes = Json::array();
    for (const core::SizeSpec& size : opened.value().model.family->workload().sizes)
        sizes.push_back(size.name);
    return {{"points", points},
            {"sizes", sizes},
            {"layers", opened.value().model.family->layers(0).size()},
            {"unit", core::name(opened.value().model.family->workload().unit)}};
}

}  // namespace
}  // namespace qs::tests

int main(int count, char** arguments)
{
    if (count != 2)
        return 2;
    const c10::InferenceMode guard;
    for (const auto& each : std::filesystem::directory_iterator(arguments[1]))
        std::ofstream(each.path() / "result.json") << qs::tests::runNetwork(each.path()).dump(1);
    return 0;
}
