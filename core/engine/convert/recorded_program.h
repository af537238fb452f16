#pragma once

#include "core/base/result.h"
#include "core/engine/convert/script_recording.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::engine {

// What a recording has written down so far: which tensor has which name, and the calls that made
// it. Tensors are told apart by their objects, which are kept from being reused.
class RecordedProgram final
{
public:
    // Parameters, buffers and other tensors of the module, by the path of their attribute.
    [[nodiscard]] core::Status addHeld(const std::string& path, const at::Tensor& tensor,
                                       core::exported::InputRole role);
    [[nodiscard]] core::Status addInput(const std::string& name, const at::Tensor& tensor);
    // A tensor that stands in the code itself.
    [[nodiscard]] core::Status addConstant(const at::Tensor& tensor);

    [[nodiscard]] bool knows(const at::Tensor& tensor) const;
    // Whether its values depend on inputs or weights.
    [[nodiscard]] bool dependsOnData(const at::Tensor& tensor) const;

    // A call as its schema names it. Calls that make no tensor, and those whose results were there
    // before and have not been written to, are left out.
    [[nodiscard]] core::Status addCall(const c10::FunctionSchema& schema,
                                       const std::vector<c10::IValue>& arguments,
                                       const std::vector<c10::IValue>& results,
                                       const std::string& module);
    // A number that became a tensor.
    [[nodiscard]] core::Status addNumber(const c10::IValue& number, const at::Tensor& tensor,
                                         const std::string& module);

    // The program with these results, without what none of them needs.
    [[nodiscard]] core::Result<ScriptRecording> finish(const std::vector<at::Tensor>& outputs);

private:
    struct Known {
        c10::weak_intrusive_ptr<c10::TensorImpl> object;
        std::string name;
        bool dependsOnData = false;
    };

    [[nodiscard]] const Known* find(const at::Tensor& tensor) const;
    [[nodiscard]] core::Status remember(const at::Tensor& tensor, const std::string& name,
                                        bool dependsOnData);
    [[nodiscard]] core::Result<core::exported::ProgramArgument>
    argumentOf(const c10::Argument& declared, const c10::IValue& value) const;
    [[nodiscard]] core::Status addResults(core::exported::ProgramNode node,
                                          const std::vector<at::Tensor>& tensors, bool data);
    [[nodiscard]] std::set<std::string> neededNames();
    std::string freshName();

    core::exported::ExportedProgram m_program;
    std::vector<HeldTensor> m_held;  // those that nothing reads as well
    std::unordered_map<const c10::TensorImpl*, Known> m_known;
    std::set<std::size_t> m_writing;  // nodes that write to what is there
    std::size_t m_count = 0;
};

}  // namespace qs::engine
