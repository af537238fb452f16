// Runs held against each other on the command line, and what it exits with.

#include "tests/cli/cli_fixture.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;

class Compared : public Cli
{
protected:
    Compared() { EXPECT_EQ(run({}).exitCode, 0); }

    std::string m_copy = m_folder / "copy";
};

TEST_F(Compared, ARunWithItselfHasNothingToFailOn)
{
    const ProgramResult result =
        runCli({"compare", m_run, m_run, "--fail-on", "slower,quality,memory,broken,missing"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("# Comparison with"), HasSubstr("### What changed")));
}

TEST_F(Compared, WritesFiles)
{
    const ProgramResult result =
        runCli({"compare", m_run, m_run, "--md", m_folder / "c.md", "--csv", m_folder / "c.csv",
                "--json", m_folder / "c.json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(readFile(m_folder / "c.md"), HasSubstr("## "));
    EXPECT_THAT(readFile(m_folder / "c.csv"), testing::StartsWith("label,run,changed"));
    const Json json = Json::parse(readFile(m_folder / "c.json"));
    EXPECT_GT(json.at("comparisons").at(0).at("counts").at("matched").get<int>(), 0);
}

// A run that lacks cells is no success where somebody asks for them.
TEST_F(Compared, MissingCellsFailWhereTheyAreAskedFor)
{
    const ProgramResult fewer = runCli({"run", m_preset, "--out", m_copy, "--filter", "batch=1"});
    ASSERT_EQ(fewer.exitCode, 0) << fewer.errors;
    EXPECT_EQ(runCli({"compare", m_run, m_copy}).exitCode, 0);
    const ProgramResult result = runCli({"compare", m_run, m_copy, "--fail-on", "missing"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("missing"));
}

TEST_F(Compared, NonsenseIsAUsageError)
{
    EXPECT_EQ(runCli({"compare", m_run}).exitCode, 2);
    const ProgramResult unknown = runCli({"compare", m_run, m_run, "--fail-on", "ugly"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("ugly"));
    EXPECT_NE(runCli({"compare", m_run, m_folder / "nothing"}).exitCode, 0);
}

}  // namespace
