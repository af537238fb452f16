// Run folders that come from somebody else, or that are none.

#include "core/record/run_folder.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using tests::TestFolder;

// A whole run in "run", of which a test moves parts to "outside" and links to them.
class StrangeRun : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(RunFolder::create(m_run, m_data.plan, m_data.environments.front()).ok());
        tests::writeFile(m_run / "inputs/names.json", R"(["a.png"])");
        fs::create_directory(m_outside);
    }

    void moveOutAndLink(const fs::path& name) const
    {
        fs::rename(m_run / name, m_outside / name.filename());
        fs::create_symlink(m_outside / name.filename(), m_run / name);
    }
    [[nodiscard]] Result<RunFolder> resume()
    {
        RunData data;
        return RunFolder::resume(m_run, m_data.environments.front(), data);
    }

    TestFolder m_folder;
    fs::path m_run = m_folder / "run";
    fs::path m_outside = m_folder / "outside";
    RunData m_data = tests::sampleRun({.rounds = 1});
};

TEST_F(StrangeRun, NoFileOfItMayBeALink)
{
    for (const char* name : {"plan.json", "environment.json", "journal.jsonl"}) {
        moveOutAndLink(name);
        const auto refusal = AllOf(HasSubstr(m_run / name), HasSubstr("is a link"));
        const auto read = readRunFolder(m_run);
        ASSERT_FALSE(read.ok()) << name;
        EXPECT_THAT(read.error().message, refusal);
        const auto resumed = resume();
        ASSERT_FALSE(resumed.ok()) << name;
        EXPECT_THAT(resumed.error().message, refusal);
        fs::rename(m_outside / name, m_run / name);
    }
    EXPECT_TRUE(resume().ok());
}

TEST_F(StrangeRun, NamesBehindALinkAreNotRead)
{
    moveOutAndLink("inputs");
    const auto read = readRunFolder(m_run);
    ASSERT_TRUE(read.ok()) << "names are a courtesy";
    EXPECT_TRUE(read.value().pictureNames.empty());
    ASSERT_FALSE(read.value().events.empty());
    const std::vector<Note>& notes = read.value().events.back().notes;
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].code, NoteCode::ImageNamesUnreadable);
    EXPECT_THAT(notes[0].text(0), HasSubstr("is a link"));
}

TEST_F(StrangeRun, TheLogIsNotALink)
{
    tests::writeFile(m_outside / "profile", "mine\n");
    fs::create_symlink(m_outside / "profile", m_run / "log.txt");
    auto folder = resume();
    ASSERT_TRUE(folder.ok());
    const Status status = folder.value().appendLog("touch PWNED");
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message, HasSubstr("log.txt is a link"));
    EXPECT_EQ(tests::readFile(m_outside / "profile"), "mine\n");
}

TEST_F(StrangeRun, ALogLineIsOneLine)
{
    auto folder = resume();
    ASSERT_TRUE(folder.value().appendLog("left out: x\ntouch PWNED\n#\x1b[2J.png").ok());
    EXPECT_EQ(tests::readFile(m_run / "log.txt"), "left out: x touch PWNED #�[2J.png\n");
}

TEST_F(StrangeRun, OutputsDoNotLeaveIt)
{
    moveOutAndLink("cells");
    auto folder = resume();
    ASSERT_TRUE(folder.ok());
    EXPECT_THAT(createFolders(folder.value().outputFolder("abc")).error().message,
                HasSubstr("cells is a link"));
    EXPECT_FALSE(writeFileAtomically(outputArray(m_run, "abc", 0), "x").ok());
    EXPECT_FALSE(readTextFile(outputPicture(m_run, "abc", 0), 10).ok());
    EXPECT_TRUE(fs::is_empty(m_outside / "cells"));
}

