#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Preset presetWith(std::vector<Axis> axes)
{
    Preset preset;
    preset.name = "test";
    preset.defaults.model = "demo";
    preset.defaults.precision = {"bf16"};
    preset.axes = std::move(axes);
    preset.noiseFloor = false;
    return preset;
}

std::vector<ExpandedCell> expanded(const Preset& preset)
{
    const auto cells = expandCells(preset, false);
    EXPECT_TRUE(cells.ok()) << (cells.ok() ? "" : cells.error().message);
    return cells.ok() ? cells.value() : std::vector<ExpandedCell>{};
}

std::string refusal(const Preset& preset, bool manyAllowed = false)
{
    const auto cells = expandCells(preset, manyAllowed);
    return cells.ok() ? "accepted" : cells.error().message;
}

// "int8dq none 4": what these tests vary, with the role in front if the cell was not asked for.
std::string shortText(const ExpandedCell& cell)
{
    std::string text = cell.role == CellRole::QualityReference ? "ref "
                       : cell.role == CellRole::NoiseFloor     ? "noise "
                                                               : "";
    text += precisionText(cell.config) + " " + cell.config.compile + " " +
            std::to_string(cell.config.batch);
    return cell.rerun == 0 ? text : text + " again";
}

std::vector<std::string> shortTexts(const std::vector<ExpandedCell>& cells)
{
    std::vector<std::string> texts;
    for (const ExpandedCell& cell : cells)
        texts.push_back(shortText(cell));
    return texts;
}

std::vector<std::string> numbersTo(int last)
{
    std::vector<std::string> values;
    for (int i = 1; i <= last; ++i)
        values.push_back(std::to_string(i));
    return values;
}

TEST(Expand, CrossProductWithTheBatchTurningFastest)
{
    // The order of the axes in the preset does not matter.
    const Preset preset = presetWith({{"batch", {"1", "4"}}, {"precision", {"bf16", "int8dq"}}});
    EXPECT_EQ(countCells(preset), 4);
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("bf16 none 1", "bf16 none 4", "int8dq none 1", "int8dq none 4"));
}

TEST(Expand, WithoutAxesThereIsTheDefaultCell)
{
    const Preset preset = presetWith({});
    EXPECT_EQ(countCells(preset), 1);
    EXPECT_THAT(shortTexts(expanded(preset)), ElementsAre("bf16 none 1"));
}

TEST(Expand, OneAtATimeVariesEachAxisOverTheDefault)
{
    Preset preset = presetWith({{"precision", {"int8dq"}}, {"batch", {"2", "4"}}});
    preset.mode = SweepMode::OneAtATime;
    EXPECT_EQ(countCells(preset), 4);
    // The references of batches 2 and 4 are the cells themselves.
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("int8dq none 1", "bf16 none 2", "bf16 none 4", "bf16 none 1"));
    preset.appendDefault = false;
    EXPECT_EQ(countCells(preset), 3);
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("int8dq none 1", "bf16 none 2", "bf16 none 4", "ref bf16 none 1"));
}

TEST(Expand, CountsFollowThePublishedSweeps)
{
    // A sweep over 14 batch sizes plus the default run; a cross sweep of 2 by 3.
    Preset preset = presetWith({{"batch", numbersTo(14)}});
    preset.mode = SweepMode::OneAtATime;
    EXPECT_EQ(countCells(preset), 15);
    preset = presetWith({{"batch", {"1", "2"}}, {"image_size", {"64", "128", "256"}}});
    EXPECT_EQ(countCells(preset), 6);
}

TEST(Expand, DuplicatesAreRemoved)
{
    Preset preset = presetWith({{"batch", {"1", "1", "2"}}, {"precision", {"bf16", "bf16/bf16"}}});
    EXPECT_EQ(countCells(preset), 6);
    EXPECT_THAT(shortTexts(expanded(preset)), ElementsAre("bf16 none 1", "bf16 none 2"));
    preset.mode = SweepMode::OneAtATime;
    EXPECT_THAT(shortTexts(expanded(preset)), ElementsAre("bf16 none 1", "bf16 none 2"));
}

TEST(Expand, LinkedAxesAdvanceTogether)
{
    Preset preset = presetWith(
        {{"model", {"small", "large"}}, {"image_size", {"256", "512"}}, {"batch", {"1", "2"}}});
    preset.linked = {{"image_size", "model"}};
    EXPECT_EQ(countCells(preset), 4);
    std::vector<std::string> texts;
    for (const ExpandedCell& cell : expanded(preset))
        texts.push_back(cell.config.model + " " + std::to_string(cell.config.imageSize()) + " " +
                        std::to_string(cell.config.batch));
    EXPECT_THAT(texts, ElementsAre("small 256 1", "small 256 2", "large 512 1", "large 512 2"));
    preset.mode = SweepMode::OneAtATime;
    EXPECT_EQ(countCells(preset), 5);
}

