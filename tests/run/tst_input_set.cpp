#include "core/run/input_set.h"

#include "core/base/npy.h"
#include "core/device/host_memory.h"
#include "core/image/picture_file.h"
#include "core/image/resize.h"
#include "core/record/run_folder.h"
#include "tests/run/input_list.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <chrono>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

Picture slope(int width, int height)
{
    Picture picture = makePicture(width, height, 3);
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        picture.values[i] = static_cast<float>(i) / static_cast<float>(picture.values.size() - 1);
    return picture;
}

PictureSettings from(const std::filesystem::path& source, int count = 16)
{
    return {.source = source.string(), .count = count};
}

PictureSettings shipped(int count = 16)
{
    PictureSettings settings;
    settings.count = count;
    return located(settings, dataFile("../resources"));
}

// The values that the example runs were measured with.
TEST(InputSet, IsTheShippedSetByDefault)
{
    const InputList set = listInputs(shipped(), 256).value();
    ASSERT_THAT(set.pictures, SizeIs(16));
    EXPECT_EQ(set.names[0], "01 dead-leaves.png");
    EXPECT_EQ(set.names[15], "16 spheres.png");
    EXPECT_THAT(set.skipped, IsEmpty());
    const auto run = dataFile("../resources/example_runs/demo_h200");
    for (const int i : {0, 3}) {  // those that the example keeps
        EXPECT_EQ(set.pictures[static_cast<std::size_t>(i)],
                  readPicture(inputPicture(run, 256, i)).value())
            << i;
    }
    EXPECT_EQ(located(from("/a/folder"), "/resources").source, "/a/folder");
}

TEST(InputSet, RefusesSizesThatCannotBe)
{
    for (const std::int64_t size :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{5000}, std::int64_t{1} << 40}) {
        const auto set = listInputs(shipped(), size);
        ASSERT_FALSE(set.ok()) << size;
        EXPECT_EQ(set.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(set.error().message, HasSubstr(std::to_string(size)));
    }
}

TEST(InputSet, TakesAFolderAndNamesWhatItLeavesOut)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "b.png", slope(40, 30)).ok());
    ASSERT_TRUE(writePng(folder / "a.png", slope(20, 20)).ok());
    const std::string whole = readFile(folder / "b.png");
    writeFile(folder / "c.png", whole.substr(0, whole.size() / 2));
    writeFile(folder / "notes.txt", "no usable image");
    const InputList set = listInputs(from(folder.path()), 16).value();
    EXPECT_THAT(set.names, ElementsAre("a.png", "b.png"));
    for (const Picture& picture : set.pictures) {
        EXPECT_EQ(picture.width, 16);
        EXPECT_EQ(picture.height, 16);
        EXPECT_EQ(picture.channels, 3);
    }
    EXPECT_EQ(set.pictures[1], centerCropAdm(readPicture(folder / "b.png").value(), 16));
    EXPECT_THAT(set.skipped, testing::Contains(HasSubstr("c.png")));
    EXPECT_EQ(set.skippedNames.size(), set.skipped.size());
    EXPECT_THAT(set.skippedNames, testing::Contains("c.png"));
}

TEST(InputSet, PadsInsteadOfCroppingWhenAsked)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "wide.png", slope(64, 20)).ok());
    PictureSettings settings = from(folder.path());
    settings.crop = PictureCrop::Pad;
    const InputList set = listInputs(settings, 32).value();
    ASSERT_THAT(set.pictures, SizeIs(1));
    EXPECT_EQ(set.pictures[0], paddedToSquare(readPicture(folder / "wide.png").value(), 32));
    EXPECT_EQ(set.pictures[0].at(31, 31, 0), 0.5F);
}

TEST(InputSet, TakesAtMostAsManyAsAsked)
{
    const TestFolder folder;
    for (const char* name : {"1.png", "2.png", "3.png"})
        ASSERT_TRUE(writePng(folder / name, slope(20, 20)).ok());
    EXPECT_THAT(listInputs(from(folder.path(), 2), 16).value().names,
                ElementsAre("1.png", "2.png"));
}

TEST(InputSet, TakesOneFile)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "one.png", slope(33, 20)).ok());
    const InputList set = listInputs(from(folder / "one.png"), 20).value();
    EXPECT_THAT(set.names, ElementsAre("one.png"));
    EXPECT_THAT(set.pictures, SizeIs(1));
}

TEST(InputSet, NeedsOnePictureThatCanBeUsed)
{
    const TestFolder folder;
    const auto empty = listInputs(from(folder.path()), 16);
    ASSERT_FALSE(empty.ok());
    EXPECT_THAT(empty.error().message, HasSubstr(folder.path().string()));
    writeFile(folder / "broken.png", "\x89PNG\r\n\x1a\n and nothing more");
    const auto broken = listInputs(from(folder.path()), 16);
    ASSERT_FALSE(broken.ok());
    EXPECT_THAT(broken.error().message,
                AllOf(HasSubstr("no usable image"), HasSubstr("broken.png")));
    EXPECT_FALSE(listInputs(from(folder / "missing"), 16).ok());
}

