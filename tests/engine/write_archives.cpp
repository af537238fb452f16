// write_archives FOLDER: runs stages of several models and writes each into a folder of its own, as
// archive.pt2 with its inputs and outputs as raw bytes, for tests/oracle/test_written_archives.py.

#include "core/graph/exported/program_writer.h"
#include "core/lower/reference.h"
#include "core/model/generated_inputs.h"
#include "tests/engine/family_pipeline.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace qs::tests {
namespace {

using core::Json;

struct Case {
    const char* name;
    const char* reference;
    core::ShapePoint shape;
    const char* precision;
    std::size_t stages;  // of the first ones
};

const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"vitok", "vitok:w64_d2_h4-w48_d2_h3/1x8x16", {2, {{"image_size", 64}}}, "fp32", 2},
        {"vitok_int8dq",
         "vitok:w64_d2_h4-w64_d2_h4/1x8x16",
         {2, {{"image_size", 64}}},
         "int8dq",
         2},
        {"resnet18", "resnet:18/10", {2, {{"image_size", 32}}}, "fp32", 1},
        {"llama_prefill",
         "llama:w32_d2_h4_k2_f48_v80",
         {2, {{"new_tokens", 3}, {"prompt_tokens", 5}}},
         "fp32",
         1},
        {"llama_int8wo",
         "llama:w32_d2_h4_k2_f48_v80",
         {1, {{"new_tokens", 3}, {"prompt_tokens", 5}}},
         "int8wo",
         1},
    };
    return all;
}

void writeBytes(const std::filesystem::path& path, const at::Tensor& tensor)
{
    const at::Tensor dense = tensor.contiguous();
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char*>(dense.const_data_ptr()),
               static_cast<std::streamsize>(dense.nbytes()));
}

// Writes it beside what describes it.
Json stored(const std::filesystem::path& folder, const std::string& file, const std::string& name,
            const at::Tensor& tensor)
{
    writeBytes(folder / file, tensor);
    return {{"file", file},
            {"name", name},
            {"dtype", core::name(engine::fromTorch(tensor.scalar_type()))},
            {"shape", tensor.sizes().vec()}};
}

core::Status giveBytes(const at::Tensor& tensor, const core::TextSink& sink)
{
    const at::Tensor dense = tensor.contiguous();
    return sink({static_cast<const char*>(dense.const_data_ptr()), dense.nbytes()});
}

engine::NamedTensors withStates(const core::Graph& graph, engine::NamedTensors tensors)
{
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const core::Value& value = graph.values[i];
        if (value.kind != core::ValueKind::State)
            continue;
        tensors[value.name] =
            at::full(value.type.shape, graph.initialValue(static_cast<core::ValueId>(i)),
                     at::TensorOptions().dtype(engine::toTorch(value.type.dtype)));
    }
    return tensors;
}

engine::NamedTensors hostTensors(const core::HostTensors& inputs)
{
    engine::NamedTensors tensors;
    for (const auto& [name, host] : inputs)
        tensors[name] = std::visit(
            [&](const auto& values) { return at::tensor(values).view(host.shape); }, host.values);
    return tensors;
}

// Runs the stage on what is there, adds its outputs to it, and writes all of it.
core::Status writeStage(const core::Graph& graph, const engine::NamedTensors& weights,
                        engine::NamedTensors& values, const std::filesystem::path& folder)
{
    const engine::NamedTensors tensors = withStates(graph, weights);
    QS_TRY(const engine::Executor executor,
           engine::Executor::create(graph, tensors, c10::Device(c10::kCPU)));
    std::vector<at::Tensor> inputs;
    Json about{{"inputs", Json::array()}, {"outputs", Json::array()}};
    for (const core::ValueId id : graph.inputs) {
        const core::Value& value = graph.value(id);
        inputs.push_back(values.at(value.name).to(engine::toTorch(value.type.dtype)));
        about["inputs"].push_back(
            stored(folder, "input_" + std::to_string(inputs.size()), value.name, inputs.back()));
    }
    const core::ProgramToWrite program{graph, "cpu",
                                       [&](const core::Value& weight, const core::TextSink& sink) {
                                           return giveBytes(tensors.at(weight.name), sink);
                                       }};
    QS_RETURN_IF_ERROR(core::writeExportedProgram(program, folder / "archive.pt2"));
    QS_RETURN_IF_ERROR(core::writeExportedProgram({graph}, folder / "shapes.pt2"));
    const std::vector<at::Tensor> outputs = executor.run(inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string& name = graph.value(graph.outputs[i]).name;
        about["outputs"].push_back(stored(folder, "output_" + std::to_string(i), name, outputs[i]));
        values[name] = outputs[i];
    }
    about["weights"] = tensors.size();
    std::ofstream(folder / "about.json") << about.dump(1);
    return {};
}

core::Status writeCase(const Case& each, const std::filesystem::path& folder)
{
    QS_TRY(const core::OpenedModel opened, core::openModel(each.reference, "", 42));
    const core::Recipe recipe =
        core::makeRecipe(*opened.model.family, {each.precision}, "every").value();
    QS_TRY(const core::Program program,
           core::lower(*opened.model.family, {recipe, each.shape, {}}));
    std::vector<const core::Graph*> graphs;
    for (const core::StageProgram& stage : program.stages)
        graphs.push_back(&stage.graph);
    const core::HostTensors inputs =
        core::generateInputs(opened.model.family->workload(), graphs, 7, each.shape.batch);
    FamilyPipeline pipeline(each.reference, each.shape, inputs, each.precision);
    engine::NamedTensors values = hostTensors(inputs);
    QS_TRY(const auto references, core::referenceStages(pipeline.program(), core::describeCpu()));
    for (std::size_t stage = 0; stage < each.stages; ++stage) {
        const std::filesystem::path place =
            folder / (std::string(each.name) + "_" + program.stages[stage].name);
        std::filesystem::create_directories(place);
        QS_RETURN_IF_ERROR(
            writeStage(references[stage].graph, pipeline.weights()[stage].tensors, values, place));
    }
    return {};
}

}  // namespace
}  // namespace qs::tests

int main(int count, char** arguments)
{
    const c10::InferenceMode guard;
    for (const qs::tests::Case& each : qs::tests::cases()) {
        const qs::core::Status status =
            count == 2 ? qs::tests::writeCase(each, arguments[1])
                       : qs::core::Error{qs::core::ErrorCode::InvalidArgument, "one folder"};
        if (!status.ok()) {
            static_cast<void>(
                std::fprintf(stderr, "%s: %s\n", each.name, status.error().message.c_str()));
            return 1;
        }
    }
    return 0;
}
