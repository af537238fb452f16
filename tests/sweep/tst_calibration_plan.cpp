#include "core/sweep/calibration_plan.h"
#include "tests/sweep/small_computer.h"

#include "core/base/files.h"
#include "core/image/picture_file.h"
#include "core/model/catalogue.h"
#include "core/sweep/calibration_sets.h"
#include "core/sweep/plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

constexpr const char* kSmall = "vitok:w64_d1_h4/1x8x16";

Plan planned(const std::vector<std::string>& precisions, const PictureSettings& pictures = {},
             int rounds = 1)
{
    Preset preset;
    preset.name = "test";
    preset.defaults = {.model = kSmall, .precision = {"bf16"}, .sizes = {{"image_size", 64}}};
    preset.axes = {{"precision", precisions}};
    preset.rounds = rounds;
    preset.pictures = pictures;
    const auto plan = makePlan(preset, {{smallComputer()}, tests::dataFile("../resources")});
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? plan.value() : Plan{};
}

PlannedCell cellOf(const Plan& plan, const std::string& precision)
{
    for (const PlannedCell& cell : plan.cells) {
        if (cell.config.precision == std::vector{precision})
            return cell;
    }
    ADD_FAILURE() << precision;
    return {};
}

class OwnPictures : public ::testing::Test
{
protected:
    void write(const std::string& name, float value)
    {
        Picture picture{8, 8, 3, std::vector<float>(8 * 8 * 3, value)};
        picture.values.front() = 0.0F;
        ASSERT_TRUE(writePng(m_folder / name, picture).ok());
    }
    [[nodiscard]] PictureSettings settings(int count = 16) const
    {
        return {.source = m_folder.path().string(), .count = count};
    }

    tests::TestFolder m_folder;
};

TEST_F(OwnPictures, AnotherPictureIsAnotherCellWhereItIsCalibratedOn)
{
    const std::vector<std::string> precisions{"int8sq:set=inputs", "int8sq", "int8dq"};
    write("a.png", 0.25F);
    write("b.png", 0.5F);
    const Plan before = planned(precisions, settings());
    EXPECT_EQ(cellOf(planned(precisions, settings()), "int8sq:set=inputs").id,
              cellOf(before, "int8sq:set=inputs").id);
    write("b.png", 0.75F);
    const Plan after = planned(precisions, settings());
    EXPECT_NE(cellOf(after, "int8sq:set=inputs").id, cellOf(before, "int8sq:set=inputs").id);
    for (const char* other : {"int8sq", "int8dq", "bf16"})
        EXPECT_EQ(cellOf(after, other).id, cellOf(before, other).id) << other;
    EXPECT_EQ(cellOf(after, "int8sq:set=inputs").referenceId, cellOf(after, "bf16").id);
}

TEST_F(OwnPictures, CountAndCropAndOrderBelongToTheContent)
{
    const OpenedModel opened = openModel(kSmall, {}, 1).value();
    const auto inputContent = [&](const PictureSettings& pictures) {
        Preset preset;
        preset.pictures = pictures;
        return CalibrationSets(preset, tests::dataFile("../resources"))
            .content(CalibrationSet::Inputs, *opened.model.family);
    };
    write("a.png", 0.25F);
    write("b.png", 0.5F);
    const std::string all = inputContent(settings());
    EXPECT_EQ(inputContent(settings()), all);
    EXPECT_NE(inputContent(settings(1)), all);
    PictureSettings padded = settings();
    padded.crop = PictureCrop::Pad;
    EXPECT_NE(inputContent(padded), all);
    const std::string first = inputContent(settings(1));
    write("b.png", 0.75F);
    EXPECT_EQ(inputContent(settings(1)), first) << "the second file is not among the inputs";
    EXPECT_NE(inputContent(settings()), all);
    EXPECT_NE(inputContent({}), inputContent({.count = 8}));
}

TEST(CalibrationOfAPlan, OnlyOptionsThatMatterMakeAnotherCell)
{
    const Plan plan =
        planned({"int8sq", "int8sq:seed=1", "int8sq:samples=8", "int8-static:method=percentile",
                 "int8-static:method=percentile:percentile=99"});
    std::set<std::string> ids;
    for (const PlannedCell& cell : plan.cells)
        ids.insert(cell.id);
    EXPECT_EQ(ids.size(), plan.cells.size());
}

TEST(CalibrationOfAPlan, ItsTimeIsInTheEstimateOnce)
{
    const auto seconds = [](const std::string& precision, int rounds = 1) {
        return cellOf(planned({precision}, {}, rounds), precision).estimatedSeconds;
    };
    const double dynamic = seconds("int8dq");
    const double smooth = seconds("int8sq");
    EXPECT_GT(smooth, dynamic);
    EXPECT_GT(seconds("int8sq:samples=64"), smooth);
    EXPECT_GT(seconds("int8-static:method=mse"), seconds("int8-static"));
    EXPECT_GT(seconds("gptq-int4-32:tail=1") - seconds("int4wo-32:tail=1"), smooth - dynamic);
    // The first of ten rounds pays for all.
    const std::string many = "int8sq:samples=1024";
    const double once = seconds(many) - smooth;
    EXPECT_NEAR(10.0 * (seconds(many, 10) - seconds("int8sq", 10)), once, 0.01 * once);
}

TEST(CalibrationOfAPlan, OnTheInputsOfTheRunThereIsAWarning)
{
    const Plan plan = planned({"int8sq:samples=8:set=inputs", "int8sq"});
    const Note warning{NoteCode::CalibratedOnQualityInputs, {8.0, 8.0}};
    EXPECT_THAT(cellOf(plan, "int8sq:samples=8:set=inputs").notes, testing::Contains(warning));
    EXPECT_THAT(cellOf(plan, "int8sq").notes, testing::Not(testing::Contains(warning)));
}

}  // namespace
}  // namespace qs::core
