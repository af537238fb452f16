#include "core/record/run_folder.h"
#include "core/record/run_label.h"
#include "core/record/run_repair.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::TestFolder;

class LabelledRun : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(RunFolder::create(m_run, m_data.plan, m_data.environments.front()).ok());
    }
    [[nodiscard]] ErrorCode codeOf(const std::string& text) const
    {
        tests::writeFile(m_file, text);
        const auto read = readRunLabel(m_run);
        EXPECT_FALSE(read.ok()) << text;
        if (!read.ok()) {
            EXPECT_THAT(read.error().message, HasSubstr("label.json"));
        }
        return read.ok() ? ErrorCode::Internal : read.error().code;
    }

    TestFolder m_folder;
    fs::path m_run = m_folder / "run";
    fs::path m_file = m_run / "label.json";
    RunData m_data = tests::sampleRun({.rounds = 1});
    const RunLabel m_label{
        .name = "before the patch", .tags = {"paper", "h200"}, .note = "two\nlines"};
};

TEST_F(LabelledRun, ReadsBackEqual)
{
    EXPECT_TRUE(readRunLabel(m_run).value().isEmpty()) << "none yet";
    ASSERT_TRUE(writeRunLabel(m_run, m_label).ok());
    EXPECT_EQ(readRunLabel(m_run).value(), m_label);
    // In place of the one of before.
    ASSERT_TRUE(writeRunLabel(m_run, {.name = "after", .tags = {}, .note = {}}).ok());
    EXPECT_EQ(readRunLabel(m_run).value().name, "after");
    EXPECT_TRUE(readRunLabel(m_run).value().tags.empty());
    ASSERT_TRUE(writeRunLabel(m_run, {}).ok());
    EXPECT_FALSE(fs::exists(m_file));
    EXPECT_TRUE(readRunLabel(m_run).value().isEmpty());
}

// The window writes in the background while a list is read.
TEST_F(LabelledRun, MayBeTakenAwayWhileItIsRead)
{
    std::atomic<bool> isDone = false;
    std::thread other([&] {
        while (!isDone) {
            EXPECT_TRUE(writeRunLabel(m_run, m_label).ok());
            EXPECT_TRUE(writeRunLabel(m_run, {}).ok());
        }
    });
    for (int i = 0; i < 2000; ++i) {
        const auto read = readRunLabel(m_run);
        EXPECT_TRUE(read.ok()) << read.error().message;
        if (!read.ok())
            break;
    }
    isDone = true;
    other.join();
}

TEST_F(LabelledRun, IsTidied)
{
    const RunLabel tidy = tidied({.name = "  two\nlines\x1b[2J ",
                                  .tags = {" a , b", "", "b", "\u202E"},
                                  .note = "\n one\n two\x07 \n"});
    EXPECT_EQ(tidy.name, "two lines\uFFFD[2J");
    EXPECT_THAT(tidy.tags, ElementsAre("a", "b", "\uFFFD"));
    EXPECT_EQ(tidy.note, "one\n two\uFFFD");
    EXPECT_EQ(tidied(tidy), tidy);
    // A file of somebody else is no cleaner than what was typed.
    tests::writeFile(m_file, R"({"schema_version": 1, "name": "good \u202eevil\u0007"})");
    EXPECT_EQ(readRunLabel(m_run).value().name, "good \uFFFDevil\uFFFD");
}

TEST_F(LabelledRun, WhatIsNoLabelIsRefused)
{
    EXPECT_EQ(codeOf("{"), ErrorCode::Format);
    EXPECT_EQ(codeOf("[]"), ErrorCode::Unsupported);
    EXPECT_EQ(codeOf(R"({"name": "x"})"), ErrorCode::Unsupported);
    EXPECT_EQ(codeOf(R"({"schema_version": 2, "name": "x"})"), ErrorCode::Unsupported);
    EXPECT_EQ(codeOf(R"({"schema_version": 1, "name": 7})"), ErrorCode::Format);
    EXPECT_EQ(codeOf(R"({"schema_version": 1, "tags": "x"})"), ErrorCode::Format);
    EXPECT_EQ(codeOf(R"({"schema_version": 1, "colour": "red"})"), ErrorCode::Format);
    const std::string most(kLongestRunName, 'n');
    EXPECT_EQ(codeOf(R"({"schema_version": 1, "name": ")" + most + "n\"}"), ErrorCode::Format);
    EXPECT_EQ(codeOf(std::string(std::size_t{1} << 20U, ' ') + "{}"), ErrorCode::Format);
    tests::writeFile(m_file, R"({"schema_version": 1, "name": ")" + most + "\"}");
    EXPECT_TRUE(readRunLabel(m_run).ok());
    // The run is read all the same.
    tests::writeFile(m_file, "{");
    EXPECT_TRUE(readRunFolder(m_run).ok());
}

