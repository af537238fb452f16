// What lies inside a folder that somebody else may have made: no link is followed, and only regular
// files are opened.

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/npy.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using tests::TestFolder;

// A folder "strange" beside one that must stay as it is.
class StrangeFolder : public testing::Test
{
protected:
    StrangeFolder()
    {
        fs::create_directories(m_strange / "cells/a");
        fs::create_directories(m_home);
        tests::writeFile(m_secret, "secret");
        fs::create_symlink(m_secret, m_strange / "file");
        fs::create_symlink(m_home, m_strange / "folder");
        fs::create_symlink(m_home / "not yet", m_strange / "dangling");
    }
    ~StrangeFolder() override
    {
        EXPECT_EQ(tests::readFile(m_secret), "secret");
        EXPECT_EQ(std::distance(fs::directory_iterator(m_home), fs::directory_iterator()), 1)
            << "something was made outside";
    }

    [[nodiscard]] FilePlace inside(const fs::path& name) const
    {
        return FilePlace::inside(m_strange, name);
    }

    TestFolder m_folder;
    fs::path m_strange = m_folder / "strange";
    fs::path m_home = m_folder / "home";
    fs::path m_secret = m_home / "secret";
};

TEST_F(StrangeFolder, LinksAreNotReadThrough)
{
    for (const char* name : {"file", "dangling", "folder/secret"}) {
        const auto text = readTextFile(inside(name), 100);
        ASSERT_FALSE(text.ok()) << name;
        EXPECT_EQ(text.error().code, ErrorCode::Format);
        EXPECT_THAT(text.error().message,
                    AllOf(HasSubstr(m_strange.string() + "/"), HasSubstr("is a link")));
        EXPECT_TRUE(isThere(inside(name))) << "something is there, and opening it says what";
    }
    EXPECT_FALSE(readJsonFile(inside("file")).ok());
    EXPECT_FALSE(readNpy(inside("file")).ok());
    // The same names, if it is the user who gives them.
    EXPECT_EQ(readTextFile(m_strange / "file", 100).value(), "secret");
    EXPECT_EQ(readTextFile(m_strange / "folder/secret", 100).value(), "secret");
}

TEST_F(StrangeFolder, TheFolderItselfMayBeReachedThroughALink)
{
    tests::writeFile(m_strange / "cells/a/x", "x");
    fs::create_symlink(m_strange, m_folder / "link");
    EXPECT_EQ(readTextFile(FilePlace::inside(m_folder / "link", "cells/a/x"), 10).value(), "x");
}

TEST_F(StrangeFolder, LinksAreNotWrittenThrough)
{
    for (const char* name : {"file", "dangling", "folder/secret", "folder/new"}) {
        const Status status = writeFileAtomically(inside(name), "x");
        ASSERT_FALSE(status.ok()) << name;
        EXPECT_THAT(status.error().message, HasSubstr("is a link"));
        EXPECT_FALSE(openForAppending(inside(name)).ok()) << name;
    }
    for (const char* name : {"file", "folder", "dangling", "folder/new", "folder/new/newer"})
        EXPECT_FALSE(createFolders(inside(name)).ok()) << name;
    EXPECT_FALSE(syncFolder(inside("folder")).ok());
    EXPECT_TRUE(fs::is_symlink(m_strange / "file")) << "it is refused, not replaced";
}

TEST_F(StrangeFolder, AFileWithASecondNameDoesNotGrow)
{
    fs::create_hard_link(m_secret, m_strange / "log.txt");
    const auto log = openForAppending(inside("log.txt"));
    ASSERT_FALSE(log.ok());
    EXPECT_THAT(log.error().message, HasSubstr("second name"));
}

