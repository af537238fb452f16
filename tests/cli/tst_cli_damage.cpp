// What the command line says and does of a run whose journal is damaged.

#include "core/base/files.h"
#include "core/record/journal/journal_line.h"
#include "core/record/run_folder.h"
#include "tests/cli/running_program.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class DamagedRun : public testing::Test
{
protected:
    DamagedRun()
    {
        const std::string preset = m_folder / "tiny.json";
        writeTinyPreset(preset);
        const ProgramResult run = runCli(
            {"run", preset, "--out", m_run, "--filter", "precision=int8dq", "--filter", "batch=1"});
        EXPECT_EQ(run.exitCode, 0) << run.output << run.errors;
        m_whole = readFile(m_journal);
        // The row of the swept cell, which kept its outputs; comparisons follow.
        std::size_t row = m_whole.find("\"type\":\"row\"");
        EXPECT_NE(row, std::string::npos);
        m_damaged = m_whole;
        m_damaged[row] = 'X';
        writeFile(m_journal, m_damaged);
    }

    [[nodiscard]] ProgramResult report(const std::string& run) const
    {
        return runCli({"report", run, "--out", m_folder / "report", "--md", "--json"});
    }

    TestFolder m_folder;
    std::string m_run = m_folder / "run";
    std::string m_repaired = m_folder / "run-repaired";
    fs::path m_journal = fs::path(m_run) / "journal.jsonl";
    std::string m_whole;
    std::string m_damaged;
};

using Keys = std::set<std::pair<std::string, int>>;

Keys rowsOf(const RunData& data)
{
    Keys keys;
    for (const Measurement& row : data.measurements)
        keys.insert({row.cellId, row.round});
    return keys;
}

TEST_F(DamagedRun, IsReportedAsSuch)
{
    const ProgramResult partial = report(m_run);
    EXPECT_EQ(partial.exitCode, 1);
    EXPECT_THAT(partial.output,
                AllOf(HasSubstr("warning: the journal is damaged: "), HasSubstr("written to ")));
    EXPECT_THAT(readFile(m_folder / "report/summary.md"),
                HasSubstr("**Warning**: the journal is damaged"));
    EXPECT_THAT(readFile(m_folder / "report/report.json"), HasSubstr("\"loss\":true"));
    writeFile(m_journal, m_whole);
    EXPECT_EQ(report(m_run).exitCode, 0);
    EXPECT_THAT(readFile(m_folder / "report/summary.md"), Not(HasSubstr("damaged")));
}

TEST_F(DamagedRun, IsRepairedAndGoneOnWith)
{
    const RunData before = readRunFolder(m_run).value();
    const ProgramResult refused = runCli({"run", "--resume", "--out", m_run});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.errors,
                AllOf(HasSubstr("is damaged"), HasSubstr("quantscope-cli repair " + m_run)));

    const ProgramResult repaired = runCli({"repair", m_run});
    ASSERT_EQ(repaired.exitCode, 0) << repaired.errors;
    EXPECT_THAT(repaired.output, AllOf(HasSubstr("1 line"), HasSubstr("written to " + m_repaired),
                                       HasSubstr("run --resume --out " + m_repaired)));
    EXPECT_EQ(readFile(m_journal), m_damaged) << "the run is left as it is";
    EXPECT_EQ(report(m_repaired).exitCode, 0);
    EXPECT_EQ(rowsOf(readRunFolder(m_repaired).value()), rowsOf(before));

    const ProgramResult resumed = runCli({"run", "--resume", "--out", m_repaired});
    ASSERT_EQ(resumed.exitCode, 0) << resumed.output << resumed.errors;
    const RunData after = readRunFolder(m_repaired).value();
    EXPECT_EQ(after.measurements.size(), before.measurements.size() + 1);
    EXPECT_EQ(rowsOf(after).size(), after.measurements.size());
    EXPECT_FALSE(after.leftOut.isLoss());
    // Each pair of outputs was compared once, those that were made again as well.
    std::set<std::tuple<std::string, std::string, int>> compared;
    for (const OutputQuality& quality : after.qualities)
        EXPECT_TRUE(compared.insert({quality.cellId, quality.referenceId, quality.sample}).second);
    for (const OutputQuality& quality : before.qualities)
        EXPECT_TRUE(compared.contains({quality.cellId, quality.referenceId, quality.sample}));
}

