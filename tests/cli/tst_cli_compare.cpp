// Runs held against each other on the command line, and what it exits with.

#include "core/record/run_folder.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/sample_run.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

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

// A run as its folder would be, without measuring anything.
void store(const RunData& data, const std::string& folder)
{
    auto stored = RunFolder::create(folder, data.plan, data.environments.front());
    ASSERT_TRUE(stored.ok()) << stored.error().message;
    for (const Measurement& row : data.measurements)
        ASSERT_TRUE(stored.value().addMeasurement(row).ok());
    ASSERT_TRUE(stored.value().addQualities(data.qualities).ok());
    ASSERT_TRUE(stored.value().addEvent({.at = {}, .kind = EventKind::Complete}).ok());
}

// Every reason to fail, alone: it is found where it is asked for, and passes where it is not.
TEST(ComparedRegressions, EachFailsWhereItIsAskedFor)
{
    const TestFolder folder;
    const std::string before = folder / "before";
    store(sampleRun(), before);
    const std::map<std::string, std::function<void(Measurement&)>> regressions{
        {"slower",
         [](Measurement& row) {
             for (double& seconds : row.result.deviceSeconds)
                 seconds *= 1.5;
         }},
        {"memory",
         [](Measurement& row) {
             row.result.memory.allocatedPeak = 2 * row.result.memory.allocatedPeak.value_or(0);
         }},
        {"broken", [](Measurement& row) {
             row.result = {};
             row.failure =
                 Failure{.kind = FailureKind::Signal, .phase = Phase::Measure, .amount = 11.0};
         }}};
    for (const auto& [name, spoil] : regressions) {
        RunData after = sampleRun();
        for (Measurement& row : after.measurements) {
            if (row.cellId == sampleCellId("int8dq", "none", 4))
                spoil(row);
        }
        store(after, folder / name);
        const ProgramResult asked = runCli({"compare", before, folder / name, "--fail-on", name});
        EXPECT_EQ(asked.exitCode, 1) << name << asked.output << asked.errors;
        EXPECT_THAT(asked.errors, HasSubstr(name));
        for (const auto& [other, unused] : regressions) {
            if (other == name || name == "broken")
                continue;
            const ProgramResult unasked =
                runCli({"compare", before, folder / name, "--fail-on", other});
            EXPECT_EQ(unasked.exitCode, 0) << name << " is not " << other;
        }
    }
}

// Too few images for a verdict: the limit fails all the same, and only beyond it.
TEST(ComparedRegressions, AFallOfQualityFailsByItsLimit)
{
    constexpr double kFall = 0.02;
    constexpr int kImages = 4;
    const TestFolder folder;
    const std::string fallen = sampleCellId("int8dq", "none", 4);
    const auto few = [&](double fall) {
        RunData data = sampleRun();
        std::erase_if(data.qualities,
                      [](const OutputQuality& quality) { return quality.sample >= kImages; });
        for (OutputQuality& quality : data.qualities) {
            if (quality.cellId != fallen)
                continue;
            quality.set("ssim", quality.find("ssim").value_or(1.0) - fall);
        }
        return data;
    };
    store(few(0.0), folder / "before");
    store(few(kFall), folder / "after");
    const auto exitCode = [&](const std::string& failOn, const char* second = "after") {
        return runCli({"compare", folder / "before", folder / second, "--fail-on", failOn});
    };
    EXPECT_EQ(exitCode("quality").exitCode, 0) << "no verdict";
    const ProgramResult result = exitCode("quality=0.01");
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("int8dq"), HasSubstr("0.02")));
    EXPECT_EQ(exitCode("quality=0.03").exitCode, 0);
    EXPECT_EQ(exitCode("quality=0.01", "before").exitCode, 0);
    for (const char* wrong : {"quality=", "quality=much", "quality=-1", "slower=0.1"})
        EXPECT_EQ(exitCode(wrong).exitCode, 2) << wrong;
}

// What was judged before and is not any more has not been shown to be as good.
TEST(ComparedRegressions, QualityThatCannotBeComparedFails)
{
    const TestFolder folder;
    store(sampleRun(), folder / "before");
    RunData after = sampleRun();
    after.qualities.clear();
    store(after, folder / "after");
    EXPECT_EQ(runCli({"compare", folder / "before", folder / "after"}).exitCode, 0);
    const ProgramResult result =
        runCli({"compare", folder / "before", folder / "after", "--fail-on", "quality"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("cannot be compared"));
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