TEST_F(LabelledRun, LinksAndPipesAreNotFollowed)
{
    const fs::path outside = m_folder / "outside.json";
    tests::writeFile(outside, R"({"schema_version": 1, "name": "theirs"})");
    fs::create_symlink(outside, m_file);
    EXPECT_THAT(readRunLabel(m_run).error().message, HasSubstr("is a link"));
    EXPECT_FALSE(writeRunLabel(m_run, m_label).ok());
    EXPECT_THAT(tests::readFile(outside), HasSubstr("theirs"));
    fs::remove(m_file);
    ASSERT_EQ(::mkfifo(m_file.c_str(), 0600), 0);
    EXPECT_FALSE(readRunLabel(m_run).ok());
    EXPECT_FALSE(writeRunLabel(m_run, m_label).ok());
    EXPECT_TRUE(readRunFolder(m_run).ok());
}

TEST_F(LabelledRun, WhatWouldNotBeReadIsNotWritten)
{
    RunLabel label{.name = std::string(kLongestRunName + 1, 'n'), .tags = {}, .note = {}};
    EXPECT_EQ(writeRunLabel(m_run, label).error().code, ErrorCode::InvalidArgument);
    label = {.name = {}, .tags = {std::string(kLongestRunTag + 1, 't')}, .note = {}};
    EXPECT_EQ(writeRunLabel(m_run, label).error().code, ErrorCode::InvalidArgument);
    label = {.name = {}, .tags = {}, .note = std::string(kLongestRunNote + 1, 'n')};
    EXPECT_EQ(writeRunLabel(m_run, label).error().code, ErrorCode::InvalidArgument);
    label = {};
    for (std::size_t i = 0; i <= kMostRunTags; ++i)
        label.tags.push_back("tag " + std::to_string(i));
    EXPECT_EQ(writeRunLabel(m_run, label).error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(fs::exists(m_file));
    label.tags.pop_back();
    EXPECT_TRUE(writeRunLabel(m_run, label).ok());
    EXPECT_EQ(readRunLabel(m_run).value(), label);
}

TEST_F(LabelledRun, OfAnotherVersionStays)
{
    const std::string theirs = R"({"schema_version": 2, "name": "x", "colour": "red"})";
    tests::writeFile(m_file, theirs);
    EXPECT_EQ(writeRunLabel(m_run, m_label).error().code, ErrorCode::Unsupported);
    EXPECT_EQ(writeRunLabel(m_run, {}).error().code, ErrorCode::Unsupported);
    EXPECT_EQ(tests::readFile(m_file), theirs);
    // A damaged one says nothing to anybody.
    tests::writeFile(m_file, "{");
    EXPECT_TRUE(writeRunLabel(m_run, m_label).ok());
    EXPECT_EQ(readRunLabel(m_run).value(), m_label);
}

TEST_F(LabelledRun, NoOtherFolderIsLabelled)
{
    EXPECT_EQ(writeRunLabel(m_folder.path(), m_label).error().code, ErrorCode::NotFound);
    EXPECT_EQ(writeRunLabel(m_folder / "nowhere", m_label).error().code, ErrorCode::NotFound);
    EXPECT_FALSE(fs::exists(m_folder / "label.json"));
}

TEST_F(LabelledRun, GoesOnWhileItIsLabelled)
{
    RunData data;
    auto folder = RunFolder::resume(m_run, m_data.environments.front(), data);
    ASSERT_TRUE(folder.ok());
    ASSERT_TRUE(writeRunLabel(m_run, m_label).ok());
    EXPECT_TRUE(folder.value().checkInPlace().ok());
    EXPECT_TRUE(folder.value().addMeasurement(m_data.measurements.front()).ok());
    ASSERT_TRUE(writeRunLabel(m_run, {}).ok());
    EXPECT_TRUE(folder.value().checkInPlace().ok());
}

TEST_F(LabelledRun, ARepairedCopyKeepsIt)
{
    {
        RunData data;
        auto folder = RunFolder::resume(m_run, m_data.environments.front(), data);
        for (const Measurement& row : m_data.measurements)
            ASSERT_TRUE(folder.value().addMeasurement(row).ok());
    }
    ASSERT_TRUE(writeRunLabel(m_run, m_label).ok());
    std::string journal = tests::readFile(m_run / "journal.jsonl");
    journal[journal.size() / 2] ^= 0x20;
    tests::writeFile(m_run / "journal.jsonl", journal);
    const auto repair = repairCopy(m_run, m_folder / "copy");
    ASSERT_TRUE(repair.ok()) << repair.error().message;
    ASSERT_FALSE(repair.value().folder.empty());
    EXPECT_EQ(readRunLabel(repair.value().folder).value(), m_label);
}

}  // namespace
}  // namespace qs::core
