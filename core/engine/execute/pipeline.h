#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/lower/program.h"
#include "core/model/model.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// All stages of a Program, each with the runner of its compile mode, bound to weights, states and
// fixed input tensors. Inputs and states keep their addresses from pass to pass, so a recorded pass
// reads what setInputs copied in and what the pass before left. Used under InferenceMode from the
// GPU thread.
class Pipeline final
{
public:
    // `program`, `weights` and `device` must outlive the pipeline. Inputs and states get their
    // place on the device here; an input that neither `inputs` nor an earlier stage gives is an
    // error. `packages`: per stage, or none. `bf16FromFp32`: see CellRequest.
    [[nodiscard]] static core::Result<std::unique_ptr<Pipeline>>
    create(const core::Program& program, const std::vector<StageWeights>& weights,
           const core::HostTensors& inputs, const core::DeviceDescription& device, Backend& backend,
           const std::vector<StagePackages>& packages = {},
           const std::optional<double>& bf16FromFp32 = {});

    // Copies new contents into the fixed input tensors and resets the states; fewer rows than the
    // batch are repeated to fill it.
    void setInputs(const core::HostTensors& inputs);
    // All states become what they begin as.
    void resetStates();

    // Each stage does what its compile mode does once, before timed passes; or all are recorded as
    // one, after which stages have no times of their own.
    [[nodiscard]] core::Status prepare();

    // See StageRunner::firstPass.
    [[nodiscard]] core::Status firstPass();
    // One pass through all stages, each as often as the program says; it is over when this returns.
    void run();
    // Before each timed pass, its batch comes from the host, or from the device where the inputs
    // stay there. The passes take turns with `count` batches, which are asked for here; the inputs
    // hold the first then.
    [[nodiscard]] core::Status
    feedFrom(core::InputResidency residency, int count,
             const std::function<core::Result<core::HostTensors>(int number)>& batch);
    // Of all timed passes from now on; see SamplePlan.
    void setConditions(int passes, bool coldCache);
    // One sample, see SamplePlan. Recorded passes are held where the device can.
    [[nodiscard]] core::PassSample sample();
    // How the samples are taken; nothing without a device clock.
    [[nodiscard]] std::optional<core::Conditions> conditions() const;
    // The judged output of the last pass, float32 on the host.
    [[nodiscard]] core::FloatArray output() const;
    // One pass of `batch` samples and its judged output of the first `rows` of them: of a model
    // that generates, what each run of its stages gave, [rows, runs, V].
    [[nodiscard]] core::FloatArray runJudged(std::int64_t rows, std::int64_t batch);
    // Any output by name, on the host as whole numbers or float32; nothing if no stage gave it.
    [[nodiscard]] std::optional<core::HostTensor> output(const std::string& name) const;

    // One counted pass of a stage, before prepare().
    void observe(std::size_t stage);
    // See StageRunner::runNoted.
    void runNoted(std::size_t stage, const Executor::Observer& done);
    // Per stage; see StageRunner::products.
    [[nodiscard]] std::vector<ProductCounts> products() const;
    // Per stage; see StageRunner::weightProducts.
    [[nodiscard]] std::vector<WeightProducts> weightProducts() const;
    // Per stage; see StageRunner::distanceToEager.
    [[nodiscard]] std::vector<double> distancesToEager() const;
    // Per stage; see StageRunner::kernels.
    [[nodiscard]] std::vector<std::vector<core::KernelChoice>> kernels() const;
    // Of all stages, in the order of their packages; see StageRunner::timeParts.
    [[nodiscard]] core::Result<std::vector<core::PartTime>> timeParts();
    // Of all stages, without repeats.
    [[nodiscard]] std::vector<core::Note> notes() const;
    // The kernel that PyTorch picks for the attention of these shapes: "flash"; "own" where it is
    // one of ours; empty without attention. After the first pass.
    [[nodiscard]] std::string attentionKernel() const;
    // Of all stages; see StageRunner::layoutBytes.
    [[nodiscard]] std::int64_t layoutBytes() const;
    // Of all states, as they lie in memory.
    [[nodiscard]] std::int64_t stateBytes() const;
    // Recordings launched per pass.
    [[nodiscard]] int launchesPerPass() const;

private:
    Pipeline(const core::Program& program, Backend& backend)
        : m_program(program), m_backend(backend)
    {
    }
    [[nodiscard]] core::Status recordAsOne();
    [[nodiscard]] core::Status placeInputs(const core::HostTensors& inputs);
    [[nodiscard]] core::Status placeStates(const std::vector<StageWeights>& weights,
                                           const core::DeviceDescription& device);
    [[nodiscard]] core::Status placeStates(const std::string& stage, const core::Graph& graph,
                                           const StageWeights& weights);

    const core::Program& m_program;
    Backend& m_backend;
    std::vector<std::unique_ptr<StageRunner>> m_runners;
    std::unique_ptr<RecordedWork> m_recorded;  // of the whole pass, where its mode says so
    core::InputResidency m_residency = core::InputResidency::Device;
    std::unique_ptr<InputFeed> m_feed;
    SamplePlan m_plan;
    std::vector<std::string> m_inputNames;
    NamedTensors m_values;  // inputs and stage outputs by name
    NamedTensors m_states;
    std::map<std::string, double> m_initialValues;  // of the states
    NamedTensors m_initialTensors;                  // of those that begin as a stored part
    std::string m_outputName;
};

}  // namespace qs::engine
