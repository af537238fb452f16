#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/engine/execute/executor.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace qs::engine {

// Gives one sample of a calibration set by its number, as the stages take it.
using SampleSource = std::function<core::Result<core::HostTensors>(std::int64_t number)>;
// Told the fraction done; false cancels.
using Progress = std::function<bool(double fraction)>;

// The samples of a calibration set on their way through the stages, one at a time, each with
// states of its own: what they hold is what the next stage will find. Used under InferenceMode.
class SampleRun final
{
public:
    struct Sample {
        NamedTensors values;  // inputs of the model and outputs of the stages that have run
        NamedTensors states;
    };

    // `program` is that of a batch of 1; it and `device` must outlive the run.
    SampleRun(const core::Program& program, const core::DeviceDescription& device,
              c10::Device place)
        : m_program(program), m_device(device), m_place(place)
    {
    }

    // The samples at the beginning of the first stage.
    [[nodiscard]] core::Status fill(std::int64_t count, const SampleSource& source);
    // Runs stages up to `stage`, that one not included, as they are quantized.
    [[nodiscard]] core::Status advanceTo(std::size_t stage,
                                         const std::vector<StageWeights>& weights,
                                         const Progress& progress);

    [[nodiscard]] std::vector<Sample>& samples() { return m_samples; }
    // Gives each sample the states that the graph names and that it has not: all share the initial
    // one until a stage runs.
    void makeStates(const core::Graph& graph, const StageWeights& weights);
    // Values of a run with the inputs and states of a sample in place.
    [[nodiscard]] static Executor::Values begin(const Executor& executor, const core::Graph& graph,
                                                const Sample& sample);
    // Puts outputs among the values of the sample.
    static void keep(const core::Graph& graph, std::vector<at::Tensor> outputs, Sample& sample);

private:
    [[nodiscard]] core::Status runStage(std::size_t stage, const StageWeights& weights,
                                        const Progress& progress);

    const core::Program& m_program;
    const core::DeviceDescription& m_device;
    c10::Device m_place;
    std::vector<Sample> m_samples;
    std::size_t m_next = 0;  // the stage that comes
};

}  // namespace qs::engine
