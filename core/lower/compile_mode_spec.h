#pragma once

#include "core/base/registry.h"
#include "core/device/device_needs.h"

#include <string>
#include <vector>

namespace qs::core {

struct CompileModeSpec;

// How a stage is made runnable, with its parameters: "none", "cuda-graph".
using CompileMode = Parameterised<CompileModeSpec>;

// All that is known of a compile mode outside the engine, one row each; the engine has a runner of
// the same name (core/engine/compile/runner_registry.h).
struct CompileModeSpec {
    std::string name;
    std::string description;  // one sentence for tooltips and the command line
    std::vector<Parameter> parameters = {};
    std::vector<std::string> aliases = {};  // other names that are understood
    DeviceNeeds needs = {};
    // The processor launches each operation of a pass, so that it may be what a pass waits for.
    bool launchesOperations = true;
    // What making a stage runnable costs before the first timed pass.
    double preparationPasses = 1.0;   // passes of that stage, the first one included
    double preparationSeconds = 0.0;  // beside them, once for all rounds
    // Computes what eager does up to rounding: in bf16 it belongs to the noise floor.
    bool sameMathematics = false;
    int tone = 0;  // place among the marks of plots
    // How Inductor compiles a stage: "default", "max-autotune"; empty: not at all. Modes that
    // differ in being recorded share their packages.
    std::string packageMode = {};
    bool recorded = false;  // as a CUDA graph
    // Runs in kernels of QuantScope's, which the device compiles and tries before the first pass.
    bool ownKernels = false;
    // Only regions of a stage are compiled, each into a package of its own: its parameters say
    // which ones.
    bool regional = false;
    // Of compiled programs alone: see SchemeSpec::ofPrograms.
    bool ofPrograms = false;
};

}  // namespace qs::core
