#pragma once

#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"
#include "core/model/model.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace qs::engine {

// All stages of a Program bound to weights and fixed input tensors, eager or recorded. Tensors keep
// their addresses from pass to pass, so a recorded pass reads what setInputs copied in. Used under
// InferenceMode from the GPU thread.
class Pipeline final
{
public:
    // `program` and `weights` must outlive the pipeline. Inputs get their place on the device here.
    [[nodiscard]] static core::Result<std::unique_ptr<Pipeline>>
    create(const core::Program& program, const std::vector<StageWeights>& weights,
           const core::HostTensors& inputs, Backend& backend);

    // Copies new contents into the fixed input tensors; fewer rows than the batch are repeated to
    // fill it.
    void setInputs(const core::HostTensors& inputs);

    // Replaces each stage by a recording of it.
    [[nodiscard]] core::Status record();

    // One pass through all stages; it is over when this returns.
    void run();
    // Before each timed pass, its batch is copied from the host; nothing changes if the inputs stay
    // on the device. The batch is what the inputs hold now.
    [[nodiscard]] core::Status feedFrom(core::InputResidency residency);
    // Of all timed passes from now on; see SamplePlan.
    void setConditions(int passes, bool coldCache);
    // One sample, see SamplePlan. Recorded passes are held where the device can.
    [[nodiscard]] core::PassSample sample();
    // "warm L2, stream held", "inputs pinned": how the samples are taken; empty on a CPU.
    [[nodiscard]] std::string conditions() const;
    // The output of the last stage of the last pass, float32 on the host.
    [[nodiscard]] core::FloatArray output() const;

    // One eager pass that counts what ran: "aten::_int_mm:int32" -> 112. Products and attention
    // only.
    [[nodiscard]] std::map<std::string, int> countOperations(std::size_t stage);
    // The kernel that PyTorch picks for the attention of these shapes: "flash"; empty without
    // attention.
    [[nodiscard]] std::string attentionKernel() const;
    // Recordings launched per pass.
    [[nodiscard]] int launchesPerPass() const;

private:
    struct Stage {
        const core::StageProgram* program = nullptr;
        Executor executor;
        std::unique_ptr<RecordedWork> recording;
    };

    explicit Pipeline(Backend& backend) : m_backend(backend) {}
    void runStage(Stage& stage);
    [[nodiscard]] std::vector<at::Tensor> inputsOf(const Stage& stage) const;

    Backend& m_backend;
    std::vector<Stage> m_stages;
    core::InputResidency m_residency = core::InputResidency::Device;
    std::unique_ptr<InputFeed> m_feed;
    SamplePlan m_plan;
    std::vector<std::string> m_inputNames;
    NamedTensors m_values;  // inputs and stage outputs by name
    std::string m_outputName;
};

}  // namespace qs::engine