TEST(Expand, ExclusionsNeedEveryMember)
{
    Preset preset = presetWith({{"precision", {"bf16", "int8wo"}}, {"batch", {"1", "256"}}});
    preset.exclusions = {{{{"precision", {"int8wo", "int8dq"}}, {"batch", {"256"}}}, "slow"}};
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("bf16 none 1", "bf16 none 256", "int8wo none 1"));
    EXPECT_EQ(countCells(preset), 4);
    preset.exclusions = {{{{"model", {"demo"}}}, "all"}};
    EXPECT_THAT(refusal(preset), HasSubstr("no cells"));
}

TEST(Expand, AReferenceIsAddedOncePerShape)
{
    const Preset preset = presetWith({{"precision", {"int8dq", "int8wo"}},
                                      {"compile", {"cuda-graph"}},
                                      {"layers", {"all", "mlp"}},
                                      {"batch", {"1", "2"}}});
    const auto cells = expanded(preset);
    EXPECT_EQ(cells.size(), 10U);
    EXPECT_EQ(shortText(cells[8]), "ref bf16 none 1");
    EXPECT_EQ(shortText(cells[9]), "ref bf16 none 2");
    EXPECT_EQ(cells[8].config.layers, "all");
}

// The work is the same whatever the filter says where nothing is quantized.
TEST(Expand, FiltersDoNotMultiplyCellsThatTheyCannotTouch)
{
    const Preset preset = presetWith(
        {{"precision", {"bf16", "fp32", "tf32", "fp16", "bf16-autocast", "int8dq", "bf16/int8dq"}},
         {"layers", {"mlp", "all", "attention"}}});
    const auto cells = expanded(preset);
    const auto countOf = [&](const std::string& precision) {
        return std::count_if(cells.begin(), cells.end(), [&](const ExpandedCell& cell) {
            return precisionText(cell.config) == precision;
        });
    };
    for (const char* precision : {"bf16", "fp32", "tf32", "fp16"})
        EXPECT_EQ(countOf(precision), 1) << precision;
    for (const char* precision : {"bf16-autocast", "int8dq", "bf16/int8dq"})
        EXPECT_EQ(countOf(precision), 3) << precision;
    const auto bf16 = std::find_if(cells.begin(), cells.end(), [](const ExpandedCell& cell) {
        return precisionText(cell.config) == "bf16";
    });
    EXPECT_EQ(bf16->config.layers, "all");
    EXPECT_EQ(bf16->role, CellRole::Swept);
    EXPECT_THAT(bf16->sameFilters, ElementsAre("mlp", "attention"));
    // Whom a filter was excluded with is not planned for it either.
    Preset without = presetWith({{"precision", {"bf16"}}, {"layers", {"mlp", "attention"}}});
    without.exclusions = {{{{"layers", {"mlp"}}}, "known already"}};
    EXPECT_THAT(expanded(without).front().sameFilters, ElementsAre("attention"));
}

TEST(Expand, ReferencesFollowWhatTheyMustMatch)
{
    for (const char* name : {"model", "device", "attention", "batch", "image_size", "seed"}) {
        Preset preset = presetWith({{name, {"2", "3"}}});
        preset.defaults.precision = {"int8dq"};
        EXPECT_EQ(expanded(preset).size(), 4U) << name;
    }
    for (const char* name : {"precision", "compile", "layers"}) {
        Preset preset = presetWith({{name, {"2", "3"}}});
        preset.defaults.precision = {"int8dq"};
        EXPECT_EQ(expanded(preset).size(), 3U) << name;
    }
}

TEST(Expand, AnExcludedReferenceIsStillMeasured)
{
    Preset preset = presetWith({{"precision", {"bf16", "int8dq"}}});
    preset.exclusions = {{{{"precision", {"bf16"}}}, "known already"}};
    EXPECT_THAT(shortTexts(expanded(preset)), ElementsAre("int8dq none 1", "ref bf16 none 1"));
}

TEST(Expand, NoiseFloorRunsOncePerShape)
{
    Preset preset = presetWith({{"precision", {"int8dq", "int8wo"}}});
    preset.noiseFloor = true;
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("int8dq none 1", "int8wo none 1", "ref bf16 none 1",
                            "noise fp32 none 1", "noise bf16 none 1 again"));
    preset.defaults.device = "cuda:0";
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("int8dq none 1", "int8wo none 1", "ref bf16 none 1",
                            "noise fp32 none 1", "noise bf16 none 1 again",
                            "noise bf16 cuda-graph 1"));
}

TEST(Expand, NoiseFloorRunsThatWereAskedForAreNotRepeated)
{
    Preset preset =
        presetWith({{"precision", {"bf16", "fp32"}}, {"compile", {"none", "cuda-graph"}}});
    preset.defaults.device = "cuda:0";
    preset.noiseFloor = true;
    EXPECT_THAT(shortTexts(expanded(preset)),
                ElementsAre("bf16 none 1", "bf16 cuda-graph 1", "fp32 none 1", "fp32 cuda-graph 1",
                            "noise bf16 none 1 again"));
}

