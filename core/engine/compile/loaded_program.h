#pragma once

#include "core/base/result.h"
#include "core/model/packaged/unpack_package.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <vector>

namespace torch::inductor {
class AOTIModelContainerRunner;
}

namespace qs::engine {

// A compiled program of a user in this process, see Note [Packages of a user]: only in a process
// that is shut off. It checks its inputs in each pass, where it was compiled to be able to: a
// program that reads beyond a tensor gives numbers like any other.
class LoadedProgram final
{
public:
    [[nodiscard]] static core::Result<LoadedProgram>
    load(const core::packaged::UnpackedPackage& package, c10::Device device);
    ~LoadedProgram();
    LoadedProgram(LoadedProgram&&) noexcept;
    LoadedProgram& operator=(LoadedProgram&&) noexcept;

    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) const;
    // The same; what the program says against the inputs is the error, Unsupported.
    [[nodiscard]] core::Result<std::vector<at::Tensor>>
    tryRun(const std::vector<at::Tensor>& inputs) const;
    // As its outputs are called where they are a dict of tensors; else none.
    [[nodiscard]] std::vector<std::string> outputNames() const;

private:
    LoadedProgram();

    std::unique_ptr<torch::inductor::AOTIModelContainerRunner> m_runner;
    std::string m_folder;  // for what it says meanwhile
};

}  // namespace qs::engine