TEST_F(StrangeFolder, WhatLeadsOutIsRefused)
{
    for (const char* name : {"../home/secret", "cells/../../home/secret", "./x", "", "cells/"}) {
        const auto place = FilePlace::inside(m_strange, name);
        EXPECT_FALSE(readTextFile(place, 100).ok()) << name;
        EXPECT_FALSE(writeFileAtomically(place, "x").ok()) << name;
    }
    EXPECT_FALSE(readTextFile(FilePlace::inside(m_strange, m_secret), 100).ok());
}

TEST_F(StrangeFolder, WritesWhereNothingIsInTheWay)
{
    ASSERT_TRUE(createFolders(inside("cells/a/b/c")).ok());
    ASSERT_TRUE(createFolders(inside("cells/a/b/c")).ok()) << "again";
    ASSERT_TRUE(writeFileAtomically(inside("cells/a/b/c/x"), "one").ok());
    ASSERT_TRUE(writeFileAtomically(inside("cells/a/b/c/x"), "two").ok());
    EXPECT_EQ(readTextFile(inside("cells/a/b/c/x"), 10).value(), "two");
    EXPECT_FALSE(isThere(inside("cells/a/y")));
    EXPECT_FALSE(isThere(inside("no/such/folder")));
    EXPECT_EQ(readTextFile(inside("cells/a/y"), 10).error().code, ErrorCode::NotFound);
}

// Each of them would block a program that opens it, or never end.
TEST(SpecialFiles, AreRefusedAtOnce)
{
    const TestFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const fs::path& file : {folder / "pipe", fs::path("/dev/zero"), fs::path("/dev/null")}) {
        for (const FilePlace& place :
             {FilePlace(file), FilePlace::inside(file.parent_path(), file.filename())}) {
            const auto text = readTextFile(place, 100);
            ASSERT_FALSE(text.ok()) << file;
            EXPECT_EQ(text.error().code, ErrorCode::InvalidArgument);
            EXPECT_THAT(text.error().message, HasSubstr("not a regular file"));
            EXPECT_FALSE(openForAppending(place).ok());
        }
    }
    EXPECT_FALSE(writeFileAtomically(folder / "pipe", "x").ok());
    EXPECT_TRUE(readTextFile("/proc/self/status", 1 << 20).ok()) << "files of the kernel are files";
}

TEST(BadNames, AreErrorsOfWhoeverNamedThem)
{
    const TestFolder folder;
    tests::writeFile(folder / "file", "x");
    fs::path deep = folder.path();
    for (int level = 0; level < 2500; ++level)
        deep /= "d";
    for (const fs::path& path :
         {fs::path(), folder.path() / std::string(300, 'n'), deep, folder.path() / "file/below"}) {
        const auto text = readTextFile(path, 10);
        ASSERT_FALSE(text.ok());
        EXPECT_EQ(text.error().code, ErrorCode::InvalidArgument) << path;
        EXPECT_LT(text.error().message.size(), 1000U);
        EXPECT_FALSE(writeFileAtomically(path, "x").ok());
        EXPECT_FALSE(openForAppending(path).ok());
    }
    EXPECT_FALSE(createFolders(folder.path() / std::string(300, 'n')).ok());
    EXPECT_FALSE(createFolders(folder.path() / "file/below").ok());
}

TEST(ClosedFolders, AreErrorsNotCrashes)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may go anywhere";
    const TestFolder folder;
    fs::create_directory(folder / "closed");
    tests::writeFile(folder / "closed/x", "x");
    ::chmod((folder / "closed").c_str(), 0);
    EXPECT_EQ(readTextFile(folder / "closed/x", 10).error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(isThere(folder / "closed/x")) << "opening it says that it may not be looked at";
    EXPECT_FALSE(createFolders(folder / "closed/y").ok());
    ::chmod((folder / "closed").c_str(), 0700);
}

TEST(PrivateFiles, HaveTheirMode)
{
    const TestFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "own", "x", 0600).ok());
    struct stat status {
    };
    ASSERT_EQ(::stat((folder / "own").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

}  // namespace
}  // namespace qs::core
