#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json_enum.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/measurement_settings.h"
#include "core/sweep/olmoearth/throughput_config.h"
#include "core/sweep/preset.h"
#include "core/sweep/preset_axes.h"
#include "core/sweep/speed_baseline_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

constexpr int kMostPresetRounds = 1000;

constexpr auto kModes =
    enumNames<SweepMode>({{SweepMode::Cross, "cross"}, {SweepMode::OneAtATime, "one-at-a-time"}});
constexpr auto kIsolations =
    enumNames<Isolation>({{Isolation::Cell, "cell"}, {Isolation::Model, "model"}});

int wholeIn(JsonFields& fields, std::string_view name, int fallback, int lowest, int highest)
{
    return static_cast<int>(fields.integer(name, fallback, lowest, highest));
}

bool isCellId(const std::string& text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string speedBaselineFrom(JsonFields& fields, const std::string& fallback)
{
    const std::string text = fields.text("speed_baseline", fallback);
    if (isSpeedBaselineName(text) || isCellId(text))
        return text;
    fields.complain("speed_baseline", "expected " + speedBaselineList() +
                                          " or a cell id of 64 hexadecimal digits, found \"" +
                                          text.substr(0, 80) + "\"");
    return fallback;
}

// False if the rest of the document need not be read: it follows other rules.
bool versionFits(JsonFields& fields)
{
    const Json* version = fields.require("schema_version");
    if (version == nullptr)
        return fields.isObject();
    const std::int64_t number =
        fields.integer("schema_version", kPresetSchemaVersion, INT32_MIN, INT32_MAX);
    if (number == kPresetSchemaVersion)
        return true;
    fields.complain("schema_version", fmt::format("is {}, but this program reads version {}",
                                                  number, kPresetSchemaVersion));
    return false;
}

// What spans the cells.
void readCells(JsonFields& fields, Preset& preset, std::vector<JsonIssue>& issues)
{
    if (const Json* defaults = fields.require("defaults"))
        preset.defaults = cellFromJson(*defaults, fields.pathOf("defaults"), issues);
    const std::size_t issuesBefore = issues.size();
    if (const Json* axes = fields.find("axes"))
        preset.axes = axesFromJson(*axes, fields.pathOf("axes"), issues);
    if (const Json* linked = fields.find("linked"))
        preset.linked = linkedFromJson(*linked, fields.pathOf("linked"), issues);
    // Values that were left out above would make wrong complaints about their number.
    if (issues.size() == issuesBefore)
        checkLinks(preset, issues);
    if (const Json* exclusions = fields.find("exclude"))
        preset.exclusions = exclusionsFromJson(*exclusions, fields.pathOf("exclude"), issues);
    preset.mode = readEnum(fields, "mode", kModes, preset.mode);
    preset.appendDefault = fields.flag("default_cell", preset.appendDefault);
}

// How they are run.
void readConduct(JsonFields& fields, Preset& preset, std::vector<JsonIssue>& issues)
{
    preset.rounds = wholeIn(fields, "rounds", preset.rounds, 1, kMostPresetRounds);
    preset.orderSeed = fields.integer("order_seed", preset.orderSeed, 0, INT64_MAX);
    preset.isolation = readEnum(fields, "isolation", kIsolations, preset.isolation);
    preset.speedBaseline = speedBaselineFrom(fields, preset.speedBaseline);
    if (const Json* measurement = fields.find("measurement"))
        preset.measurement =
            measurementSettingsFromJson(*measurement, fields.pathOf("measurement"), issues);
    if (const Json* pictures = fields.find("pictures"))
        preset.pictures = picturesFromJson(*pictures, fields.pathOf("pictures"), issues);
    if (const Json* feeding = fields.find("model_io"))
        preset.feeding = modelFeedingFromJson(*feeding, fields.pathOf("model_io"), issues);
    if (const Json* calibration = fields.find("calibration"))
        preset.calibration =
            calibrationInputsFromJson(*calibration, fields.pathOf("calibration"), issues);
    preset.noiseFloor = fields.flag("noise_floor", preset.noiseFloor);
    if (const Json* gates = fields.find("gates"))
        preset.gates = gatesFromJson(*gates, fields.pathOf("gates"), issues);
    if (const Json* claims = fields.find("claims"))
        preset.claims = claimsFromJson(*claims, fields.pathOf("claims"), issues);
    if (const Json* price = fields.find("price"))
        preset.price = priceFromJson(*price, fields.pathOf("price"), issues);
}

Json exclusionsToJson(const std::vector<Exclusion>& exclusions)
{
    Json list = Json::array();
    for (const Exclusion& exclusion : exclusions) {
        Json match = Json::object();
        for (const auto& [name, values] : exclusion.match)
            match[name] = axisValuesToJson(name, values);
        list.push_back({{"match", std::move(match)}, {"reason", exclusion.reason}});
    }
    return list;
}

}  // namespace

