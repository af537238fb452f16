#include "core/run/calibration_files.h"
#include "core/run/calibration_store.h"

#include "core/base/npy.h"
#include "core/base/sha256.h"
#include "core/image/picture_file.h"
#include "core/model/tensor_file.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

// A whole entry, as readCalibrationEntry() takes it.
std::string entryBytes(const std::string& content)
{
    const CalibrationTexts texts{content, jsonText(toJson(StageCalibration{})), "demo", "int8sq"};
    Sha256 hash = calibrationHash(texts);
    hash.update("a");
    hash.update("ABCD");
    Json header{{"a", {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {0, 4}}}}};
    header["__metadata__"] = calibrationMetadata(texts, hash.hex());
    const std::string text = header.dump();
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        length[i] = static_cast<char>((text.size() >> (8 * i)) & 0xffU);
    return length + text + "ABCD";
}

TEST(CalibrationStore, ListsWholeAndDamagedEntriesAndCopiesWholeOnes)
{
    const tests::TestFolder from;
    const tests::TestFolder to;
    const std::string whole = sha256Hex("1");
    const std::string damaged = sha256Hex("2");
    tests::writeFile(from / (whole + ".safetensors"), entryBytes(whole));
    tests::writeFile(from / (damaged + ".safetensors"), entryBytes(damaged).substr(0, 300));
    tests::writeFile(from / "README.txt", "no entry");
    std::filesystem::create_directory(from / "folder.safetensors");
    const auto entries = storedCalibrations(from.path());
    ASSERT_TRUE(entries.ok());
    ASSERT_THAT(entries.value(), SizeIs(2));
    for (const StoredCalibration& each : entries.value())
        EXPECT_EQ(each.entry.ok(), each.file.stem() == whole);
    const std::filesystem::path file = from / (whole + ".safetensors");
    EXPECT_EQ(copyCalibration(file, to / "new").value(), true);
    EXPECT_EQ(copyCalibration(file, to / "new").value(), false);
    EXPECT_EQ(tests::readFile((to / "new") / file.filename()), entryBytes(whole));
    // What is damaged there is replaced.
    tests::writeFile((to / "new") / file.filename(), "x");
    EXPECT_EQ(copyCalibration(file, to / "new").value(), true);
    EXPECT_EQ(tests::readFile((to / "new") / file.filename()), entryBytes(whole));
    EXPECT_THAT(storedCalibrations(file).value(), SizeIs(1));
    EXPECT_FALSE(storedCalibrations(to / "nowhere").ok());
}

}  // namespace
}  // namespace qs::core
