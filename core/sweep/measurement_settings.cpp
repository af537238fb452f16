#include "core/sweep/measurement_settings.h"

#include "core/base/checks.h"
#include "core/base/json_enum.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

constexpr double kLongestSeconds = 7.0 * 24.0 * 3600.0;
constexpr auto kStoppingKinds = enumNames<StoppingKind>({{StoppingKind::Noise, "noise"},
                                                         {StoppingKind::Count, "count"},
                                                         {StoppingKind::Time, "time"},
                                                         {StoppingKind::Entropy, "entropy"}});

// JSON text has no NaN, but a document made in memory may, and NaN passes every comparison with a
// limit.
double finiteNumber(JsonFields& fields, std::string_view name, double fallback, double lowest,
                    double highest)
{
    const double value = fields.number(name, fallback, lowest, highest);
    if (std::isfinite(value))
        return value;
    fields.complain(name, "is not a finite number");
    return fallback;
}

int wholeNumber(JsonFields& fields, std::string_view name, int fallback, int lowest, int highest)
{
    return static_cast<int>(fields.integer(name, fallback, lowest, highest));
}

double energySecondsFrom(JsonFields& fields, double fallback)
{
    const double seconds =
        finiteNumber(fields, "energy_seconds", fallback, 0.0, kMostEnergySeconds);
    if (seconds <= 0.0 || seconds >= kLeastEnergySeconds)
        return seconds;
    fields.complain(
        "energy_seconds",
        "expected 0 for none, or 2 to 600: the energy counter of a GPU needs at least 2 s");
    return fallback;
}

void complainIfCrossed(JsonFields& fields, std::string_view minimum, std::string_view maximum,
                       double lower, double upper)
{
    if (lower > upper)
        fields.complain(minimum, "is larger than \"" + std::string(maximum) + "\"");
}

}  // namespace

int defaultMaximumSamples(StoppingKind kind)
{
    switch (kind) {
    case StoppingKind::Time:
        return 100'000;
    case StoppingKind::Entropy:
        return 10'000;
    case StoppingKind::Noise:
    case StoppingKind::Count:
        break;
    }
    return MeasurementSettings().maximumSamples;
}

MeasurementSettings measurementSettingsFromJson(const Json& json, const std::string& path,
                                                std::vector<JsonIssue>& issues)
{
    MeasurementSettings settings;
    JsonFields fields(json, path, issues);
    const auto seconds = [&](std::string_view name, double& value) {
        value = finiteNumber(fields, name, value, 0.0, kLongestSeconds);
    };
    seconds("minimum_warmup_seconds", settings.minimumWarmupSeconds);
    seconds("maximum_warmup_seconds", settings.maximumWarmupSeconds);
    settings.compileWarmupSamples = wholeNumber(
        fields, "compile_warmup_samples", settings.compileWarmupSamples, 0, kMostTimedSamples);
    if (fields.find("warmup_samples") != nullptr)
        settings.warmupSamples = wholeNumber(fields, "warmup_samples", 0, 0, kMostTimedSamples);
    seconds("minimum_sample_seconds", settings.minimumSampleSeconds);
    seconds("maximum_sample_seconds", settings.maximumSampleSeconds);
    settings.minimumSamples =
        wholeNumber(fields, "minimum_samples", settings.minimumSamples, 1, kMostTimedSamples);
    settings.stopping = readEnum(fields, "stopping", kStoppingKinds, settings.stopping);
    settings.maximumSamples = wholeNumber(
        fields, "maximum_samples", defaultMaximumSamples(settings.stopping), 1, kMostTimedSamples);
    settings.cache = readEnum(fields, "l2_cache", kCacheNames, settings.cache);
    settings.maximumRelativeNoise =
        finiteNumber(fields, "maximum_relative_noise", settings.maximumRelativeNoise, 0.0, 1.0);
    settings.energySeconds = energySecondsFrom(fields, settings.energySeconds);
    settings.distinctBatches =
        wholeNumber(fields, "distinct_batches", settings.distinctBatches, 1, kMostDistinctBatches);
    settings.pinCore = fields.flag("pin_core", settings.pinCore);
    complainIfCrossed(fields, "minimum_warmup_seconds", "maximum_warmup_seconds",
                      settings.minimumWarmupSeconds, settings.maximumWarmupSeconds);
    complainIfCrossed(fields, "minimum_sample_seconds", "maximum_sample_seconds",
                      settings.minimumSampleSeconds, settings.maximumSampleSeconds);
    complainIfCrossed(fields, "minimum_samples", "maximum_samples", settings.minimumSamples,
                      settings.maximumSamples);
    if (const Json* limits = fields.find("phase_limit_seconds")) {
        JsonFields phases(*limits, fields.pathOf("phase_limit_seconds"), issues);
        for (const Phase phase : kLimitedPhases) {
            const std::string_view name = kPhaseNames.of(phase);
            if (phases.find(name) != nullptr)
                settings.phaseLimitSeconds[phase] =
                    finiteNumber(phases, name, kLongestSeconds, 0.1, kLongestSeconds);
        }
        phases.finish();
    }
    fields.finish();
    return settings;
}

Json toJson(const MeasurementSettings& settings)
{
    Json limits = Json::object();
    for (const auto& [phase, seconds] : settings.phaseLimitSeconds)
        limits[std::string(kPhaseNames.of(phase))] = seconds;
    Json json{{"minimum_warmup_seconds", settings.minimumWarmupSeconds},
              {"maximum_warmup_seconds", settings.maximumWarmupSeconds},
              {"minimum_sample_seconds", settings.minimumSampleSeconds},
              {"maximum_sample_seconds", settings.maximumSampleSeconds},
              {"minimum_samples", settings.minimumSamples},
              {"maximum_samples", settings.maximumSamples},
              {"stopping", kStoppingKinds.of(settings.stopping)},
              {"l2_cache", kCacheNames.of(settings.cache)},
              {"maximum_relative_noise", settings.maximumRelativeNoise},
              {"energy_seconds", settings.energySeconds},
              {"distinct_batches", settings.distinctBatches},
              {"pin_core", settings.pinCore},
              {"phase_limit_seconds", std::move(limits)}};
    if (settings.compileWarmupSamples > 0)
        json["compile_warmup_samples"] = settings.compileWarmupSamples;
    if (settings.warmupSamples)
        json["warmup_samples"] = *settings.warmupSamples;
    return json;
}

}  // namespace qs::core