TEST(InputSet, LeavesOutPicturesOfOneColour)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "a grey.png", makePicture(40, 30, 1, 0.3F)).ok());
    Picture rim = makePicture(60, 20, 3, 0.7F);
    rim.at(2, 3, 1) = 0.1F;  // left of the square in the middle
    ASSERT_TRUE(writePng(folder / "b rim.png", rim).ok());
    Picture nearly = makePicture(20, 20, 3, 0.7F);
    nearly.at(19, 19, 2) = 0.1F;
    ASSERT_TRUE(writePng(folder / "c nearly.png", nearly).ok());
    ASSERT_TRUE(writePng(folder / "d slope.png", slope(20, 20)).ok());
    for (const std::int64_t size : {8, 64}) {
        const InputList set = listInputs(from(folder.path()), size).value();
        EXPECT_THAT(set.names, ElementsAre("c nearly.png", "d slope.png")) << size;
        EXPECT_THAT(set.skipped,
                    ElementsAre(AllOf(HasSubstr("a grey.png"), HasSubstr("the same colour")),
                                HasSubstr("b rim.png")));
    }
    // Bars around it do not make it a better picture; the rim is seen when nothing is cut off.
    PictureSettings padded = from(folder.path());
    padded.crop = PictureCrop::Pad;
    EXPECT_THAT(listInputs(padded, 32).value().names,
                ElementsAre("b rim.png", "c nearly.png", "d slope.png"));
    // What is left out does not count.
    EXPECT_THAT(listInputs(from(folder.path(), 1), 16).value().names, ElementsAre("c nearly.png"));
}

TEST(InputSet, NeedsMoreThanOneColour)
{
    const TestFolder folder;
    const InputCache cache(folder / "cache");
    ASSERT_TRUE(writePng(folder / "white.png", makePicture(40, 40, 3, 1.0F)).ok());
    for (int time = 0; time < 2; ++time) {
        const auto set = listInputs(from(folder / "white.png"), 16, cache);
        ASSERT_FALSE(set.ok()) << "nor the second time, from the cache";
        EXPECT_THAT(set.error().message,
                    AllOf(HasSubstr("no usable image"), HasSubstr("white.png: all pixels")));
    }
}

TEST(InputSet, IsInTheRangeOfModels)
{
    Picture picture = makePicture(2, 1, 3);
    picture.values = {0.0F, 0.5F, 1.0F, 0.25F, 0.75F, 0.0F};
    // Planes of red, green, blue.
    EXPECT_THAT(inModelRange(picture), ElementsAre(-1.0F, -0.5F, 0.0F, 0.5F, 1.0F, -1.0F));
}

TEST(InputSet, KnowsHowManyThereAreAtMost)
{
    const TestFolder folder;
    for (const char* name : {"1.png", "2.png", "3.png"})
        ASSERT_TRUE(writePng(folder / name, slope(20, 20)).ok());
    ASSERT_TRUE(writePng(folder / "0 white.png", makePicture(9, 9, 3, 1.0F)).ok());
    auto sequence = InputSequence::open(from(folder.path()), 16).value();
    EXPECT_EQ(sequence.expected(), 4);
    ASSERT_TRUE(sequence.next().value());
    EXPECT_EQ(sequence.expected(), 3) << "one was left out";
    EXPECT_EQ(InputSequence::open(from(folder.path(), 2), 16).value().expected(), 2);
}

TEST(InputSet, GivesNothingOnceStopped)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "one.png", slope(33, 20)).ok());
    std::stop_source stop;
    for (const PictureSettings& settings : {shipped(), from(folder.path())}) {
        auto sequence = InputSequence::open(settings, 32).value();
        ASSERT_TRUE(sequence.next().ok());
    }
    stop.request_stop();
    for (const PictureSettings& settings : {shipped(), from(folder.path())}) {
        auto sequence = InputSequence::open(settings, 32);
        ASSERT_TRUE(sequence.ok());
        const auto input = sequence.value().next(stop.get_token());
        ASSERT_FALSE(input.ok());
        EXPECT_EQ(input.error().code, ErrorCode::Cancelled);
        EXPECT_THAT(sequence.value().skipped(), IsEmpty()) << "a stop is no fault of the file";
    }
    EXPECT_EQ(
        InputSequence::open(from(folder.path()), 32, InputCache(), stop.get_token()).error().code,
        ErrorCode::Cancelled);
}

TEST(PrepareInputs, WritesArrayPicturesAndNames)
{
    const TestFolder run;
    const PictureSettings settings = shipped(3);
    std::vector<std::pair<int, int>> told;
    const PreparedInputs prepared =
        prepareInputs(run.path(), settings, 32, InputCache(), {}, [&](int done, int expected) {
            told.emplace_back(done, expected);
        }).value();
    EXPECT_THAT(told,
                ElementsAre(std::pair(0, 3), std::pair(1, 3), std::pair(2, 3), std::pair(3, 3)));
    const InputList list = listInputs(settings, 32).value();
    EXPECT_EQ(prepared.names, list.names);
    const FloatArray array = readNpy(inputArray(run.path(), 32)).value();
    EXPECT_THAT(array.shape, ElementsAre(3, 3, 32, 32));
    for (int i = 0; i < 3; ++i) {
        const Picture& picture = list.pictures[static_cast<std::size_t>(i)];
        EXPECT_EQ(toBytes(readPicture(inputPicture(run.path(), 32, i)).value()), toBytes(picture));
        EXPECT_EQ(readNpyEntries(inputArray(run.path(), 32), i, 1).value().values,
                  inModelRange(picture));
    }
    EXPECT_TRUE(std::filesystem::exists(run / "inputs/names.json"));
}