TEST_F(StrangeRun, PipesAndDevicesDoNotHangIt)
{
    for (const char* name : {"plan.json", "environment.json", "journal.jsonl"}) {
        fs::rename(m_run / name, m_outside / name);
        ASSERT_EQ(::mkfifo((m_run / name).c_str(), 0600), 0);
        EXPECT_FALSE(readRunFolder(m_run).ok()) << name;
        EXPECT_FALSE(resume().ok()) << name;
        fs::rename(m_outside / name, m_run / name);
    }
    fs::remove(m_run / "inputs/names.json");
    ASSERT_EQ(::mkfifo((m_run / "inputs/names.json").c_str(), 0600), 0);
    EXPECT_TRUE(readRunFolder(m_run).ok());
}

TEST_F(StrangeRun, ItsTextsAreCleaned)
{
    Json plan = toJson(m_data.plan);
    plan["preset"]["name"] = "\x1b[2Jgood \u202Eevil";
    tests::writeFile(m_run / "plan.json", plan.dump());
    tests::writeFile(m_run / "inputs/names.json", "[\"a\\u001b[31m.png\"]");
    {
        auto journal = Journal::open(m_run / "journal.jsonl");
        ASSERT_TRUE(
            journal.value()
                .append({{"type", "event"},
                         {"at", ""},
                         {"kind", "note"},
                         {"notes", Json::array({Json::array({"remark", "say \x1b]0;title\x07"})})}})
                .ok());
    }
    const RunData data = readRunFolder(m_run).value();
    EXPECT_EQ(data.plan.preset.name, "�[2Jgood �evil");
    EXPECT_EQ(data.pictureNames.front(), "a�[31m.png");
    EXPECT_EQ(data.events.back().notes.front().text(0), "say �]0;title�");
}

class ForeignFolder : public testing::Test
{
protected:
    [[nodiscard]] Result<RunFolder> create(const fs::path& path) const
    {
        return RunFolder::create(path, m_data.plan, m_data.environments.front());
    }
    TestFolder m_folder;
    RunData m_data = tests::sampleRun({.rounds = 0});
};

TEST_F(ForeignFolder, IsNotWrittenInto)
{
    for (const char* name : {"notes.txt", ".profile", "environment.json", "log.txt", "label.json",
                             "inputs/names.json", "cells/x"}) {
        const TestFolder folder;
        fs::create_directories((folder / name).parent_path());
        tests::writeFile(folder / name, "mine");
        const auto created = create(folder.path());
        ASSERT_FALSE(created.ok()) << name;
        EXPECT_EQ(created.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(created.error().message,
                    AllOf(HasSubstr(name), HasSubstr("use a new or empty folder")));
        EXPECT_EQ(tests::readFile(folder / name), "mine");
        EXPECT_FALSE(fs::exists(folder / "journal.jsonl"));
    }
}

TEST_F(ForeignFolder, AnEmptyOneIsFree)
{
    EXPECT_TRUE(create(m_folder.path()).ok());
}

TEST_F(ForeignFolder, WhatACreationLeftBehindIsFree)
{
    fs::create_directory(m_folder / "inputs");
    fs::create_directory(m_folder / "cells");
    ASSERT_TRUE(Journal::open(m_folder / "journal.jsonl").ok());
    tests::writeFile(m_folder / "environment.json.abc123", "{");
    EXPECT_TRUE(create(m_folder.path()).ok());
}

TEST_F(ForeignFolder, NamesThatCannotBeWrittenDownAreRefused)
{
    for (const fs::path& path :
         {fs::path(), m_folder / "p\xFF", m_folder / "two\nlines", m_folder / std::string(300, 'n'),
          fs::path("/" + std::string(5000, 'n')), fs::path("/dev/null/run")}) {
        RunData data;
        EXPECT_EQ(create(path).error().code, ErrorCode::InvalidArgument) << path;
        EXPECT_FALSE(RunFolder::resume(path, {}, data).ok()) << path;
        EXPECT_FALSE(readRunFolder(path).ok()) << path;
        EXPECT_FALSE(readRunPlan(path).ok()) << path;
    }
    EXPECT_TRUE(fs::is_empty(m_folder.path()));
}

}  // namespace
}  // namespace qs::core
