#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/input_feed.h"
#include "core/stats/stopping.h"
#include "core/sweep/calibration_inputs.h"
#include "core/sweep/cell.h"
#include "core/sweep/claim.h"
#include "core/sweep/gate.h"
#include "core/sweep/phase.h"
#include "core/sweep/picture_settings.h"
#include "core/sweep/price.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

inline constexpr int kPresetSchemaVersion = 1;

enum class SweepMode {
    Cross,       // every combination of all axes
    OneAtATime,  // each axis alone over the default cell
};

// A fresh worker process per cell and round, or one process that keeps the model over many cells.
enum class Isolation { Cell, Model };

// One dimension: the values of one CellConfig member, in text form, in the order given.
struct Axis {
    std::string name;  // "precision" "layers" "compile" "attention" "batch" "image_size" "inputs"
                       // "device" "seed" "model"
    std::vector<std::string> values;
};

// Axes that advance together (same number of values), e.g. a model with its image size.
using LinkedAxes = std::vector<std::string>;

// A cell is left out if every listed member has one of the listed values.
struct Exclusion {
    std::map<std::string, std::vector<std::string>> match;
    std::string reason;
};

// What lies in the second-level cache of a GPU when a pass begins.
enum class CacheState {
    Warm,  // what the pass before left there
    Cold,  // nothing of use: it is overwritten before each pass, outside the timed stretch
};
inline constexpr auto kCacheNames =
    enumNames<CacheState>({{CacheState::Warm, "warm"}, {CacheState::Cold, "cold"}});

// That may be given a limit.
inline constexpr std::array<Phase, 7> kLimitedPhases{
    Phase::Load,   Phase::Calibrate, Phase::Quantize, Phase::Compile,
    Phase::Warmup, Phase::Measure,   Phase::Outputs};

// How each cell is timed. Times in seconds.
struct MeasurementSettings {
    double minimumWarmupSeconds = 0.5;
    double maximumWarmupSeconds = 30.0;
    // Passes before the warm-up begins, for what compiles or tunes itself in its first passes.
    int compileWarmupSamples = 0;
    // Exactly so many samples warm up, whatever they say, none at all with 0; unless it is given,
    // the seconds above hold, and passes have to be steady.
    std::optional<int> warmupSamples = std::nullopt;
    double minimumSampleSeconds = 0.5;
    double maximumSampleSeconds = 15.0;
    int minimumSamples = 10;
    int maximumSamples = 1000;  // see defaultMaximumSamples() for other kinds of stopping
    // What ends the sampling: with Count maximumSamples are taken, with Time minimumSampleSeconds.
    StoppingKind stopping = StoppingKind::Noise;
    CacheState cache = CacheState::Warm;
    double maximumRelativeNoise =
        0.005;  // stop when standard deviation / mean of the samples is below
    // Passes run on for at least so long after the samples, for the energy counter of a GPU; 0:
    // they do not. Samples alone rarely last kShortestEnergyWindow (core/measure/device_trace.h).
    double energySeconds = 0.0;
    // Passes take turns with so many batches of different inputs; fewer where there are not as many
    // inputs. The way into the fixed inputs of a pass is no part of its time.
    int distinctBatches = 1;
    // The thread that launches the passes of a GPU stays on one core while they are timed.
    bool pinCore = true;
    // Without progress; of kLimitedPhases. Those that are not there are as phaseLimitSeconds() in
    // core/run/phase_limits.h says.
    std::map<Phase, double> phaseLimitSeconds = {};

    bool operator==(const MeasurementSettings&) const = default;
};

struct Preset {
    std::string name;
    std::string description;
    CellConfig defaults;
    std::vector<Axis> axes;
    std::vector<LinkedAxes> linked;
    std::vector<Exclusion> exclusions;
    SweepMode mode = SweepMode::Cross;
    bool appendDefault = true;  // one-at-a-time: add the default cell at the end
    int rounds = 5;
    std::int64_t orderSeed = 1;  // of the random order of cells in each round
    Isolation isolation = Isolation::Cell;
    std::string speedBaseline = "best-bf16";  // see core/sweep/speed_baseline_name.h, or a cell id
    MeasurementSettings measurement;
    PictureSettings pictures;
    ModelFeeding feeding;           // of models whose files do not say it
    CalibrationInputs calibration;  // of precisions with set=own
    bool noiseFloor = true;         // add the noise-floor runs
    std::vector<Gate> gates;        // what is expected of the cells; judged when they have run
    std::vector<Claim> claims;      // what others have said of them
    Price price;                    // of the device; empty: costs are not shown
};

// Collects every complaint with its JSON path; the value is meaningful only if none was added.
[[nodiscard]] Preset presetFromJson(const Json& json, std::vector<JsonIssue>& issues);
// The same as a Result: all complaints in one message that names the file. It may be a sweep of
// OlmoEarth's benchmark instead, see core/sweep/olmoearth/throughput_config.h. Relative paths of
// files that inputs are fed from are looked for beside the preset first.
[[nodiscard]] Result<Preset> readPreset(const std::filesystem::path& path);
[[nodiscard]] Json toJson(const Preset& preset);

// "name=value" with value in an axis dialect ("batch=1..64 pow2", "rounds=3", "device=cuda:0",
// "price=2.5:USD"): replaces an axis or a setting.
[[nodiscard]] Status applyOverride(Preset& preset, const std::string& assignment);
// One after the other; linked axes may change their numbers of values together. All or nothing.
[[nodiscard]] Status applyOverrides(Preset& preset, const std::vector<std::string>& assignments);

}  // namespace qs::core
