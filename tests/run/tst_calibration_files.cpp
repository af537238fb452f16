#include "core/run/calibration_files.h"

#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/model/tensor_file.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

void writePicture(const std::filesystem::path& file, float value)
{
    Picture picture{8, 8, 3, std::vector<float>(8 * 8 * 3, value)};
    picture.values.front() = 0.0F;
    ASSERT_TRUE(writePng(file, picture).ok());
}

TEST(CalibrationFiles, PicturesBecomeAnArrayAndStayAsTheyWere)
{
    const tests::TestFolder folder;
    const tests::TestFolder run;
    writePicture(folder / "a.png", 1.0F);
    writePicture(folder / "b.png", 0.0F);
    tests::writeFile(folder / "broken.png", "\x89PNG\r\n\x1a\n of no use");
    const PictureSettings pictures{.source = folder.path().string(), .count = 8};
    const auto skipped = keepCalibrationPictures(run.path(), "calibration", pictures, 8);
    ASSERT_TRUE(skipped.ok()) << skipped.error().message;
    // b.png has one colour alone.
    EXPECT_THAT(skipped.value(), SizeIs(2));
    const FilePlace array = FilePlace::inside(run.path(), "calibration/pictures_8.npy");
    EXPECT_THAT(readNpyShape(array).value(), ElementsAre(1, 3, 8, 8));
    EXPECT_EQ(readNpyEntries(array, 0, 1).value().values.back(), 1.0F) << "white";
    writePicture(folder / "a.png", 0.5F);
    EXPECT_TRUE(keepCalibrationPictures(run.path(), "calibration", pictures, 8).ok());
    EXPECT_EQ(readNpyEntries(array, 0, 1).value().values.back(), 1.0F);
}

TEST(CalibrationFiles, TextsBecomeTokensAndErrorsNameTheInput)
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "texts.txt", "ab\nc\n");
    CalibrationInputs set;
    set.inputs = {{"tokens", TextFeed{(folder / "texts.txt").string(), "bytes"}}};
    ASSERT_TRUE(keepCalibrationInputs(folder.path(), "calibration", set).ok());
    const Result<HostTensor> copy =
        readTensorFile(FilePlace::inside(folder.path(), "calibration/feed_0.npy"), {});
    ASSERT_TRUE(copy.ok()) << copy.error().message;
    EXPECT_THAT(copy.value().shape, ElementsAre(2, 2));
    set.inputs = {{"tokens", FileFeed{(folder / "nowhere.npy").string(), ""}}};
    const tests::TestFolder other;
    const Status refused = keepCalibrationInputs(other.path(), "calibration", set);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("calibration input tokens"));
}

}  // namespace
}  // namespace qs::core
