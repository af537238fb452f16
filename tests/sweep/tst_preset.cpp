#include "core/sweep/preset.h"

#include "core/sweep/measurement_settings.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kEverything = R"({
    "$schema": "sweep.schema.json",
    "schema_version": 1,
    "name": "all members",
    "description": "each differs from its default",
    "defaults": {"model": "m", "device": "cuda:0", "precision": "fp16"},
    "axes": {
        "precision": ["bf16", "bf16/int8dq", {"encoder": "int8dq", "decoder": "bf16"}],
        "batch": "1..8 pow2",
        "image_size": [256, "512-1024+512"],
        "model": ["a", "b", "c"],
        "seed": 0
    },
    "linked": [["model", "image_size"]],
    "exclude": [{"match": {"precision": ["int8wo"], "batch": "128..512 pow2"}, "reason": "slow"}],
    "mode": "one-at-a-time",
    "default_cell": false,
    "rounds": 3,
    "order_seed": 9,
    "isolation": "model",
    "speed_baseline": "bf16-eager",
    "measurement": {
        "minimum_warmup_seconds": 0.25, "maximum_warmup_seconds": 2,
        "compile_warmup_samples": 10, "warmup_samples": 0,
        "minimum_sample_seconds": 0.125, "maximum_sample_seconds": 4,
        "minimum_samples": 5, "maximum_samples": 50, "stopping": "entropy",
        "maximum_relative_noise": 0.01, "energy_seconds": 12.5, "pin_core": false,
        "phase_limit_seconds": {"load": 60, "quantize": 45, "compile": 1800, "warmup": 30,
                                "measure": 90, "outputs": 75}
    },
    "pictures": {"source": "/pictures", "count": 3, "crop": "pad"},
    "noise_floor": false,
    "gates": ["cv <= 5 %", {"expect": "speedup >= 1.2", "device": "H200", "batch": 16,
                            "precision": "int8dq", "model": "a"}]
})";

Preset parsed(const Json& json)
{
    std::vector<JsonIssue> issues;
    Preset preset = presetFromJson(json, issues);
    EXPECT_EQ(formatIssues(issues), "");
    return preset;
}

int maximumSamplesOf(const Json& measurement)
{
    std::vector<JsonIssue> issues;
    return measurementSettingsFromJson(measurement, "/measurement", issues).maximumSamples;
}

TEST(MeasurementSettings, EnergyIsNoneOrLongEnough)
{
    const auto read = [](const Json& json, std::vector<JsonIssue>& issues) {
        return measurementSettingsFromJson(json, "/measurement", issues).energySeconds;
    };
    for (const double seconds : {0.0, 2.0, 10.0, 600.0}) {
        std::vector<JsonIssue> issues;
        EXPECT_EQ(read({{"energy_seconds", seconds}}, issues), seconds);
        EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    }
    for (const double seconds : {-1.0, 0.5, 1.99, 601.0}) {
        std::vector<JsonIssue> issues;
        EXPECT_EQ(read({{"energy_seconds", seconds}}, issues), 0.0);
        EXPECT_EQ(issues.size(), 1U) << seconds;
    }
}

