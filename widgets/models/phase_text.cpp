#include "widgets/models/phase_text.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

struct PhaseWords {
    Q_DECLARE_TR_FUNCTIONS(PhaseText)
};

struct Words {
    const char* name;
    const char* activity;
    const char* explanation;
};

// clang-format off
Words wordsOf(core::Phase phase)
{
    using core::Phase;
    switch (phase) {
    case Phase::Idle: return {"idle", "idle", ""};
    case Phase::Inputs: return {"inputs", "preparing images", ""};
    case Phase::Start: return {"start", "starting", ""};
    case Phase::SelfTest:
        return {"memory self-test", "testing the memory counters",
                "A block of known size is allocated and freed to check the memory counters"};
    case Phase::Package:
        return {"package", "compiling", "A compiler makes a package of each stage, or it is found in the cache"};
    case Phase::Load:
        return {"load", "loading the model", "Weights are read and copied to the device"};
    case Phase::Calibrate:
        return {"calibrate", "calibrating",
                "The model runs over the calibration set, so that scales and weights fit its inputs; GPTQ solves and rounds its layers here"};
    case Phase::Quantize:
        return {"quantize", "quantizing", "Weights are converted to the precision of the cell"};
    case Phase::Compile:
        return {"preparation", "preparing", "The program is loaded or captured, up to its first pass"};
    case Phase::FirstPass:
        return {"first pass", "first pass", "Libraries are loaded and kernels chosen"};
    case Phase::MemoryPass:
        return {"memory pass", "memory pass", "A pass that measures memory only"};
    case Phase::Capture:
        return {"graph capture", "capturing graphs", "The pass is captured as CUDA graphs"};
    case Phase::Warmup:
        return {"warm-up", "warming up", "Passes until their times are steady"};
    case Phase::Measure: return {"samples", "measuring", "Passes that are timed"};
    case Phase::Energy:
        return {"energy", "measuring energy",
                "Further passes for the energy counter; they are not timed"};
    case Phase::Outputs:
        return {"outputs", "computing outputs", "Outputs of the quality images are computed and stored"};
    case Phase::Profile:
        return {"profile", "profiling", "A few passes that tell where the time goes; they are not timed"};
    case Phase::Comparing: return {"comparison", "comparing outputs", ""};
    case Phase::DiskFull: return {"disk full", "waiting for disk space", ""};
    case Phase::Paused: return {"paused", "paused", ""};
    }
    return {"", "", ""};
}
// clang-format on

QString translated(const char* text)
{
    return *text == 0 ? QString() : PhaseWords::tr(text);
}

}  // namespace

QString phaseText(core::Phase phase)
{
    return translated(wordsOf(phase).name);
}

QString phaseActivity(core::Phase phase)
{
    return translated(wordsOf(phase).activity);
}

QString cellActivity(core::Phase phase)
{
    return phaseActivity(phase == core::Phase::Idle ? core::Phase::Start : phase);
}

QString phaseExplanation(core::Phase phase)
{
    return translated(wordsOf(phase).explanation);
}

}  // namespace qs::widgets
