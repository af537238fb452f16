#include "core/sweep/preset.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;

struct Damage {
    std::string file;
    std::string complaint;
};

void PrintTo(const Damage& damage, std::ostream* stream)
{
    *stream << damage.file;
}

const std::vector<Damage>& damages()
{
    static const std::vector<Damage> kDamages{
        {"axis_no_list", "$.axes.precision: expected a list, found string"},
        {"batch_fraction", "$.axes.batch[1]: expected an integer or a range"},
        {"batch_too_large", "$.axes.batch[0]: expected an integer from 1 to 2147483647"},
        {"batch_zero", "$.axes.batch[0]: expected an integer from 1"},
        {"calibration_empty", "$.calibration: is empty; name \"pictures\" or \"inputs\""},
        {"calibration_of_images_feed", "$.calibration.inputs.x: a calibration set is fed from"},
        {"calibration_too_many", "$.calibration.pictures.count: expected an integer from 1 to"},
        {"calibration_unknown", "$.calibration.texts: "},
        {"calibration_without_source", "$.calibration.pictures.source: is empty"},
        {"control_character", "$.axes.layers[0]: contains a control character"},
        {"duplicate_key", "the key \"rounds\" appears twice"},
        {"empty_axis", "$.axes.precision: has no values"},
        {"empty_model", "$.defaults.model: is empty"},
        {"exclusion_of_everything", "$.exclude[0].match: names no axis"},
        {"exclusion_unknown_axis", "$.exclude[0].match.speed: is not an axis"},
        {"exclusion_without_reason", "$.exclude[0].reason: is missing"},
        {"flag_as_number", "$.noise_floor: expected true or false, found number"},
        {"gate_not_finite", "$.gates[0]: expected a number, found \"inf\""},
        {"gate_unknown", "$.gates[0]: unknown metric \"colour\"; known are throughput"},
        {"gate_without_expectation", "$.gates[0].expect: is missing"},
        {"gate_without_unit", "$.gates[0]: give the unit of latency: s, ms"},
        {"env_not_allowed",
         "$.defaults.env.LD_PRELOAD: \"LD_PRELOAD\" is not a variable that a preset may set"},
        {"energy_too_short", "$.measurement.energy_seconds: expected 0 for none, or 2 to 600"},
        {"price_as_text", "$.price.per_device_hour: expected a number from 0"},
        {"price_currency_formula", "$.price.currency: expected a currency of 1 to 12 letters"},
        {"price_negative", "$.price.per_device_hour: expected a number from 0"},
        {"price_no_object", "$.price: "},
        {"price_without_currency", "$.price.currency: "},
        {"gates_too_many", "$.gates: has 101 gates; at most 100 are possible"},
        {"inputs_too_many", "$.model_io.inputs: expected an object of at most 256 inputs"},
        {"limits_crossed", "$.measurement.minimum_samples: is larger than \"maximum_samples\""},
        {"link_alone", "$.linked[0]: needs at least two axes"},
        {"link_of_numbers", "$.linked[0][0]: expected the name of an axis, found number"},
        {"link_to_nothing", "$.linked[0][1]: the preset has no axis \"image_size\""},
        {"link_twice", "$.linked[1][1]: \"model\" is linked twice"},
        {"links_unequal", "$.linked[0][1]: \"image_size\" has 2 values, \"model\" has 3"},
        {"negative_seconds", "$.measurement.minimum_sample_seconds: expected a number from 0.0"},
        {"nested_too_deep", "nested deeper than 32 levels"},
        {"newer_version", "$.schema_version: is 2, but this program reads version 1"},
        {"no_defaults", "$.defaults: is missing"},
        {"no_model", "$.defaults.model: is missing"},
        {"no_name", "$.name: is missing"},
        {"no_rounds", "$.rounds: expected an integer from 1 to 1000, found 0"},
        {"older_version", "$.schema_version: is 0, but this program reads version 1"},
        {"no_version", "$.schema_version: is missing"},
        {"not_an_object", "$: expected an object, found array"},
        {"not_finite", "number overflow parsing '1e999'"},
        {"not_json", "not a valid JSON document"},
        {"pictures_without_source", "$.pictures.source: is empty"},
        {"range_backwards", "$.axes.batch[2]: \"64..1 pow2\": the first value is larger"},
        {"range_too_long", "$.axes.batch: \"1..100000\": more than 1000 values"},
        {"range_unknown_form", "$.axes.batch: \"1 to 64\": use one of"},
        {"stage_empty", "$.axes.precision[0]: \"bf16/\" lacks the precision of a stage"},
        {"stage_missing", "$.axes.precision[1].decoder: is missing"},
        {"stage_unknown", "$.axes.precision[0].prior: is not a known member"},
        {"unknown_axis", "$.axes.batches: is not an axis; the axes are model, device"},
        {"unknown_baseline", "$.speed_baseline: expected best-bf16"},
        {"unknown_default", "$.defaults.batch_size: is not a known member"},
        {"unknown_isolation", "$.isolation: expected one of cell, model; found \"process\""},
        {"unknown_key", "$.round: is not a known member"},
        {"unknown_mode", "$.mode: expected one of cross, one-at-a-time; found \"random\""},
        {"unknown_phase", "$.measurement.phase_limit_seconds.warm-up: is not a known member"},
        {"unknown_stopping", "$.measurement.stopping: expected one of noise, count, time, "
                             "entropy; found \"soon\""},
        {"version_as_text", "$.schema_version: expected an integer"},
    };
    return kDamages;
}

class DamagedPreset : public testing::TestWithParam<Damage>
{
};

TEST_P(DamagedPreset, IsRefusedWithItsReason)
{
    const auto path = tests::dataFile("broken/presets/" + GetParam().file + ".json");
    const auto preset = readPreset(path);
    ASSERT_FALSE(preset.ok());
    EXPECT_EQ(preset.error().code, ErrorCode::Format);
    EXPECT_THAT(preset.error().message, HasSubstr(GetParam().complaint));
    EXPECT_THAT(preset.error().message, HasSubstr(path.filename().string()));
    // One damage, one complaint: nothing else in the file is wrong.
    const auto lines =
        std::count(preset.error().message.begin(), preset.error().message.end(), '\n');
    EXPECT_LE(lines, GetParam().file == "link_of_numbers" ? 2 : 1) << preset.error().message;
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedPreset, testing::ValuesIn(damages()),
                         [](const auto& tested) { return tested.param.file; });

TEST(DamagedPresets, EachFileIsInTheTable)
{
    std::set<std::string> listed;
    for (const Damage& damage : damages())
        listed.insert(damage.file + ".json");
    std::set<std::string> present;
    for (const auto& entry : std::filesystem::directory_iterator(tests::dataFile("broken/presets")))
        present.insert(entry.path().filename().string());
    EXPECT_EQ(present, listed);
}

}  // namespace
}  // namespace qs::core
