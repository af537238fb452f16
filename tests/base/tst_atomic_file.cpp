#include "core/base/atomic_file.h"

#include "tests/support/test_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace qs::core {
namespace {

using testing::IsEmpty;
using tests::TestFolder;

std::vector<std::string> namesIn(const TestFolder& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        names.push_back(entry.path().filename().string());
    return names;
}

TEST(AtomicFile, AppearsWhenItIsCommitted)
{
    const TestFolder folder;
    tests::writeFile(folder / "f", "before");
    {
        AtomicFile file = AtomicFile::create(folder / "f").value();
        ASSERT_TRUE(file.write("one ").ok());
        ASSERT_TRUE(file.write(std::string(1'000'000, 'x')).ok());
        ASSERT_TRUE(file.write(" two").ok());
        EXPECT_EQ(file.size(), 1'000'008U);
        ASSERT_TRUE(file.rewrite(1, "NE").ok());
        EXPECT_EQ(tests::readFile(folder / "f"), "before");
        ASSERT_TRUE(file.commit().ok());
    }
    EXPECT_EQ(tests::readFile(folder / "f"), "oNE " + std::string(1'000'000, 'x') + " two");
    EXPECT_THAT(namesIn(folder), testing::ElementsAre("f"));
}

TEST(AtomicFile, LeavesNothingIfItIsNot)
{
    const TestFolder folder;
    {
        AtomicFile file = AtomicFile::create(folder / "f").value();
        const AtomicFile moved = std::move(file);
    }
    EXPECT_THAT(namesIn(folder), IsEmpty());
    EXPECT_FALSE(AtomicFile::create(folder / "no/such/folder").ok());
}

// Not even a program that is killed leaves a part of a file, where files need no name.
TEST(AtomicFile, VanishesWithAProgramThatIsKilled)
{
    const TestFolder folder;
    const FileDescriptor nameless(
        ::open(folder.path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
    if (!nameless.valid())
        GTEST_SKIP() << "this file system has no files without a name";
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        auto file = AtomicFile::create(folder / "f");
        static_cast<void>(file.value().write(std::string(1'000'000, 'x')).ok());
        ::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(namesIn(folder), IsEmpty());
}

}  // namespace
}  // namespace qs::core
