#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace torch::inductor {
class AOTIModelPackageLoader;
}

namespace qs::engine {

// A package in this process, with the tensors that it reads beside its inputs. They are not its
// own: it holds on to them.
class LoadedPackage final
{
public:
    // `graph` is what the package was made of; `tensorOf` gives its weights, states and constants.
    [[nodiscard]] static core::Result<LoadedPackage>
    load(const std::filesystem::path& file, c10::Device device, const core::Graph& graph,
         const std::function<at::Tensor(core::ValueId)>& tensorOf);
    ~LoadedPackage();
    LoadedPackage(LoadedPackage&&) noexcept;
    LoadedPackage& operator=(LoadedPackage&&) noexcept;

    // Inputs in the order of the graph's, copied first if they are not dense.
    [[nodiscard]] std::vector<at::Tensor> run(std::vector<at::Tensor> inputs) const;

private:
    LoadedPackage();

    std::unique_ptr<torch::inductor::AOTIModelPackageLoader> m_loader;
    std::vector<at::Tensor> m_constants;
};

}  // namespace qs::engine
