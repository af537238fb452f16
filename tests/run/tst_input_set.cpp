#include "core/run/input_set.h"

#include "core/image/picture_file.h"
#include "core/image/procedural.h"
#include "core/image/resize.h"
#include "core/record/run_folder.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

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
    return {.source = source.string(), .count = count, .seed = 7};
}

TEST(InputSet, IsProceduralByDefault)
{
    const InputSet set = makeInputSet({.source = "procedural", .count = 3, .seed = 7}, 64).value();
    ASSERT_THAT(set.pictures, SizeIs(3));
    const auto expected = proceduralSet(3, 7, 64);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(set.names[i], expected[i].name);
        EXPECT_EQ(set.pictures[i], expected[i].picture);
    }
    EXPECT_THAT(set.skipped, IsEmpty());
}

TEST(InputSet, RefusesSizesThatCannotBe)
{
    for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{8},
                                    std::int64_t{5000}, std::int64_t{1} << 40}) {
        const auto set = makeInputSet(PictureSettings(), size);
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
    writeFile(folder / "notes.txt", "no picture");
    const InputSet set = makeInputSet(from(folder.path()), 16).value();
    EXPECT_THAT(set.names, ElementsAre("a.png", "b.png"));
    for (const Picture& picture : set.pictures) {
        EXPECT_EQ(picture.width, 16);
        EXPECT_EQ(picture.height, 16);
        EXPECT_EQ(picture.channels, 3);
    }
    EXPECT_EQ(set.pictures[1], centerCropAdm(readPicture(folder / "b.png").value(), 16));
    EXPECT_THAT(set.skipped, testing::Contains(HasSubstr("c.png")));
}

TEST(InputSet, PadsInsteadOfCroppingWhenAsked)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "wide.png", slope(64, 20)).ok());
    PictureSettings settings = from(folder.path());
    settings.crop = PictureCrop::Pad;
    const InputSet set = makeInputSet(settings, 32).value();
    ASSERT_THAT(set.pictures, SizeIs(1));
    EXPECT_EQ(set.pictures[0], paddedToSquare(readPicture(folder / "wide.png").value(), 32));
    EXPECT_EQ(set.pictures[0].at(31, 31, 0), 0.5F);
}

TEST(InputSet, TakesAtMostAsManyAsAsked)
{
    const TestFolder folder;
    for (const char* name : {"1.png", "2.png", "3.png"})
        ASSERT_TRUE(writePng(folder / name, slope(20, 20)).ok());
    EXPECT_THAT(makeInputSet(from(folder.path(), 2), 16).value().names,
                ElementsAre("1.png", "2.png"));
}

TEST(InputSet, TakesOneFile)
{
    const TestFolder folder;
    ASSERT_TRUE(writePng(folder / "one.png", slope(33, 20)).ok());
    const InputSet set = makeInputSet(from(folder / "one.png"), 20).value();
    EXPECT_THAT(set.names, ElementsAre("one.png"));
    EXPECT_THAT(set.pictures, SizeIs(1));
}

TEST(InputSet, NeedsOnePictureThatCanBeUsed)
{
    const TestFolder folder;
    const auto empty = makeInputSet(from(folder.path()), 16);
    ASSERT_FALSE(empty.ok());
    EXPECT_THAT(empty.error().message, HasSubstr(folder.path().string()));
    writeFile(folder / "broken.png", "\x89PNG\r\n\x1a\n and nothing more");
    const auto broken = makeInputSet(from(folder.path()), 16);
    ASSERT_FALSE(broken.ok());
    EXPECT_THAT(broken.error().message,
                AllOf(HasSubstr("no picture could be used"), HasSubstr("broken.png")));
    EXPECT_FALSE(makeInputSet(from(folder / "missing"), 16).ok());
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
        const InputSet set = makeInputSet(from(folder.path()), size).value();
        EXPECT_THAT(set.names, ElementsAre("c nearly.png", "d slope.png")) << size;
        EXPECT_THAT(set.skipped,
                    ElementsAre(AllOf(HasSubstr("a grey.png"), HasSubstr("one colour")),
                                HasSubstr("b rim.png")));
    }
    // Bars around it do not make it a better picture; the rim is seen when nothing is cut off.
    PictureSettings padded = from(folder.path());
    padded.crop = PictureCrop::Pad;
    EXPECT_THAT(makeInputSet(padded, 32).value().names,
                ElementsAre("b rim.png", "c nearly.png", "d slope.png"));
    // What is left out does not count.
    EXPECT_THAT(makeInputSet(from(folder.path(), 1), 16).value().names,
                ElementsAre("c nearly.png"));
}

