#include "core/base/files.h"

#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <sys/stat.h>
#include <unistd.h>

namespace qs::core {
namespace {

using tests::TestFolder;

TEST(Files, AtomicWriteReplacesTheWholeFileAndLeavesNoOther)
{
    const TestFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "a.txt", "a much longer first text").ok());
    ASSERT_TRUE(writeFileAtomically(folder / "a.txt", "second").ok());
    EXPECT_EQ(readTextFile(folder / "a.txt", 100).value(), "second");
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
        ++entries;
    EXPECT_EQ(entries, 1U);
}

TEST(Files, AtomicWriteHonoursTheUmask)
{
    const TestFolder folder;
    const mode_t before = ::umask(022);
    ASSERT_TRUE(writeFileAtomically(folder / "a.txt", "x").ok());
    ::umask(before);
    struct stat status {
    };
    ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST(Files, AtomicWriteIntoAMissingFolderNamesIt)
{
    const Status status = writeFileAtomically("/nowhere/file.json", "x");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("/nowhere/file.json"), std::string::npos);
}

TEST(Files, AFailedAtomicWriteKeepsTheOldFile)
{
    const TestFolder folder;
    // A folder of that name cannot be replaced by a file.
    ASSERT_TRUE(createFolders(folder / "taken/inside").ok());
    EXPECT_FALSE(writeFileAtomically(folder / "taken", "x").ok());
    EXPECT_TRUE(std::filesystem::is_directory(folder / "taken/inside"));
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
        ++entries;
    EXPECT_EQ(entries, 1U);
}

TEST(Files, TextBeyondTheLimitIsRefused)
{
    const TestFolder folder;
    tests::writeFile(folder / "big", std::string(1001, 'x'));
    EXPECT_TRUE(readTextFile(folder / "big", 1001).ok());
    const auto result = readTextFile(folder / "big", 1000);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Format);
}

TEST(Files, AFolderIsNotReadAsAFile)
{
    const TestFolder folder;
    EXPECT_EQ(openForReading(folder.path()).error().code, ErrorCode::InvalidArgument);
}

TEST(Files, ReadingPastTheEndSaysWhere)
{
    const TestFolder folder;
    tests::writeFile(folder / "short", "0123456789");
    const FileDescriptor file = openForReading(folder / "short").value();
    EXPECT_EQ(fileSize(file, folder / "short").value(), 10U);
    std::array<std::byte, 4> buffer{};
    EXPECT_TRUE(readExactlyAt(file, buffer, 6, folder / "short").ok());
    EXPECT_EQ(static_cast<char>(buffer[3]), '9');
    const Status status = readExactlyAt(file, buffer, 8, folder / "short");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("ends at byte 10"), std::string::npos);
}

TEST(Files, DescriptorsAreClosedOnceAndMovable)
{
    const TestFolder folder;
    tests::writeFile(folder / "a", "a");
    FileDescriptor first = openForReading(folder / "a").value();
    const int number = first.get();
    FileDescriptor second = std::move(first);
    EXPECT_EQ(second.get(), number);
    second = FileDescriptor();
    EXPECT_EQ(::fsync(number), -1);
}

}  // namespace
}  // namespace qs::core
