#pragma once

#include "core/engine/execute/executor.h"
#include "core/lower/region_stage.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace qs::engine {

// Runs a stage whose regions are operations of their own: what lies between them is run here, and
// each region by whoever has its program. The stage must outlive it.
class RegionCalls final
{
public:
    // Runs a program of the stage, by its index.
    using RunProgram =
        std::function<std::vector<at::Tensor>(std::size_t program, std::vector<at::Tensor> inputs)>;

    [[nodiscard]] static core::Result<RegionCalls> create(const core::RegionStage& stage,
                                                          NamedTensors weights,
                                                          const NamedTensors& states,
                                                          c10::Device device);

    // One pass. The observer is told of operations between regions; it may be empty.
    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs,
                                              const RunProgram& runProgram,
                                              const Executor::Observer& done) const;
    // What the first region that runs this program reads, in a pass of its own that ends there.
    [[nodiscard]] std::vector<at::Tensor> inputsOf(std::size_t program,
                                                   const std::vector<at::Tensor>& inputs,
                                                   const RunProgram& runProgram) const;

    // The program of each region, in the order of a pass.
    [[nodiscard]] const std::vector<std::size_t>& programs() const { return m_programs; }

private:
    RegionCalls(Executor executor, const core::RegionStage& stage);

    Executor m_executor;
    std::vector<std::size_t> m_nodes;     // qs::region
    std::vector<std::size_t> m_programs;  // what each of them runs
};

}  // namespace qs::engine