TEST(MeasurementSettings, KindsThatNeedManySamplesGetRoom)
{
    EXPECT_EQ(maximumSamplesOf(Json::object()), 1000);
    EXPECT_EQ(maximumSamplesOf({{"stopping", "time"}}), 100'000);
    EXPECT_EQ(maximumSamplesOf({{"stopping", "entropy"}}), 10'000);
    EXPECT_EQ(
        maximumSamplesOf({{"stopping", "time"}, {"maximum_samples", 7}, {"minimum_samples", 1}}),
        7);
}

std::string complaints(const Json& json)
{
    std::vector<JsonIssue> issues;
    static_cast<void>(presetFromJson(json, issues));
    return formatIssues(issues);
}

Json smallest()
{
    return parseJson(R"({"schema_version": 1, "name": "n", "defaults": {"model": "demo"}})", "t")
        .value();
}

TEST(Preset, TheSmallestHasTheDefaultsOfTheProgram)
{
    const Preset preset = parsed(smallest());
    EXPECT_EQ(preset.defaults, (CellConfig{.model = "demo", .precision = {"bf16"}}));
    EXPECT_TRUE(preset.axes.empty());
    EXPECT_EQ(preset.mode, SweepMode::Cross);
    EXPECT_EQ(preset.rounds, 5);
    EXPECT_EQ(preset.isolation, Isolation::Cell);
    EXPECT_EQ(preset.speedBaseline, "best-bf16");
    EXPECT_EQ(preset.measurement, MeasurementSettings{});
    EXPECT_EQ(preset.pictures.count, 16);
    EXPECT_TRUE(preset.appendDefault);
    EXPECT_TRUE(preset.noiseFloor);
    EXPECT_TRUE(preset.gates.empty());
}

TEST(Preset, ReadsTheAxesInTheOrderOfNesting)
{
    const Preset preset = parsed(parseJson(kEverything, "t").value());
    ASSERT_EQ(preset.axes.size(), 5U);
    EXPECT_EQ(preset.axes[0].name, "model");
    EXPECT_EQ(preset.axes[1].name, "seed");
    EXPECT_THAT(preset.axes[1].values, ElementsAre("0"));
    EXPECT_EQ(preset.axes[2].name, "image_size");
    EXPECT_THAT(preset.axes[2].values, ElementsAre("256", "512", "1024"));
    EXPECT_EQ(preset.axes[3].name, "precision");
    EXPECT_THAT(preset.axes[3].values, ElementsAre("bf16", "bf16/int8dq", "int8dq/bf16"));
    EXPECT_EQ(preset.axes[4].name, "batch");
    EXPECT_THAT(preset.axes[4].values, ElementsAre("1", "2", "4", "8"));
    ASSERT_EQ(preset.linked.size(), 1U);
    EXPECT_THAT(preset.linked[0], ElementsAre("model", "image_size"));
    ASSERT_EQ(preset.exclusions.size(), 1U);
    EXPECT_THAT(preset.exclusions[0].match.at("batch"), ElementsAre("128", "256", "512"));
    EXPECT_EQ(preset.exclusions[0].reason, "slow");
}

TEST(Preset, ReadsHowToMeasure)
{
    const Preset preset = parsed(parseJson(kEverything, "t").value());
    EXPECT_EQ(preset.mode, SweepMode::OneAtATime);
    EXPECT_FALSE(preset.appendDefault);
    EXPECT_EQ(preset.rounds, 3);
    EXPECT_EQ(preset.orderSeed, 9);
    EXPECT_EQ(preset.isolation, Isolation::Model);
    EXPECT_EQ(preset.speedBaseline, "bf16-eager");
    const MeasurementSettings expected{.minimumWarmupSeconds = 0.25,
                                       .maximumWarmupSeconds = 2,
                                       .compileWarmupSamples = 10,
                                       .warmupSamples = 0,
                                       .minimumSampleSeconds = 0.125,
                                       .maximumSampleSeconds = 4,
                                       .minimumSamples = 5,
                                       .maximumSamples = 50,
                                       .stopping = StoppingKind::Entropy,
                                       .maximumRelativeNoise = 0.01,
                                       .energySeconds = 12.5,
                                       .pinCore = false,
                                       .phaseLimitSeconds = {{Phase::Load, 60},
                                                             {Phase::Quantize, 45},
                                                             {Phase::Compile, 1800},
                                                             {Phase::Warmup, 30},
                                                             {Phase::Measure, 90},
                                                             {Phase::Outputs, 75}}};
    EXPECT_EQ(preset.measurement, expected);
    EXPECT_EQ(preset.pictures.source, "/pictures");
    EXPECT_EQ(preset.pictures.count, 3);
    EXPECT_EQ(preset.pictures.crop, PictureCrop::Pad);
    EXPECT_FALSE(preset.noiseFloor);
    EXPECT_THAT(preset.gates,
                ElementsAre(Gate{.metric = "cv", .relation = GateRelation::AtMost, .value = 0.05},
                            Gate{.metric = "speedup",
                                 .relation = GateRelation::AtLeast,
                                 .value = 1.2,
                                 .device = "H200",
                                 .model = "a",
                                 .precision = "int8dq",
                                 .batch = 16}));
}

TEST(Preset, WritingAndReadingLosesNothing)
{
    const Json written = toJson(parsed(parseJson(kEverything, "t").value()));
    EXPECT_EQ(canonicalText(toJson(parsed(written))), canonicalText(written));
    EXPECT_EQ(written["axes"]["image_size"], Json({256, 512, 1024}));
    EXPECT_EQ(written["measurement"]["maximum_samples"], 50);
    EXPECT_EQ(written["mode"], "one-at-a-time");
    EXPECT_EQ(written["pictures"]["crop"], "pad");
    EXPECT_EQ(toJson(Preset())["pictures"]["crop"], "center");
    EXPECT_EQ(written["exclude"][0]["match"]["precision"], Json({"int8wo"}));
}

TEST(Preset, KeepsWhatItsModelsAreFedWith)
{
    Json document{{"schema_version", 1}, {"name", "fed"}, {"defaults", {{"model", "demo"}}}};
    document["model_io"] = {{"inputs", {{"x", "images:range=0..255"}, {"ids", "file:ids.txt"}}},
                            {"weights", "trained"},
                            {"output", "y"},
                            {"output_kind", "classes"},
                            {"labels", "labels.txt"},
                            {"stages", {"encoder=net.encoder", "decoder=net.decoder"}}};
    std::vector<JsonIssue> issues;
    const Preset preset = presetFromJson(document, issues);
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    EXPECT_EQ(preset.feeding.stages.size(), 2U);
    EXPECT_EQ(toJson(preset).at("model_io"), document.at("model_io"));
    document["model_io"] = {{"inputs", {{"x", "pictures"}}}};
    static_cast<void>(presetFromJson(document, issues));
    ASSERT_EQ(issues.size(), 1U);
    EXPECT_EQ(issues[0].path, "$.model_io.inputs.x");
}

TEST(Preset, FindsTheLabelsBesideIt)
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "labels.txt", "0\n1\n");
    Json document = smallest();
    document["model_io"] = {{"labels", "labels.txt"}};
    tests::writeFile(folder / "preset.json", document.dump());
    EXPECT_EQ(readPreset(folder / "preset.json").value().feeding.labels,
              (folder / "labels.txt").string());
}

