#include "core/base/temporary_folder.h"

#include "tests/support/test_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace qs::core {
namespace {

namespace fs = std::filesystem;

// Folders of these tests lie in one of their own.
class TemporaryFolders : public testing::Test
{
protected:
    TemporaryFolders() { ::setenv("TMPDIR", m_base.path().c_str(), 1); }
    ~TemporaryFolders() override { ::unsetenv("TMPDIR"); }

    [[nodiscard]] static TemporaryFolder make() { return TemporaryFolder::create("test-").value(); }
    static void age(const fs::path& folder)
    {
        const timespec longAgo{1'000'000'000, 0};
        const timespec times[2] = {longAgo, longAgo};
        ASSERT_EQ(::utimensat(AT_FDCWD, folder.c_str(), times, 0), 0);
    }

    tests::TestFolder m_base;
};

TEST_F(TemporaryFolders, Vanish)
{
    fs::path path;
    {
        const TemporaryFolder folder = make();
        path = folder.path();
        tests::writeFile(path / "x", "x");
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolders, VanishWhenTheProgramHasToEnd)
{
    const TemporaryFolder first = make();
    const TemporaryFolder second = make();
    tests::writeFile(second.path() / "x", "x");
    const Temporary file(m_base / "file");
    tests::writeFile(file.path(), "x");
    (void)removeTemporaries();
    EXPECT_FALSE(fs::exists(m_base / "file"));
}

TEST_F(TemporaryFolders, AreForgottenWhenTheyAreFinished)
{
    // Not in the folder of the test, which is a temporary one itself.
    const fs::path place = fs::current_path() / ("kept." + std::to_string(::getpid()));
    Temporary kept(place);
    tests::writeFile(place, "x");
    kept.forget();
    EXPECT_TRUE(kept.path().empty());
    (void)removeTemporaries();
    EXPECT_TRUE(fs::remove(place)) << "it was still there";
}

// A program that is killed gets to no end at all.
TEST_F(TemporaryFolders, OfAKilledProgramGoWithTheNext)
{
    const pid_t child = ::fork();
    if (child == 0) {
        auto* const lost = new TemporaryFolder(make());
        tests::writeFile(lost->path() / "x", "x");
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const fs::path left = fs::directory_iterator(m_base.path())->path();
    {
        const TemporaryFolder folder = make();
        EXPECT_TRUE(fs::exists(left)) << "it might not be locked yet";
    }
    age(left);
    const TemporaryFolder folder = make();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(TemporaryFolders, InUseAreLeftAlone)
{
    const TemporaryFolder folder = make();
    age(folder.path());
    const TemporaryFolder other = make();
    EXPECT_TRUE(fs::exists(folder.path()));
}

TEST_F(TemporaryFolders, OfOthersAreLeftAlone)
{
    for (const char* name :
         {"test-backup", "test-tmp.mine", "test-tmp.abcdefgh", "best-tmp.abcdef"}) {
        ASSERT_TRUE(fs::create_directory(m_base / name));
        age(m_base / name);
    }
    ASSERT_TRUE(fs::create_directory(m_base / "kept"));
    fs::create_directory_symlink(m_base / "kept", m_base / "test-tmp.links1");
    const TemporaryFolder folder = make();
    for (const char* name : {"test-backup", "test-tmp.mine", "test-tmp.abcdefgh", "best-tmp.abcdef",
                             "kept", "test-tmp.links1"})
        EXPECT_TRUE(fs::exists(m_base / name)) << name;
}

}  // namespace
}  // namespace qs::core
