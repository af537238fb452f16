#include "core/sweep/calibration_inputs.h"

#include "core/sweep/preset.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

constexpr const char* kPreset =
    R"({"schema_version": 1, "name": "own", "defaults": {"model": "demo"},
    "calibration": {"pictures": {"source": "pictures", "count": 5, "crop": "pad"},
                    "inputs": {"tokens": "text:texts.txt:tokenizer=bytes",
                               "x": "file:x.npy"}}})";

TEST(CalibrationInputs, StandInThePresetAndBesideIt)
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "own.json", kPreset);
    tests::writeFile(folder / "texts.txt", "a\n");
    std::filesystem::create_directory(folder / "pictures");
    const auto preset = readPreset(folder / "own.json");
    ASSERT_TRUE(preset.ok()) << preset.error().message;
    const CalibrationInputs& set = preset.value().calibration;
    EXPECT_EQ(set.pictures.source, (folder / "pictures").string());
    EXPECT_EQ(set.pictures.count, 5);
    EXPECT_EQ(set.pictures.crop, PictureCrop::Pad);
    EXPECT_EQ(std::get<TextFeed>(set.inputs.at("tokens")).path, (folder / "texts.txt").string());
    EXPECT_EQ(std::get<FileFeed>(set.inputs.at("x")).path, "x.npy") << "not beside the preset";
    std::vector<JsonIssue> issues;
    EXPECT_EQ(presetFromJson(toJson(preset.value()), issues).calibration, set);
    EXPECT_TRUE(issues.empty());
}

TEST(CalibrationInputs, WithoutThemNothingIsWritten)
{
    Preset preset;
    preset.name = "none";
    EXPECT_FALSE(toJson(preset).contains("calibration"));
}

TEST(CalibrationInputs, TakeFilesAndTextsAlone)
{
    CalibrationInputs set;
    EXPECT_TRUE(addCalibrationInput(set, "tokens=text:a.txt:tokenizer=bytes").ok());
    EXPECT_TRUE(addCalibrationInput(set, "x=file:a.safetensors#x").ok());
    EXPECT_EQ(set.inputs.size(), 2U);
    for (const char* wrong : {"x=images:range=0..1", "x=uniform:range=0..1", "x=normal", "x", "=",
                              "x=file:", "x=text:a.txt"})
        EXPECT_FALSE(addCalibrationInput(set, wrong).ok()) << wrong;
    EXPECT_EQ(set.inputs.size(), 2U);
}

TEST(CalibrationInputs, AreFedAsTheRunDeclares)
{
    ModelFeeding run;
    run.inputs = {{"x", ImageFeed{.blueFirst = true}},
                  {"tokens", FileFeed{"run.npy", ""}},
                  {"noise", RandomFeed{}}};
    CalibrationInputs set;
    set.inputs = {{"tokens", FileFeed{"own.npy", ""}}};
    const ModelFeeding feeding = calibrationFeeding(run, set);
    EXPECT_TRUE(std::get<ImageFeed>(feeding.inputs.at("x")).blueFirst);
    EXPECT_TRUE(std::holds_alternative<RandomFeed>(feeding.inputs.at("noise")));
    EXPECT_EQ(std::get<FileFeed>(feeding.inputs.at("tokens")).path, "own.npy");
    set.inputs.clear();
    EXPECT_FALSE(calibrationFeeding(run, set).inputs.contains("tokens"))
        << "what quality is judged on is no calibration set";
}

TEST(CalibrationInputs, EachHasACopyOfItsOwn)
{
    CalibrationInputs set;
    set.inputs = {{"a", FileFeed{"a.npy", ""}}, {"b", FileFeed{"b.npy", ""}}};
    EXPECT_NE(calibrationFeedName(set, "a"), calibrationFeedName(set, "b"));
    EXPECT_NE(calibrationPicturesName(32), calibrationPicturesName(64));
}

}  // namespace
}  // namespace qs::core
