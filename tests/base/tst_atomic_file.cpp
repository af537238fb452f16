#include "core/base/atomic_file.h"

#include "tests/support/test_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
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

bool hasNamelessFiles(const TestFolder& folder)
{
    return FileDescriptor(::open(folder.path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600))
        .valid();
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

// So that nothing else is left by a program that ends at that moment.
TEST(AtomicFile, WhatReplacesNothingHasNoOtherName)
{
    const TestFolder folder;
    if (!hasNamelessFiles(folder))
        GTEST_SKIP() << "this file system has no files without a name";
    const FileDescriptor watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    ASSERT_GE(::inotify_add_watch(watch.get(), folder.path().c_str(), IN_CREATE | IN_MOVED_TO), 0);
    const auto namesSeen = [&] {
        alignas(inotify_event) std::array<char, 4096> buffer{};
        const ssize_t size = ::read(watch.get(), buffer.data(), buffer.size());
        std::vector<std::string> names;
        for (ssize_t at = 0; at < size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
            names.emplace_back(event->name);
            at += static_cast<ssize_t>(sizeof *event) + event->len;
        }
        return names;
    };
    ASSERT_TRUE(writeFileAtomically(folder / "f", "first").ok());
    EXPECT_THAT(namesSeen(), testing::ElementsAre("f"));
    ASSERT_TRUE(writeFileAtomically(folder / "f", "second").ok());
    EXPECT_THAT(namesSeen(), testing::ElementsAre(testing::StartsWith("f."), "f"));
    EXPECT_EQ(tests::readFile(folder / "f"), "second");
}

// Not even a program that is killed leaves a part of a file, where files need no name.
TEST(AtomicFile, VanishesWithAProgramThatIsKilled)
{
    const TestFolder folder;
    if (!hasNamelessFiles(folder))
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
