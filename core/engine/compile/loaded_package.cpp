#include "core/engine/compile/loaded_package.h"

#include "core/graph/exported/program_writer.h"

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace qs::engine {

using torch::inductor::AOTIModelPackageLoader;

namespace {

// What compiled kernels take for granted of the addresses of their inputs, in bytes.
constexpr std::uintptr_t kAlignment = 16;

at::Tensor dense(const at::Tensor& tensor)
{
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % kAlignment == 0;
    if (!tensor.is_contiguous())
        return tensor.contiguous();
    return aligned ? tensor : tensor.clone();
}

}  // namespace

LoadedPackage::LoadedPackage() = default;
LoadedPackage::~LoadedPackage() = default;
LoadedPackage::LoadedPackage(LoadedPackage&&) noexcept = default;
LoadedPackage& LoadedPackage::operator=(LoadedPackage&&) noexcept = default;

core::Result<LoadedPackage>
LoadedPackage::load(const std::filesystem::path& file, c10::Device device, const core::Graph& graph,
                    const std::function<at::Tensor(core::ValueId)>& tensorOf)
{
    LoadedPackage package;
    package.m_loader = std::make_unique<AOTIModelPackageLoader>(
        file.string(), "model", /*run_single_threaded=*/true, /*num_runners=*/1,
        device.is_cpu() ? c10::DeviceIndex(-1) : device.index());
    const auto held = core::heldTensors(graph);
    std::unordered_map<std::string, at::Tensor> constants;
    for (const std::string& name : package.m_loader->get_constant_fqns()) {
        const auto found = held.find(name);
        if (found == held.end())
            return core::Error{core::ErrorCode::Internal, "the package asks for " + name +
                                                              ", which its program does not have"};
        constants.emplace(name, tensorOf(found->second));
    }
    if (!constants.empty())
        package.m_loader->load_constants(constants, /*use_inactive=*/false,
                                         /*check_full_update=*/true, /*user_managed=*/true);
    for (auto& [name, tensor] : constants)
        package.m_constants.push_back(tensor);
    return package;
}

std::vector<at::Tensor> LoadedPackage::run(std::vector<at::Tensor> inputs) const
{
    for (at::Tensor& input : inputs)
        input = dense(input);
    return m_loader->run(inputs);
}

}  // namespace qs::engine
