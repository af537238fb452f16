#include "core/run/cache_contents.h"

#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace qs::core {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::size_t bytes)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << std::string(bytes, 'x');
}

const CacheContents& of(const std::vector<CacheContents>& all, CacheKind kind)
{
    return all.at(static_cast<std::size_t>(kind));
}

TEST(CacheContents, CountsFilesOfEachKind)
{
    const tests::TestFolder folder;
    write(folder / "packages/a.pt2", 100);
    write(folder / "packages/a.json", 20);
    write(folder / "calibration/b.safetensors", 7);
    write(folder / "agreed_paths.json", 1000);
    const auto all = cacheContents(folder.path());
    ASSERT_EQ(all.size(), kCacheKinds.values().size());
    EXPECT_EQ(of(all, CacheKind::Packages).files, 2U);
    EXPECT_EQ(of(all, CacheKind::Packages).bytes, 120U);
    EXPECT_EQ(of(all, CacheKind::Calibration).bytes, 7U);
    EXPECT_EQ(of(all, CacheKind::Inputs).files, 0U) << "a folder that is not there is empty";
}

TEST(CacheContents, ClearingRemovesOneKindAndFollowsNoLink)
{
    const tests::TestFolder folder;
    write(folder / "packages/a.pt2", 100);
    write(folder / "calibration/b.safetensors", 7);
    write(folder / "mine/thesis.txt", 3);
    fs::create_symlink(folder / "mine/thesis.txt", folder / "packages/link.pt2");
    fs::create_directory_symlink(folder / "mine", folder / "inputs");
    const CacheContents cleared = clearCache(folder.path(), CacheKind::Packages);
    EXPECT_EQ(cleared.files, 1U);
    EXPECT_EQ(cleared.remaining, 0U);
    EXPECT_FALSE(fs::exists(folder / "packages/a.pt2"));
    EXPECT_TRUE(fs::exists(folder / "calibration/b.safetensors"));
    EXPECT_EQ(clearCache(folder.path(), CacheKind::Inputs).files, 0U);
    EXPECT_TRUE(fs::exists(folder / "mine/thesis.txt"));
}

}  // namespace
}  // namespace qs::core
