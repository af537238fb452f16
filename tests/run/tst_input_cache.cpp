#include "core/run/input_cache.h"

#include "core/base/npy.h"
#include "core/base/sha256.h"
#include "core/image/picture_file.h"
#include "core/image/resize.h"
#include "core/run/input_set.h"
#include "core/run/program_paths.h"
#include "tests/run/input_list.h"
#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>

namespace {

using namespace qs::core;
using namespace qs::tests;
namespace fs = std::filesystem;

Picture plain(float value, int size = 8)
{
    return makePicture(size, size, 3, value);
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(InputCache, RemembersBitForBit)
{
    const TestFolder folder;
    const InputCache cache(folder / "made" / "when needed");
    EXPECT_FALSE(cache.find("a"));
    const Picture picture = testPicture(3, 32);
    cache.add("a", picture);
    EXPECT_EQ(cache.find("a"), picture);
    EXPECT_FALSE(cache.find("b"));
    EXPECT_EQ(InputCache(folder / "made" / "when needed").find("a"), picture);
}

TEST(InputCache, WithoutAFolderRemembersNothing)
{
    const InputCache cache;
    cache.add("a", plain(0.5F));
    EXPECT_FALSE(cache.find("a"));
}

TEST(InputCache, AFolderThatCannotBeWrittenIsNoFault)
{
    const TestFolder folder;
    writeFile(folder / "file", "no folder");
    const InputCache cache(folder / "file");
    cache.add("a", plain(0.5F));
    EXPECT_FALSE(cache.find("a"));
    EXPECT_EQ(readFile(folder / "file"), "no folder");
}

// Opened as a file, a pipe would hold the run for ever.
TEST(InputCache, IgnoresWhatIsNoFile)
{
    const TestFolder folder;
    const InputCache cache(folder.path());
    const fs::path file = folder / (sha256Hex("a") + ".npy");
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_FALSE(cache.find("a"));
    fs::remove(file);
    fs::create_symlink("/dev/zero", file);
    EXPECT_FALSE(cache.find("a"));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_FALSE(cache.find("a"));
}

// Whatever lies in the folder, a sweep gets the right picture or none.
TEST(InputCache, IgnoresWhatWasDamaged)
{
    const TestFolder folder;
    const InputCache cache(folder.path());
    cache.add("a", plain(0.25F));
    const fs::path file = folder / (sha256Hex("a") + ".npy");
    const std::string good = readFile(file);
    for (std::size_t length = 0; length < good.size(); length += 7) {
        writeFile(file, good.substr(0, length));
        EXPECT_FALSE(cache.find("a")) << length;
    }
    FloatArray wrong{{3, 8, 8}, std::vector<float>(192, 2.0F)};
    ASSERT_TRUE(writeNpy(file, wrong).ok());
    EXPECT_FALSE(cache.find("a")) << "beyond the range of pictures";
    wrong.values.assign(192, std::nanf(""));
    ASSERT_TRUE(writeNpy(file, wrong).ok());
    EXPECT_FALSE(cache.find("a")) << "not a number";
    ASSERT_TRUE(writeNpy(file, {{1, 8, 8}, std::vector<float>(64, 0.5F)}).ok());
    EXPECT_FALSE(cache.find("a")) << "grey";
    cache.add("a", plain(0.25F));
    EXPECT_EQ(cache.find("a"), plain(0.25F)) << "made anew";
}

TEST(InputCache, ForgetsWhatWasNotUsedForLongest)
{
    const TestFolder folder;
    const InputCache cache(folder.path(), 3000);  // a picture of 8 px takes about 900 bytes
    const auto now = fs::file_time_type::clock::now();
    for (const char* name : {"a", "b", "c"}) {
        cache.add(name, plain(0.5F));
        fs::last_write_time(folder / (sha256Hex(name) + ".npy"), now - std::chrono::hours(1));
    }
    fs::last_write_time(folder / (sha256Hex("b") + ".npy"), now - std::chrono::hours(2));
    writeFile(folder / "note.txt", std::string(9000, 'x'));  // of somebody else
    EXPECT_TRUE(cache.find("a")) << "used again";
    cache.add("d", plain(0.5F));
    EXPECT_FALSE(cache.find("b"));
    EXPECT_TRUE(cache.find("a"));
    EXPECT_TRUE(cache.find("d"));
    EXPECT_TRUE(fs::exists(folder / "note.txt"));
}

TEST(InputCache, InputsAreTheSameWithAndWithout)
{
    const TestFolder folder;
    const InputCache cache(folder / "cache");
    const fs::path photographs = folder / "photographs";
    fs::create_directories(photographs);
    ASSERT_TRUE(writePng(photographs / "one.png", testPicture(1, 50)).ok());
    const PictureSettings shipped = located({.count = 3}, dataFile("../resources"));
    PictureSettings files{.source = photographs.string(), .count = 3};
    PictureSettings padded = files;
    padded.crop = PictureCrop::Pad;
    for (const PictureSettings& settings : {shipped, files, padded}) {
        for (const std::int64_t size : {32, 48}) {
            const InputList fresh = listInputs(settings, size).value();
            const InputList first = listInputs(settings, size, cache).value();
            const std::size_t entries = filesIn(folder / "cache");
            const InputList second = listInputs(settings, size, cache).value();
            EXPECT_EQ(filesIn(folder / "cache"), entries) << "nothing was made twice";
            EXPECT_EQ(first.pictures, fresh.pictures);
            EXPECT_EQ(second.pictures, fresh.pictures);
            EXPECT_EQ(second.names, fresh.names);
        }
    }
    EXPECT_EQ(filesIn(folder / "cache"), 2U * (3 + 1 + 1)) << "sizes and crops are kept apart";
}

TEST(InputCache, FollowsTheContentOfAFileNotItsName)
{
    const TestFolder folder;
    const InputCache cache(folder / "cache");
    const fs::path file = folder / "one.png";
    const PictureSettings settings{.source = file.string(), .count = 1};
    for (const unsigned seed : {1U, 2U}) {
        ASSERT_TRUE(writePng(file, testPicture(seed, 40)).ok());
        const InputList set = listInputs(settings, 32, cache).value();
        EXPECT_EQ(set.pictures[0], centerCropAdm(readPicture(file).value(), 32)) << seed;
    }
}

TEST(InputCache, RemembersNothingOfWhatWasStopped)
{
    const TestFolder folder;
    const InputCache cache(folder.path());
    std::stop_source stop;
    stop.request_stop();
    cache.add("a", plain(0.5F), stop.get_token());
    EXPECT_FALSE(cache.find("a"));
    EXPECT_EQ(filesIn(folder.path()), 0U);
}

// A program that is killed while it writes leaves its file, which must not stay for ever.
TEST(InputCache, ForgetsWhatWasNeverFinished)
{
    const TestFolder folder;
    writeFile(folder / "old.npy.1.part", std::string(5000, 'x'));
    const auto hour = std::chrono::hours(1);
    fs::last_write_time(folder / "old.npy.1.part", fs::file_time_type::clock::now() - hour);
    const InputCache cache(folder.path(), 3000);
    cache.add("a", plain(0.5F));
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(fs::exists(folder / "old.npy.1.part"));
}

TEST(InputCache, LiesWhereTheUserWantsIt)
{
    ASSERT_EQ(::setenv("QUANTSCOPE_CACHE", "/somewhere/else", 1), 0);
    EXPECT_EQ(locatePrograms().inputCache, "/somewhere/else/inputs");
    ASSERT_EQ(::unsetenv("QUANTSCOPE_CACHE"), 0);
    ASSERT_EQ(::setenv("XDG_CACHE_HOME", "/caches", 1), 0);
    EXPECT_EQ(locatePrograms().inputCache, "/caches/quantscope/inputs");
    ASSERT_EQ(::setenv("XDG_CACHE_HOME", "not/absolute", 1), 0);
    ASSERT_EQ(::setenv("HOME", "/home/me", 1), 0);
    EXPECT_EQ(locatePrograms().inputCache, "/home/me/.cache/quantscope/inputs");
    ASSERT_EQ(::unsetenv("HOME"), 0);
    EXPECT_TRUE(locatePrograms().inputCache.empty());
}

}  // namespace
