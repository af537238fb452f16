#include "core/image/picture_file.h"

#include "core/image/jpeg_codec.h"
#include "core/image/png_codec.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::dataFile;
using tests::TestFolder;

double largestDifference(const Picture& picture, const std::string& expectedFile)
{
    const Picture expected = pictureFromPlanar(readNpy(dataFile(expectedFile)).value()).value();
    if (picture.width != expected.width || picture.height != expected.height ||
        picture.channels != expected.channels)
        return 1e9;
    double largest = 0.0;
    for (std::size_t i = 0; i < expected.values.size(); ++i)
        largest = std::max(largest,
                           std::abs(static_cast<double>(picture.values[i] - expected.values[i])));
    return largest;
}

TEST(PictureFile, ReadsEveryKindOfPng)
{
    for (const char* name : {"grey1", "grey2", "grey4", "grey8", "grey16", "rgb8", "rgb16",
                             "rgb8_interlaced", "rgb16_interlaced", "rgba8", "rgba16", "greyalpha8",
                             "greyalpha16", "palette4", "palette4_alpha", "rgb8_gamma"}) {
        const std::string file = std::string("golden/image/") + name + ".png";
        const auto picture = readPicture(dataFile(file));
        ASSERT_TRUE(picture.ok()) << picture.error().message;
        EXPECT_LT(largestDifference(picture.value(), file + ".npy"), 2e-7) << name;
    }
}

TEST(PictureFile, ReadsJpegAsPillowDoes)
{
    for (const char* name : {"colour444", "colour420", "progressive", "grey"}) {
        const std::string file = std::string("golden/image/") + name + ".jpg";
        const auto picture = readPicture(dataFile(file));
        ASSERT_TRUE(picture.ok()) << picture.error().message;
        // Other builds of the library may round the upsampled colour differently, by one level.
        EXPECT_LT(largestDifference(picture.value(), file + ".npy"), 1.01 / 255.0) << name;
    }
}

TEST(PictureFile, TurnsJpegAsExifSays)
{
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const std::string file = "golden/image/orientation" + std::to_string(orientation) + ".jpg";
        const Picture picture = readPicture(dataFile(file)).value();
        EXPECT_EQ(picture.width, orientation < 5 ? 40 : 24);
        EXPECT_LT(largestDifference(picture, file + ".npy"), 1.01 / 255.0) << orientation;
    }
}