TEST(Expand, ManyCellsNeedAYes)
{
    Preset preset = presetWith({{"batch", numbersTo(101)}, {"seed", numbersTo(100)}});
    EXPECT_EQ(countCells(preset), 10'100);
    EXPECT_EQ(refusal(preset),
              "the sweep has 10,100 cells; more than 10,000 must be allowed explicitly");
    EXPECT_EQ(expandCells(preset, true).value().size(), 10'100U);
    preset.axes.push_back({"image_size", numbersTo(1000)});
    EXPECT_THAT(refusal(preset, true), HasSubstr("100,000 are the most"));
}

TEST(Expand, CountingSaturates)
{
    std::vector<Axis> axes;
    for (const std::string& name : axisNames()) {
        const std::string value = name == "env" ? "none" : name == "workload" ? "pass" : "1";
        axes.push_back({name, std::vector<std::string>(1000, value)});
    }
    const Preset preset = presetWith(std::move(axes));
    EXPECT_EQ(countCells(preset), INT64_MAX);
    EXPECT_THAT(refusal(preset, true), HasSubstr("9,223,372,036,854,775,807 cells"));
}

TEST(Expand, ChecksPresetsThatCameFromNoFile)
{
    EXPECT_EQ(refusal(presetWith({{"batch", {"1", "x"}}})),
              "$.axes.batch[1]: expected an integer from 1 to 2147483647, found \"x\"");
    EXPECT_THAT(refusal(presetWith({{"batch", {}}})), HasSubstr("$.axes.batch: has no values"));
    EXPECT_THAT(refusal(presetWith({{"speed", {"1"}}})), HasSubstr("is not an axis"));
    EXPECT_THAT(refusal(presetWith({{"batch", {"1"}}, {"batch", {"2"}}})),
                HasSubstr("appears twice"));
    Preset preset = presetWith({{"batch", {"1"}}});
    preset.exclusions = {{{{"speed", {"1"}}}, "why"}};
    EXPECT_THAT(refusal(preset), HasSubstr("$.exclude[0].match.speed: is not an axis"));
    preset = presetWith({{"batch", {"1", "2"}}, {"seed", {"1"}}});
    preset.linked = {{"batch", "seed"}};
    EXPECT_THAT(refusal(preset), HasSubstr("$.linked[0][1]: \"seed\" has 1 values"));
    preset = presetWith({});
    preset.mode = SweepMode::OneAtATime;
    preset.appendDefault = false;
    EXPECT_EQ(countCells(preset), 0);
    EXPECT_THAT(refusal(preset), HasSubstr("no cells"));
}

TEST(Expand, QualityReferenceKeepsTheShape)
{
    const CellConfig cell{.model = "m",
                          .device = "cuda:1",
                          .precision = {"bf16", "int8dq"},
                          .layers = "mlp",
                          .compile = "fused",
                          .attention = "flash",
                          .inputs = "overlapped",
                          .batch = 8,
                          .sizes = {{"image_size", 512}},
                          .seed = 3};
    const CellConfig reference = qualityReferenceOf(cell);
    EXPECT_EQ(reference, (CellConfig{.model = "m",
                                     .device = "cuda:1",
                                     .precision = {"bf16"},
                                     .layers = "all",
                                     .compile = "none",
                                     .attention = "flash",
                                     .inputs = "device",
                                     .batch = 8,
                                     .sizes = {{"image_size", 512}},
                                     .seed = 3}));
    EXPECT_EQ(qualityReferenceOf(reference), reference);
}

TEST(Expand, ForwardAndGenerateArePassesWithoutAndWithNewTokens)
{
    Preset preset = presetWith({{"workload", {"forward", "generate", "quantize"}}});
    preset.defaults.model = "llama:tiny";
    preset.defaults.precision = {"int8wo"};
    preset.defaults.sizes.set("new_tokens", 5);
    const auto newTokens = [&] {
        std::vector<std::string> cells;
        for (const ExpandedCell& cell : expanded(preset)) {
            if (cell.role == CellRole::Swept)
                cells.push_back(cell.config.workload + " " +
                                std::to_string(cell.config.sizes.find("new_tokens").value_or(-1)));
        }
        return cells;
    };
    EXPECT_THAT(newTokens(), ElementsAre("pass 0", "pass 5", "quantize 5"));
    preset.defaults.sizes.set("new_tokens", 0);
    EXPECT_THAT(newTokens(), ElementsAre("pass 0", "pass 32", "quantize 0")) << "as many as usual";
    preset.axes.clear();
    preset.defaults.workload = "generate";
    EXPECT_THAT(newTokens(), ElementsAre("pass 32"));
    for (const ExpandedCell& cell : expanded(preset))
        EXPECT_EQ(cell.config.sizes.find("new_tokens"), 32) << "of the reference, too";
}

}  // namespace
}  // namespace qs::core