Preset presetFromJson(const Json& json, std::vector<JsonIssue>& issues)
{
    Preset preset;
    JsonFields fields(json, "$", issues);
    if (!versionFits(fields))
        return preset;
    static_cast<void>(fields.text("$schema"));  // for editors that check while one types
    preset.name = fields.text("name");
    const Json* name = fields.require("name");
    if (name != nullptr && name->is_string() && preset.name.empty())
        fields.complain("name", "is empty");
    preset.description = fields.text("description");
    readCells(fields, preset, issues);
    readConduct(fields, preset, issues);
    fields.finish();
    return preset;
}

namespace {

void locateBeside(const std::filesystem::path& folder, std::string& file)
{
    if (file.empty() || std::filesystem::path(file).is_absolute())
        return;
    std::error_code ignored;  // what cannot be seen is not beside it
    const auto place = std::filesystem::absolute(folder / file, ignored).lexically_normal();
    if (isThere(place))
        file = place.string();
}

// Files of inputs may stand beside the preset; else their paths are those of the process.
void locateFiles(const std::filesystem::path& folder, std::map<std::string, InputFeed>& inputs)
{
    for (auto& [input, feed] : inputs) {
        if (auto* file = std::get_if<FileFeed>(&feed))
            locateBeside(folder, file->path);
        if (auto* text = std::get_if<TextFeed>(&feed)) {
            locateBeside(folder, text->path);
            locateBeside(folder, text->tokenizer);
        }
    }
}

}  // namespace

Result<Preset> readPreset(const std::filesystem::path& path)
{
    QS_TRY(const std::string text, readTextFile(path, JsonLimits().bytes));
    QS_TRY(const Json json, parseJson(text, path.string()));
    std::vector<JsonIssue> issues;
    // As it is: a control character in a value is refused, not left out.
    Preset preset = olmoearth::isThroughputConfig(json)
                        ? olmoearth::throughputSweep(json, issues).preset
                        : presetFromJson(json, issues);
    preset.name = cleanLine(preset.name);
    preset.description = cleanText(preset.description);
    if (!issues.empty())
        return Error{ErrorCode::Format,
                     path.string() + ": not a usable preset:\n" + formatIssues(issues)};
    const std::filesystem::path folder = path.parent_path();
    locateFiles(folder, preset.feeding.inputs);
    locateBeside(folder, preset.feeding.labels);
    locateFiles(folder, preset.calibration.inputs);
    if (!preset.calibration.pictures.shipped())
        locateBeside(folder, preset.calibration.pictures.source);
    return preset;
}

Json toJson(const Preset& preset)
{
    Json axes = Json::object();
    for (const Axis& axis : preset.axes)
        axes[axis.name] = axisValuesToJson(axis.name, axis.values);
    Json json{{"schema_version", kPresetSchemaVersion},
              {"name", preset.name},
              {"description", preset.description},
              {"defaults", toJson(preset.defaults)},
              {"axes", std::move(axes)},
              {"linked", preset.linked},
              {"exclude", exclusionsToJson(preset.exclusions)},
              {"mode", kModes.of(preset.mode)},
              {"default_cell", preset.appendDefault},
              {"rounds", preset.rounds},
              {"order_seed", preset.orderSeed},
              {"isolation", kIsolations.of(preset.isolation)},
              {"speed_baseline", preset.speedBaseline},
              {"measurement", toJson(preset.measurement)},
              {"pictures", toJson(preset.pictures)},
              {"noise_floor", preset.noiseFloor},
              {"gates", gatesToJson(preset.gates)}};
    if (!preset.claims.empty())
        json["claims"] = claimsToJson(preset.claims);
    if (!preset.feeding.empty())
        json["model_io"] = toJson(preset.feeding);
    if (!preset.calibration.empty())
        json["calibration"] = toJson(preset.calibration);
    if (!preset.price.empty())
        json["price"] = toJson(preset.price);
    return json;
}

}  // namespace qs::core