TEST(InputSet, NeedsMoreThanOneColour)
{
    const TestFolder folder;
    const InputCache cache(folder / "cache");
    ASSERT_TRUE(writePng(folder / "white.png", makePicture(40, 40, 3, 1.0F)).ok());
    for (int time = 0; time < 2; ++time) {
        const auto set = makeInputSet(from(folder / "white.png"), 16, cache);
        ASSERT_FALSE(set.ok()) << "nor the second time, from the cache";
        EXPECT_THAT(set.error().message, AllOf(HasSubstr("no picture could be used"),
                                               HasSubstr("white.png: all pixels")));
    }
}

TEST(InputSet, IsInTheRangeOfModels)
{
    Picture picture = makePicture(2, 1, 3);
    picture.values = {0.0F, 0.5F, 1.0F, 0.25F, 0.75F, 0.0F};
    const FloatArray array = toModelRange({picture, picture});
    EXPECT_THAT(array.shape, ElementsAre(2, 3, 1, 2));
    ASSERT_THAT(array.values, SizeIs(12));
    // Planes of red, green, blue.
    EXPECT_THAT(std::vector<float>(array.values.begin(), array.values.begin() + 6),
                ElementsAre(-1.0F, -0.5F, 0.0F, 0.5F, 1.0F, -1.0F));
    EXPECT_THAT(toModelRange({}).values, IsEmpty());
}

TEST(PrepareInputs, WritesArrayPicturesAndNames)
{
    const TestFolder run;
    const PictureSettings settings{.source = "procedural", .count = 3, .seed = 7};
    const InputSet set = prepareInputs(run.path(), settings, 32).value();
    const FloatArray array = readNpy(inputArray(run.path(), 32)).value();
    EXPECT_THAT(array.shape, ElementsAre(3, 3, 32, 32));
    EXPECT_EQ(array.values, toModelRange(set.pictures).values);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(readPicture(inputPicture(run.path(), 32, i)).value(),
                  set.pictures[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(std::filesystem::exists(run / "inputs/names.json"));
}

TEST(PrepareInputs, ChangesNothingTheSecondTime)
{
    const TestFolder run;
    const PictureSettings settings{.source = "procedural", .count = 2, .seed = 7};
    const InputSet first = prepareInputs(run.path(), settings, 32).value();
    const auto written = std::filesystem::last_write_time(inputArray(run.path(), 32).path());
    const InputSet second = prepareInputs(run.path(), settings, 32).value();
    EXPECT_EQ(std::filesystem::last_write_time(inputArray(run.path(), 32).path()), written);
    EXPECT_EQ(second.names, first.names);
    ASSERT_EQ(second.pictures.size(), first.pictures.size());
    for (std::size_t i = 0; i < first.pictures.size(); ++i)
        EXPECT_EQ(toBytes(second.pictures[i]), toBytes(first.pictures[i]));
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
    const PictureSettings settings{.source = "procedural", .count = 2, .seed = 7};
    ASSERT_TRUE(prepareInputs(run.path(), settings, 32).ok());
    writeFile(run / "inputs/names.json", R"(["only one"])");
    const auto set = prepareInputs(run.path(), settings, 32);
    ASSERT_FALSE(set.ok());
    EXPECT_THAT(set.error().message, HasSubstr("names.json"));
    writeFile(inputArray(run.path(), 32).path(), "damaged");
    EXPECT_FALSE(prepareInputs(run.path(), settings, 32).ok());
}

}  // namespace
