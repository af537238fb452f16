#include "core/engine/compile/loaded_program.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/json.h"
#include "core/engine/internal/spoken_errors.h"
#include "core/engine/internal/torch_types.h"

#include <c10/util/Exception.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// "[1, {"type": "builtins.dict", "context": "[\"sum\", \"mean\"]", "children_spec": […]}]"
std::vector<std::string> namesOfDict(const std::string& spec)
{
    const auto parsed = core::parseJson(spec, "call spec");
    if (!parsed.ok() || !parsed.value().is_array() || parsed.value().size() != 2)
        return {};
    const core::Json& root = parsed.value()[1];
    const auto text = [&](const char* key) {
        const auto found = root.is_object() ? root.find(key) : root.end();
        return root.is_object() && found != root.end() && found->is_string()
                   ? found->get<std::string>()
                   : std::string();
    };
    if (text("type") != "builtins.dict")
        return {};
    const auto keys = core::parseJson(text("context"), "call spec");
    const auto children = root.find("children_spec");
    if (!keys.ok() || !keys.value().is_array() || children == root.end() ||
        children->size() != keys.value().size())
        return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys.value().size(); ++i) {
        const core::Json& child = (*children)[i];
        const bool isLeaf =
            child.is_object() && child.contains("children_spec") && child["children_spec"].empty();
        if (!isLeaf || !keys.value()[i].is_string())
            return {};
        names.push_back(keys.value()[i].get<std::string>());
    }
    return names;
}

}  // namespace

LoadedProgram::LoadedProgram() = default;
LoadedProgram::~LoadedProgram() = default;
LoadedProgram::LoadedProgram(LoadedProgram&&) noexcept = default;
LoadedProgram& LoadedProgram::operator=(LoadedProgram&&) noexcept = default;

Result<LoadedProgram> LoadedProgram::load(const core::packaged::UnpackedPackage& package,
                                          c10::Device device)
{
    // Read by the library at its first pass.
    ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", /*overwrite=*/1);
    LoadedProgram program;
    program.m_folder = package.folder.string();
    SpokenErrors spoken(package.folder);
    const Status status = catching([&]() -> Status {
        const auto& makers = torch::inductor::getAOTIModelRunnerRegistry();
        const auto maker = makers.find(device.is_cpu() ? "cpu" : "cuda");
        if (maker == makers.end())
            return Error{ErrorCode::Unsupported, "this worker runs no programs on " + device.str()};
        program.m_runner = maker->second(package.library.string(), /*num_models=*/1, device.str(),
                                         package.folder.string(), /*run_single_threaded=*/true);
        if (!package.weights.empty())
            program.m_runner->update_constant_buffer_from_blob(package.weights.string());
        return {};
    });
    if (status.ok())
        return program;
    return Error{
        status.error().code == ErrorCode::Internal ? ErrorCode::Unsupported : status.error().code,
        "the library of the package cannot be loaded: " + spoken.take(status.error().message)};
}

std::vector<at::Tensor> LoadedProgram::run(const std::vector<at::Tensor>& inputs) const
{
    return m_runner->run(inputs);
}

Result<std::vector<at::Tensor>> LoadedProgram::tryRun(const std::vector<at::Tensor>& inputs) const
{
    std::vector<at::Tensor> outputs;
    SpokenErrors spoken(m_folder);
    const Status status = catching([&]() -> Status {
        outputs = m_runner->run(inputs);
        return {};
    });
    if (status.ok())
        return outputs;
    if (status.error().code != ErrorCode::Internal)
        return status.error();
    return Error{ErrorCode::Unsupported, "the package does not run on these inputs: " +
                                             spoken.take(status.error().message)};
}

std::vector<std::string> LoadedProgram::outputNames() const
{
    std::vector<std::string> names;
    static_cast<void>(catching([&]() -> Status {
                          const std::vector<std::string> specs = m_runner->get_call_spec();
                          if (specs.size() == 2)
                              names = namesOfDict(specs[1]);
                          return {};
                      }).ok());
    return names;
}

}  // namespace qs::engine