TEST(Preset, HalfTypedValuesOfAnEditorAreWritten)
{
    Preset preset = parsed(smallest());
    preset.axes = {{"batch", {"4", "x"}}};
    EXPECT_EQ(toJson(preset)["axes"]["batch"], Json({4, "x"}));
}

TEST(Preset, CollectsEveryComplaint)
{
    Json json = smallest();
    json["rounds"] = "3";
    json["axes"] = {{"batch", {1, 2, "4..1"}}, {"precision", {"bf16", 8}}};
    json["pictures"] = {{"cuont", 3}, {"crop", "round"}};
    EXPECT_EQ(
        complaints(json),
        "$.axes.precision[1]: expected a string or an object with one scheme per stage, found "
        "number\n$.axes.batch[2]: \"4..1\": the first value is larger than the last\n$.rounds: "
        "expected an integer from 1 to 1000, found \"3\"\n$.pictures.crop: expected one of "
        "center, pad; found \"round\"\n$.pictures.cuont: is not a known member");
}

TEST(Preset, NumbersMadeInMemoryMustBeFinite)
{
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Json json = smallest();
        json["measurement"]["maximum_relative_noise"] = value;
        EXPECT_THAT(complaints(json), HasSubstr("$.measurement.maximum_relative_noise: "));
        json = smallest();
        json["measurement"]["phase_limit_seconds"]["load"] = value;
        EXPECT_THAT(complaints(json), HasSubstr("$.measurement.phase_limit_seconds.load: "));
    }
}

TEST(Preset, ACellIdIsASpeedBaseline)
{
    Json json = smallest();
    json["speed_baseline"] = std::string(64, 'a');
    EXPECT_EQ(parsed(json).speedBaseline, std::string(64, 'a'));
    json["speed_baseline"] = std::string(64, 'g');
    EXPECT_THAT(complaints(json), HasSubstr("$.speed_baseline: expected"));
}

TEST(Preset, AMissingFileIsNamed)
{
    const auto result = readPreset("/nowhere/preset.json");
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("/nowhere/preset.json"));
}

// Replaces every value of a document in turn: nothing may crash, and null fits nowhere.
void replaceEach(const Json& document, const Json& replacement, bool mustComplain)
{
    const Json leaves = document.flatten();
    for (const auto& [pointer, leaf] : leaves.items()) {
        for (Json::json_pointer place(pointer); !place.empty(); place.pop_back()) {
            Json damaged = document;
            damaged[place] = replacement;
            const std::string found = complaints(damaged);
            EXPECT_TRUE(!mustComplain || !found.empty()) << place.to_string();
        }
    }
}

TEST(Preset, SurvivesDamageAtEveryPlace)
{
    const Json document = parseJson(kEverything, "t").value();
    replaceEach(document, Json(), true);
    replaceEach(document, Json::array({Json()}), true);
    replaceEach(document, Json::object({{"x", 1}}), true);
    replaceEach(document, Json(-1e300), true);
    replaceEach(document, Json(UINT64_MAX), true);
    replaceEach(document, Json(""), false);
    replaceEach(document, Json::object(), false);
    replaceEach(document, Json::array(), false);
}

}  // namespace
}  // namespace qs::core
