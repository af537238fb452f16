#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/engine/compile/stage_package.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// How often each product ran in one pass of a stage; attention counts as one.
using ProductCounts = std::map<core::Product, int>;

// The product that a weight went into, by the name of what is stored of it.
using WeightProducts = std::map<std::string, core::Product>;

// Makes one stage runnable in its compile mode and runs it. Used under InferenceMode from the GPU
// thread; methods throw what Torch throws unless they return a Status.
class StageRunner
{
public:
    virtual ~StageRunner() = default;

    // The first of all passes; Unsupported where the inputs turn out to be none of its kind.
    [[nodiscard]] virtual core::Status firstPass()
    {
        run();
        return {};
    }
    // One pass; queued when this returns, on devices with a queue.
    virtual void run() = 0;
    // One pass as run() does it before prepare(), counted.
    virtual void observe() = 0;
    // One pass, operation by operation, each of which is told of; what it gives is dropped. Nothing
    // runs where the stage is not made of operations.
    virtual void runNoted(const Executor::Observer& done) { static_cast<void>(done); }
    // Compares with eager what may compute something else: after the first pass and before
    // prepare(). WrongResult if it does.
    [[nodiscard]] virtual core::Status verify() { return {}; }
    // What the mode does once, before the timed passes.
    [[nodiscard]] virtual core::Status prepare() = 0;
    // Of what run() runs now; never of a pass in another mode.
    [[nodiscard]] virtual const ProductCounts& products() const = 0;
    // The same by weight, as far as that is known.
    [[nodiscard]] virtual WeightProducts weightProducts() const { return {}; }
    // Recordings launched per pass; 0 if operations are launched one by one.
    [[nodiscard]] virtual int recordingsPerPass() const = 0;
    // What deserves a word on the row.
    [[nodiscard]] virtual std::vector<core::Note> notes() const = 0;
    // Of weights that lie a second time as a kernel reads them, beside those of the stage.
    [[nodiscard]] virtual std::int64_t layoutBytes() const { return 0; }
    // What it runs in kernels of ours; known after the first pass.
    [[nodiscard]] virtual std::vector<core::KernelChoice> kernels() const { return {}; }
    // Whether kernels of ours compute attention; known after the first pass.
    [[nodiscard]] virtual bool hasOwnAttention() const { return false; }
    // See StageCompile; found by verify(). 0 where eager is what runs.
    [[nodiscard]] virtual double distanceToEager() const { return 0.0; }
    // Each package of a stage that is compiled in parts, by itself, on what it reads in a pass.
    // After all that is timed of passes.
    [[nodiscard]] virtual core::Result<std::vector<core::PartTime>> timeParts()
    {
        return std::vector<core::PartTime>();
    }
};

// What a runner works with; all of it outlives the runner.
struct StageSetup {
    const core::StageProgram& program;
    const NamedTensors& weights;
    // Of all stages by name; they keep their addresses.
    const NamedTensors& states;
    // Inputs and outputs of stages by name. Inputs of the model keep their addresses; a runner
    // replaces or fills the outputs of its stage.
    NamedTensors& values;
    Backend& backend;
    const core::DeviceDescription& device;
    StagePackages packages = {};              // of a mode that has some
    std::optional<double> bf16FromFp32 = {};  // see CellRequest
};

}  // namespace qs::engine