TEST_F(DamagedRun, CanBeRepairedWhereItLies)
{
    const ProgramResult repaired = runCli({"repair", m_run, "--in-place"});
    ASSERT_EQ(repaired.exitCode, 0) << repaired.errors;
    EXPECT_EQ(readFile(fs::path(m_run) / "journal-damaged-1.jsonl"), m_damaged);
    EXPECT_EQ(report(m_run).exitCode, 0);
    const std::string sound = readFile(m_journal);
    const ProgramResult again = runCli({"repair", m_run, "--in-place"});
    EXPECT_EQ(again.exitCode, 0);
    EXPECT_THAT(again.output, HasSubstr("the journal is intact: nothing was written"));
    EXPECT_EQ(readFile(m_journal), sound);
}

TEST_F(DamagedRun, IsNotRepairedOverSomethingElse)
{
    fs::create_directory(m_repaired);
    EXPECT_EQ(runCli({"repair", m_run}).exitCode, 2);
    EXPECT_TRUE(fs::is_empty(m_repaired));
    EXPECT_EQ(runCli({"repair", m_run, "--out", m_folder / "other", "--in-place"}).exitCode, 2);
    EXPECT_EQ(runCli({"repair", m_folder / "none"}).exitCode, 2);
    EXPECT_EQ(runCli({"repair"}).exitCode, 2);
}

// A link in the run reaches nothing, and is left out of the copy.
TEST_F(DamagedRun, LinksAreNotCopied)
{
    writeFile(m_folder / "secret", "secret");
    fs::create_symlink(m_folder / "secret", fs::path(m_run) / "cells" / "secret.npy");
    const ProgramResult repaired = runCli({"repair", m_run});
    ASSERT_EQ(repaired.exitCode, 0) << repaired.errors;
    EXPECT_THAT(repaired.output, HasSubstr("1 items not copied"));
    for (const auto& entry : fs::recursive_directory_iterator(m_repaired)) {
        EXPECT_FALSE(entry.is_symlink()) << entry.path();
        EXPECT_NE(entry.path().filename(), "secret.npy");
    }
}

// Nothing of it is read, and nothing written: what it says follows other rules.
TEST_F(DamagedRun, OfAnotherVersionIsRefusedByName)
{
    writeFile(m_journal, m_whole);
    for (const std::string name : {"plan.json", "environment.json", "journal.jsonl"}) {
        const fs::path file = fs::path(m_run) / name;
        const std::string whole = readFile(file);
        for (const std::string version : {"0", "2"}) {
            std::string other = whole;
            if (name == "journal.jsonl") {
                const Json header{{"format", "quantscope-journal"},
                                  {"schema_version", version[0] - '0'}};
                other.replace(0, other.find('\n') + 1, encodeJournalLine(header).value());
            } else {
                const std::string member = "\"schema_version\": ";
                other.replace(other.rfind(member) + member.size(), 1, version);
            }
            writeFile(file, other);
            for (const ProgramResult& refused : {report(m_run), runCli({"repair", m_run}),
                                                 runCli({"run", "--resume", "--out", m_run})}) {
                EXPECT_NE(refused.exitCode, 0);
                EXPECT_THAT(refused.errors, HasSubstr(name + ": schema version " + version +
                                                      ", but this program reads version 1"));
            }
            EXPECT_EQ(readFile(file), other);
            EXPECT_FALSE(fs::exists(m_repaired));
        }
        writeFile(file, whole);
    }
}

}  // namespace