std::string refusal(const std::filesystem::path& path)
{
    const auto result = readPicture(path);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(PictureFile, RefusesHostileFilesInWords)
{
    const auto why = [](const std::string& name) {
        return refusal(dataFile("broken/image/" + name));
    };
    EXPECT_THAT(why("huge_header.png"), HasSubstr("make the image smaller"));
    EXPECT_THAT(why("side_beyond_limit.png"), HasSubstr("16385 x 1 is beyond the limit of 16384"));
    EXPECT_THAT(why("pixels_beyond_limit.png"), HasSubstr("100 megapixels"));
    EXPECT_THAT(why("small_file_large_header.png"), HasSubstr("bytes cannot hold them"));
    EXPECT_THAT(why("zero_width.png"), HasSubstr("damaged PNG"));
    EXPECT_THAT(why("no_pixels.png"), HasSubstr("damaged PNG"));
    EXPECT_THAT(why("pixels_end_early.png"), HasSubstr("damaged PNG"));
    EXPECT_THAT(why("wrong_checksum.png"), HasSubstr("CRC error"));
    EXPECT_THAT(why("palette_missing.png"), HasSubstr("damaged PNG"));
    EXPECT_THAT(why("cmyk.jpg"), HasSubstr("convert it to sRGB"));
    EXPECT_THAT(why("cmyk.jpg"), HasSubstr("broken/image/cmyk.jpg: "));
}

Result<PngTexts> textsOf(const std::filesystem::path& file)
{
    const std::string text = tests::readFile(file);
    return decodePngTexts(std::as_bytes(std::span(text)));
}

TEST(PictureFile, BombsUnpackToNothing)
{
    // Pixels beyond the announced 8 x 8 are never unpacked; the picture itself is whole.
    const auto picture = readPicture(dataFile("broken/image/bomb_pixels.png"));
    ASSERT_TRUE(picture.ok()) << picture.error().message;
    EXPECT_EQ(picture.value().values.size(), 8U * 8U * 3U);
    const PngTexts texts = textsOf(dataFile("broken/image/bomb_text.png")).value();
    EXPECT_EQ(texts, (PngTexts{{"kept", "yes"}}));
    EXPECT_TRUE(readPicture(dataFile("broken/image/bomb_text.png")).ok());
}

// From memory: tens of thousands of files would measure the disk.
Result<Picture> decoded(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return isJpeg(bytes) ? decodeJpeg(bytes) : decodePng(bytes);
}

TEST(PictureFile, RefusesEveryTruncation)
{
    for (const char* name : {"rgba8.png", "rgb8_interlaced.png", "palette4_alpha.png", "grey.jpg",
                             "progressive.jpg", "orientation6.jpg"}) {
        const std::string good = tests::readFile(dataFile(std::string("golden/image/") + name));
        ASSERT_GT(good.size(), 100U);
        for (std::size_t length = 0; length < good.size(); ++length) {
            ASSERT_FALSE(decoded(good.substr(0, length)).ok()) << name << " at " << length;
        }
    }
}

// Whatever a flipped byte does, the answer is a whole picture or an error.
TEST(PictureFile, SurvivesEveryFlippedByte)
{
    int refused = 0;
    for (const char* name : {"rgba8.png", "palette4_alpha.png", "colour420.jpg", "progressive.jpg",
                             "orientation6.jpg"}) {
        const std::string good = tests::readFile(dataFile(std::string("golden/image/") + name));
        for (std::size_t i = 0; i < good.size(); ++i) {
            for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
                std::string bad = good;
                bad[i] = static_cast<char>(static_cast<unsigned char>(bad[i]) ^ flip);
                const auto result = decoded(bad);
                refused += result.ok() ? 0 : 1;
                if (result.ok()) {
                    ASSERT_TRUE(checkPicture(result.value()).ok()) << name << " byte " << i;
                    ASSERT_EQ(result.value().channels, 3);
                }
            }
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(PictureFile, RefusesWhatIsNoPicture)
{
    const TestFolder folder;
    const auto why = [&](const std::string& bytes) {
        tests::writeFile(folder / "file.png", bytes);
        return refusal(folder / "file.png");
    };
    EXPECT_THAT(why(""), HasSubstr("file.png: the file is empty"));
    EXPECT_THAT(why("GIF89a......"), HasSubstr("it is a GIF file; convert it"));
    EXPECT_THAT(why(std::string("RIFF\0\0\0\0WEBPVP8 ", 16)), HasSubstr("a WebP file"));
    EXPECT_THAT(why("hello"), HasSubstr("neither a PNG nor a JPEG"));
    EXPECT_THAT(why("\xFF\xD8\xFF"), HasSubstr("damaged JPEG"));
    EXPECT_THAT(refusal(folder.path()), HasSubstr("is a folder, not a file"));
    EXPECT_THAT(refusal(folder / "absent.png"), HasSubstr("absent.png"));
    ASSERT_EQ(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
    EXPECT_THAT(refusal(folder / "pipe.png"), HasSubstr("is not a regular file"));
}

TEST(PictureFile, JpegOfManyPixelsAndFewBytesIsRefused)
{
    const TestFolder folder;
    std::string bytes = tests::readFile(dataFile("golden/image/grey.jpg"));
    const std::size_t frame = bytes.find("\xFF\xC0");
    ASSERT_NE(frame, std::string::npos);
    bytes.replace(frame + 5, 4, std::string("\x17\x00\x3F\xFF", 4));  // 16383 x 5888
    tests::writeFile(folder / "large.jpg", bytes);
    EXPECT_THAT(refusal(folder / "large.jpg"), HasSubstr("bytes cannot hold them"));
    bytes.replace(frame + 5, 4, std::string("\x40\x01\x40\x01", 4));
    tests::writeFile(folder / "large.jpg", bytes);
    EXPECT_THAT(refusal(folder / "large.jpg"), HasSubstr("make the image smaller"));
}

Picture sample(int channels)
{
    Picture picture = makePicture(13, 7, channels);
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        picture.values[i] = static_cast<float>(i % 256) / 255.0F;
    return picture;
}

TEST(PictureFile, WritesWhatItReads)
{
    const TestFolder folder;
    for (const int channels : {1, 3}) {
        ASSERT_TRUE(writePng(folder / "a.png", sample(channels)).ok());
        EXPECT_EQ(readPicture(folder / "a.png").value(), toRgb(sample(channels)));
    }
    Picture outside = sample(3);
    outside.values[0] = -4.0F;
    outside.values[1] = 4.0F;
    outside.values[2] = NAN;
    ASSERT_TRUE(writePng(folder / "b.png", outside).ok());
    const Picture back = readPicture(folder / "b.png").value();
    EXPECT_EQ(back.values[0], 0.0F);
    EXPECT_EQ(back.values[1], 1.0F);
    EXPECT_EQ(back.values[2], 0.0F);
    EXPECT_FALSE(writePng(folder / "c.png", Picture{}).ok());
    EXPECT_THAT(writePng(folder / "no" / "c.png", sample(3)).error().message, HasSubstr("no"));
}

TEST(PictureFile, CarriesTexts)
{
    const TestFolder folder;
    const PngTexts texts{{"QuantScope preset", R"({"axes": {"batch": [1, 4]}})"},
                         {"Caption", "int8dq against bf16, σ = 0.1 · Grüße"},
                         {"Long", std::string(100'000, 'x') + "end"},
                         {"Empty", ""}};
    ASSERT_TRUE(writePng(folder / "a.png", sample(3), texts).ok());
    EXPECT_EQ(textsOf(folder / "a.png").value(), texts);
    EXPECT_EQ(readPicture(folder / "a.png").value(), sample(3));
    EXPECT_LT(tests::readFile(folder / "a.png").size(), 3000U) << "long texts are compressed";
    const std::string first = tests::readFile(folder / "a.png");
    ASSERT_TRUE(writePng(folder / "a.png", sample(3), texts).ok());
    EXPECT_EQ(tests::readFile(folder / "a.png"), first) << "equal input gives equal bytes";
    EXPECT_FALSE(textsOf(dataFile("golden/image/grey.jpg")).ok());
}

TEST(PictureFile, RefusesTextsThatPngCannotCarry)
{
    const TestFolder folder;
    for (const std::string& keyword :
         {std::string(), std::string(80, 'k'), std::string(" a"), std::string("a "),
          std::string("a  b"), std::string("tab\t"), std::string("\xCF\x83")})
        EXPECT_THAT(writePng(folder / "a.png", sample(3), {{keyword, "text"}}).error().message,
                    HasSubstr("not a valid keyword"));
    EXPECT_TRUE(writePng(folder / "a.png", sample(3), {{std::string(79, 'k'), "text"}}).ok());
    EXPECT_FALSE(writePng(folder / "a.png", sample(3), {{"k", std::string("a\0b", 3)}}).ok());
    EXPECT_FALSE(writePng(folder / "a.png", sample(3), {{"k", std::string(5 << 20, 'a')}}).ok());
}

TEST(PictureFile, ListsPicturesByContent)
{
    const TestFolder folder;
    const auto copy = [&](const std::string& from, const std::string& to) {
        tests::writeFile(folder / to, tests::readFile(dataFile("golden/image/" + from)));
    };
    copy("grey8.png", "b.png");
    copy("grey.jpg", "a.png");  // named wrongly, but a JPEG all the same
    copy("rgb8.png", "c");
    tests::writeFile(folder / "notes.txt", "hello");
    tests::writeFile(folder / "empty.png", "");
    tests::writeFile(folder / "x.webp", std::string("RIFF\0\0\0\0WEBPVP8 ", 16));
    std::filesystem::create_directory(folder / "more");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const PictureList list = listPictures(folder.path()).value();
    EXPECT_THAT(list.files, ElementsAre(folder / "a.png", folder / "b.png", folder / "c"));
    std::vector<std::string> skipped;
    for (const SkippedFile& file : list.skipped)
        skipped.push_back(file.path.filename().string() + ": " + file.reason);
    EXPECT_THAT(skipped, ElementsAre("empty.png: the file is empty", "more: it is a folder",
                                     "notes.txt: it is neither a PNG nor a JPEG image",
                                     "pipe: it is not a regular file",
                                     "x.webp: it is a WebP file; convert it to PNG or JPEG"));
    EXPECT_THAT(listPictures(folder / "absent").error().message, HasSubstr("absent"));
}

}  // namespace
}  // namespace qs::core
