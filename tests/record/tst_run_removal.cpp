#include "core/record/run_folder.h"
#include "core/record/run_label.h"
#include "core/record/run_removal.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::TestFolder;

class RemovedRun : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(RunFolder::create(m_run, m_data.plan, m_data.environments.front()).ok());
        ASSERT_TRUE(writeRunLabel(m_run, {.name = "mine", .tags = {}, .note = {}}).ok());
        fs::create_directories(m_run / "cells/one");
        tests::writeFile(m_run / "cells/one/output_0.png", "x");
        tests::writeFile(m_run / "log.txt", "x");
        fs::create_directory(m_outside);
        tests::writeFile(m_outside / "file", "theirs");
    }

    TestFolder m_folder;
    fs::path m_run = m_folder / "run";
    fs::path m_outside = m_folder / "outside";
    RunData m_data = tests::sampleRun({.rounds = 1});
};

TEST_F(RemovedRun, GoesAsAWhole)
{
    tests::writeFile(m_run / "journal-damaged-1.jsonl", "x");
    tests::writeFile(m_run / "label.json.abc123", "x");
    tests::writeFile(m_run / "summary.md", "x");
    EXPECT_FALSE(RemovableRun::of(m_run).ok()) << "no report was spoken of";
    const auto run = RemovableRun::of(m_run, {"summary.md"});
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_TRUE(run.value().remove().ok());
    EXPECT_FALSE(fs::exists(m_run));
    EXPECT_TRUE(fs::exists(m_outside / "file"));
}

TEST_F(RemovedRun, WhatElseLiesThereKeepsIt)
{
    for (const char* name : {"notes.txt", ".profile", "cells.csv", "plan"}) {
        tests::writeFile(m_run / name, "mine");
        const auto run = RemovableRun::of(m_run);
        ASSERT_FALSE(run.ok()) << name;
        EXPECT_EQ(run.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(run.error().message, HasSubstr(name));
        fs::remove(m_run / name);
    }
    fs::create_directory(m_run / "more");
    EXPECT_FALSE(RemovableRun::of(m_run).ok());
    fs::remove(m_run / "more");
    EXPECT_TRUE(RemovableRun::of(m_run).ok());
}

TEST_F(RemovedRun, NoOtherFolderIsRemoved)
{
    EXPECT_EQ(RemovableRun::of(m_outside).error().code, ErrorCode::NotFound);
    EXPECT_EQ(RemovableRun::of(m_folder / "nowhere").error().code, ErrorCode::NotFound);
    EXPECT_EQ(RemovableRun::of(m_run / "plan.json").error().code, ErrorCode::NotFound);
}

TEST_F(RemovedRun, LinksAreNotFollowed)
{
    fs::create_directory_symlink(m_run, m_folder / "link");
    EXPECT_THAT(RemovableRun::of(m_folder / "link").error().message, HasSubstr("is a link"));
    for (const char* name : {"inputs", "log.txt", "journal.jsonl"}) {
        fs::rename(m_run / name, m_folder / "kept");
        fs::create_symlink(m_outside, m_run / name);
        EXPECT_FALSE(RemovableRun::of(m_run).ok()) << name;
        fs::remove(m_run / name);
        fs::rename(m_folder / "kept", m_run / name);
    }
    // Below its folders the link goes alone.
    fs::create_directory_symlink(m_outside, m_run / "cells/one/link");
    EXPECT_TRUE(RemovableRun::of(m_run).value().remove().ok());
    EXPECT_EQ(tests::readFile(m_outside / "file"), "theirs");
    EXPECT_FALSE(fs::exists(m_run));
}

TEST_F(RemovedRun, PipesDoNotHangIt)
{
    fs::remove(m_run / "journal.jsonl");
    ASSERT_EQ(::mkfifo((m_run / "journal.jsonl").c_str(), 0600), 0);
    EXPECT_FALSE(RemovableRun::of(m_run).ok());
}

TEST_F(RemovedRun, OneThatIsWrittenStays)
{
    {
        RunData data;
        const auto folder = RunFolder::resume(m_run, m_data.environments.front(), data);
        ASSERT_TRUE(folder.ok());
        const auto run = RemovableRun::of(m_run);
        ASSERT_FALSE(run.ok());
        EXPECT_EQ(run.error().code, ErrorCode::Io);
    }
    const auto run = RemovableRun::of(m_run);
    ASSERT_TRUE(run.ok());
    RunData data;
    EXPECT_FALSE(RunFolder::resume(m_run, m_data.environments.front(), data).ok())
        << "nor does one begin meanwhile";
}

TEST_F(RemovedRun, ADamagedOneGoesToo)
{
    tests::writeFile(m_run / "plan.json", "{");
    fs::remove(m_run / "journal.jsonl");
    const auto run = RemovableRun::of(m_run);
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_TRUE(run.value().remove().ok());
    EXPECT_FALSE(fs::exists(m_run));
}

}  // namespace
}  // namespace qs::core
