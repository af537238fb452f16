#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// Tensors that a graph finds by name: weights and states, on the device and in the type the graph
// says.
using NamedTensors = std::map<std::string, at::Tensor>;

// Note [Executor]
// A graph becomes a flat array of instructions: operator handles are resolved, constants are boxed,
// values are integer slots. A run pushes arguments, calls the boxed kernel and stores the results;
// a slot is emptied by the instruction that uses it last, so a tensor lives no longer than in
// hand-written code. Nothing is looked up and nothing is hooked during a timed run. Must be used
// under c10::InferenceMode, from one thread.
class Executor final
{
public:
    // Slots of one run; those of weights, states and constants are filled from the start.
    using Values = std::vector<c10::IValue>;
    // Called after an instruction with its node and results; must not keep them.
    using Observer =
        std::function<void(const core::Node& node, const std::vector<at::Tensor>& results)>;

    // `graph` must outlive the executor. A weight that is missing or has another shape or type is
    // an error.
    [[nodiscard]] static core::Result<Executor>
    create(const core::Graph& graph, const NamedTensors& tensors, c10::Device device);

    // Inputs in the order of graph.inputs. Throws what Torch throws.
    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) const;

    // Values with the inputs in place, for runRange.
    [[nodiscard]] Values begin(const std::vector<at::Tensor>& inputs) const;
    // Instructions first … last - 1. Slots are kept as a whole run would keep them; the observer
    // may be empty.
    void runRange(std::size_t first, std::size_t last, Values& values,
                  const Observer& observer) const;
    // The tensors that an instruction reads, in the order of its arguments.
    [[nodiscard]] std::vector<at::Tensor> arguments(std::size_t instruction,
                                                    const Values& values) const;
    // In place of running that instruction: its results are these, and its arguments are released
    // as if it had run.
    void replace(std::size_t instruction, Values& values,
                 const std::vector<at::Tensor>& results) const;
    [[nodiscard]] std::vector<at::Tensor> outputs(const Values& values) const;

    [[nodiscard]] std::size_t instructionCount() const { return m_instructions.size(); }

private:
    struct Operand {
        enum class Kind : std::uint8_t { Constant, Slot, LastUse, SlotList, OptionalSlotList };
        Kind kind = Kind::Constant;
        std::int32_t slot = -1;
        c10::IValue constant;
        std::vector<std::int32_t> slots;  // -1: None, in a list of tensors that may be None
    };
    struct Instruction {
        std::optional<c10::OperatorHandle> operation;  // none: it has to be replaced
        std::vector<Operand> operands;
        std::vector<std::int32_t> results;
        std::vector<std::int32_t>
            releases;  // slots used for the last time, in a list or not at all
        bool returnsList = false;
    };

    Executor() = default;
    [[nodiscard]] core::Status bind(const NamedTensors& tensors, c10::Device device);
    [[nodiscard]] core::Status translate(c10::Device device);
    [[nodiscard]] core::Result<Instruction> translate(const core::Node& node, c10::Device device);
    [[nodiscard]] static Instruction regionInstruction(const core::Node& node);
    void markLastUses();
    void execute(const Instruction& instruction, Values& values, torch::jit::Stack& stack) const;

    const core::Graph* m_graph = nullptr;
    Values m_initial;
    std::vector<Instruction> m_instructions;
};

}  // namespace qs::engine
