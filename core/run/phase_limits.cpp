#include "core/run/phase_limits.h"

namespace qs::core {

namespace {

// Where a preset sets no limit.
constexpr double kLoadSeconds = 120.0;
constexpr double kCompileSeconds = 1800.0;
constexpr double kWarmupSeconds = 60.0;
constexpr double kOutputsSeconds = 120.0;

}  // namespace

double phaseLimitSeconds(const MeasurementSettings& settings, Phase phase)
{
    const auto found = settings.phaseLimitSeconds.find(phase);
    if (found != settings.phaseLimitSeconds.end())
        return found->second;
    switch (phase) {
    case Phase::Load:
        return kLoadSeconds;
    case Phase::Quantize:
        return phaseLimitSeconds(settings, Phase::Load);
    case Phase::Package:
        return phaseLimitSeconds(settings, Phase::Compile);
    case Phase::Calibrate:
    case Phase::Compile:
    case Phase::FirstPass:
    case Phase::MemoryPass:
    case Phase::Capture:
        return kCompileSeconds;
    case Phase::Warmup:
        return kWarmupSeconds;
    case Phase::Energy:
        return settings.energySeconds + phaseLimitSeconds(settings, Phase::Measure);
    case Phase::Outputs:
    case Phase::Profile:
        return kOutputsSeconds;
    case Phase::Idle:
    case Phase::Inputs:
    case Phase::Start:
    case Phase::SelfTest:
    case Phase::Measure:
    case Phase::Comparing:
    case Phase::DiskFull:
    case Phase::Paused:
        break;
    }
    return 10.0 * settings.maximumSampleSeconds + 30.0;
}

}  // namespace qs::core