TEST(PrepareInputs, ChangesNothingTheSecondTime)
{
    const TestFolder run;
    const PictureSettings settings = shipped(2);
    const PreparedInputs first = prepareInputs(run.path(), settings, 32).value();
    const auto written = std::filesystem::last_write_time(inputArray(run.path(), 32).path());
    const PreparedInputs second = prepareInputs(run.path(), settings, 32).value();
    EXPECT_EQ(std::filesystem::last_write_time(inputArray(run.path(), 32).path()), written);
    EXPECT_EQ(second.names, first.names);
}

TEST(PrepareInputs, AllSizesShowTheSameImages)
{
    const TestFolder run;
    const TestFolder images;
    for (const char* name : {"a.png", "b.png"})
        writeFile(images / name, readFile(dataFile("golden/image/rgb8.png")));
    const PictureSettings settings{.source = images.path().string(), .count = 8};
    ASSERT_TRUE(prepareInputs(run.path(), settings, 8).ok());
    std::filesystem::remove(images / "a.png");
    const auto changed = prepareInputs(run.path(), settings, 16);
    ASSERT_FALSE(changed.ok());
    EXPECT_EQ(changed.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(changed.error().message, HasSubstr("a.png"));
    EXPECT_THAT(prepareInputs(run.path(), settings, 8).value().names, SizeIs(2))
        << "what was there stays";
    writeFile(images / "a.png", readFile(dataFile("golden/image/rgb8.png")));
    EXPECT_THAT(prepareInputs(run.path(), settings, 16).value().names, SizeIs(2));
}

TEST(PrepareInputs, BeginsAnewWhereItWasStopped)
{
    const TestFolder run;
    const PictureSettings settings = shipped(3);
    std::stop_source stop;
    const auto stopped =
        prepareInputs(run.path(), settings, 32, InputCache(), stop.get_token(), [&](int done, int) {
            if (done == 2)
                stop.request_stop();
        });
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(std::filesystem::exists(inputArray(run.path(), 32).path()))
        << "no half of an array";
    EXPECT_FALSE(std::filesystem::exists(run / "inputs/pictures_32.npy.part"));
    EXPECT_THAT(prepareInputs(run.path(), settings, 32).value().names, SizeIs(3));
    EXPECT_THAT(readNpyShape(inputArray(run.path(), 32)).value(), ElementsAre(3, 3, 32, 32));
}

// However many pictures there are, only one of them is held.
TEST(PrepareInputs, TakesNoMoreMemoryForMorePictures)
{
#ifdef QS_SANITIZED
    GTEST_SKIP() << "the sanitizer keeps what is freed";
#endif
    const auto peakAfter = [](int count, std::int64_t size) {
        const TestFolder run;
        EXPECT_TRUE(prepareInputs(run.path(), shipped(count), size).ok());
        return residentMemory("VmHWM").value();
    };
    const std::int64_t few = peakAfter(2, 512);
    const std::int64_t many = peakAfter(16, 512);
    constexpr std::int64_t kOne = std::int64_t{3} * 512 * 512 * 4;
    EXPECT_LT(many - few, 5 * kOne) << "14 more pictures";
}

TEST(PrepareInputs, KeepsItsCopiesWhenTheFolderChanges)
{
    const TestFolder pictures;
    const TestFolder run;
    ASSERT_TRUE(writePng(pictures / "m.png", slope(20, 20)).ok());
    ASSERT_TRUE(prepareInputs(run.path(), from(pictures.path()), 16).ok());
    ASSERT_TRUE(writePng(pictures / "a.png", slope(30, 20)).ok());
    EXPECT_THAT(prepareInputs(run.path(), from(pictures.path()), 16).value().names,
                ElementsAre("m.png"));
    std::filesystem::remove_all(pictures.path());
    EXPECT_THAT(prepareInputs(run.path(), from(pictures.path()), 16).value().names,
                ElementsAre("m.png"));
}

TEST(PrepareInputs, NamesCopiesThatAreDamaged)
{
    const TestFolder run;
    const PictureSettings settings = shipped(2);
    ASSERT_TRUE(prepareInputs(run.path(), settings, 32).ok());
    writeFile(run / "inputs/names.json", R"(["only one"])");
    const auto set = prepareInputs(run.path(), settings, 32);
    ASSERT_FALSE(set.ok());
    EXPECT_THAT(set.error().message, HasSubstr("names.json"));
    writeFile(inputArray(run.path(), 32).path(), "damaged");
    EXPECT_FALSE(prepareInputs(run.path(), settings, 32).ok());
}

}  // namespace
