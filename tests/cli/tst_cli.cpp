// quantscope-cli and quantscope-worker from end to end on the CPU. What needs no engine is tested
// with a fake one, see tst_cli_flows.

#include "core/base/files.h"
#include "tests/cli/cli_fixture.h"

#include <filesystem>
#include <map>
#include <memory>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Every cell is compared with its reference, picture by picture; a rerun of the reference in
// another process gives the same bits.
void checkQualities(const RunData& data)
{
    std::map<std::string, int> compared;
    int goldens = 0;  // comparisons with the fp32 golden run
    for (const OutputQuality& quality : data.qualities) {
        const PlannedCell* cell = data.plan.find(quality.cellId);
        ASSERT_NE(cell, nullptr);
        EXPECT_NE(quality.referenceId, "input") << "untrained";
        if (quality.referenceId != cell->referenceId) {
            const PlannedCell* golden = data.plan.find(quality.referenceId);
            ASSERT_NE(golden, nullptr);
            EXPECT_EQ(precisionText(golden->config), "fp32");
            ++goldens;
            continue;
        }
        EXPECT_EQ(quality.find("relative_l2") == 0.0, cell->rerun > 0) << quality.cellId;
        ++compared[quality.cellId];
    }
    for (const PlannedCell& cell : data.plan.cells)
        EXPECT_EQ(compared[cell.id], cell.id == cell.referenceId ? 0 : 2)
            << precisionText(cell.config);
    EXPECT_GT(goldens, 0);
}
TEST_F(Cli, RunsASweep)
{
    const ProgramResult result = run({"--set", "isolation=model"});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("round 1"));
    EXPECT_THAT(result.output, Not(HasSubstr("\x1b"))) << "no escape sequences in a pipe";
    const RunData data = stored();
    std::map<std::string, int> rows;
    for (const Measurement& row : data.measurements) {
        EXPECT_TRUE(row.ok()) << name(row.status());
        EXPECT_GE(row.result.hostSeconds.size(), 3U);
        EXPECT_EQ(row.result.outputs.size(), 2U);
        EXPECT_FALSE(row.result.executed.empty());
        ++rows[row.cellId];
    }
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(data.plan.possibleCells()));
    EXPECT_EQ(data.events.back().kind, EventKind::Complete);
    checkQualities(data);
    // Once more into the same folder: refused, and nothing is changed.
    const ProgramResult again = run({});
    EXPECT_EQ(again.exitCode, 2);
    EXPECT_THAT(again.errors, HasSubstr("already holds a run"));
    EXPECT_EQ(stored().measurements.size(), data.measurements.size());
    // Resuming a complete run does nothing.
    EXPECT_EQ(runCli({"run", "--resume", "--out", m_run}).exitCode, 0);
    EXPECT_EQ(stored().measurements.size(), data.measurements.size());
}

TEST_F(Cli, GatesDecideTheExitCode)
{
    EXPECT_EQ(run({"--fail-on", "gates"}).exitCode, 2) << "the preset has none";
    EXPECT_EQ(run({"--fail-on", "speed > 1"}).exitCode, 2);
    EXPECT_FALSE(std::filesystem::exists(m_run)) << "said before anything is measured";
    const ProgramResult result =
        run({"--filter", "precision=int8dq", "--filter", "batch=1", "--fail-on",
             "process_peak < 1 B", "--fail-on", "ssim_mean >= 0.5"});
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("gate fails: int8dq · eager · batch 1: process"));
    EXPECT_THAT(result.errors, HasSubstr("not tested on any cell: "));
    EXPECT_EQ(runCli({"report", m_run, "--fail-on", "process_peak < 1000 GiB"}).exitCode, 0);
    // One repeat shows nothing about a time.
    const ProgramResult once = runCli({"report", m_run, "--fail-on", "latency < 1000 s"});
    EXPECT_EQ(once.exitCode, 1);
    EXPECT_THAT(once.output, HasSubstr("gate is undecided: int8dq · eager · batch 1: "
                                       "latency < 1000 s: an interval needs 3 repeats"));
    EXPECT_EQ(
        runCli({"report", m_run, "--fail-on", "latency < 1000 s", "--undecided", "pass"}).exitCode,
        0);
    EXPECT_EQ(runCli({"report", m_run, "--undecided", "maybe"}).exitCode, 2);
    EXPECT_THAT(runCli({"report", "--help"}).output, HasSubstr("--undecided"));
}

// From preset to report, without an image where there is none.
TEST_F(Cli, TakesTheClassesOfSamples)
{
    const std::string labels = m_folder / "labels.txt";
    writeFile(labels, "0\n1\n");
    const ProgramResult result =
        run({"--labels", labels, "--filter", "precision=bf16", "--filter", "batch=2"});
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_EQ(stored().plan.preset.feeding.labels, labels);
    EXPECT_THAT(result.errors, HasSubstr("labels.txt")) << "an image is no class";
}

// Of two images and eight classes: before anything is measured.
TEST_F(Cli, RefusesClassesThatDoNotFit)
{
    writeFile(m_preset, R"({"schema_version": 1, "name": "labelled", "rounds": 1,
        "defaults": {"model": "resnet:10/8", "device": "cpu", "image_size": 16},
        "axes": {"precision": ["bf16"]}, "pictures": {"source": "procedural", "count": 2}})");
    const std::string labels = m_folder / "labels.txt";
    for (const char* text : {"0\n1\n2\n", "0\n8\n", "0\ncat\n", ""}) {
        writeFile(labels, text);
        const ProgramResult result = run({"--labels", labels});
        EXPECT_EQ(result.exitCode, 2) << text << result.output;
        EXPECT_THAT(result.errors, HasSubstr("labels.txt"));
        EXPECT_FALSE(std::filesystem::exists(m_run));
    }
    // Whether there are fewer images than were asked for is known when they are read.
    writeFile(labels, "0\n");
    const ProgramResult fewer = run({"--labels", labels});
    EXPECT_NE(fewer.exitCode, 0) << fewer.output;
    EXPECT_THAT(fewer.errors, HasSubstr("labels.txt"));
    EXPECT_FALSE(std::filesystem::exists(m_run)) << "free for the next try";
}

TEST_F(Cli, MeasuresModelsBeyondImages)
{
    const std::pair<std::string, std::string> sweeps[]{
        {R"("model": "resnet:10/8", "image_size": 16)", R"("precision": ["bf16"])"},
        {R"("model": "llama:w32_d1_h4_k2_f48_v80", "prompt_tokens": 4)",
         R"("precision": ["bf16", {"prefill": "bf16", "decode": "int8wo"}], "new_tokens": [1, 3])"},
    };
    for (const auto& [defaults, axes] : sweeps) {
        std::string text = readTextFile(m_preset, 1U << 20U).value();
        const auto from = text.find("\"defaults\"");
        const auto to = text.find("\"rounds\"");
        text.replace(from, to - from,
                     "\"defaults\": {" + defaults + R"(, "device": "cpu"}, "axes": {)" + axes +
                         R"(}, "isolation": "model", "noise_floor": false, )");
        const std::string preset = m_folder / "other.json";
        const std::string folder = m_folder / ("run_" + std::to_string(axes.size()));
        writeFile(preset, text);
        const ProgramResult result = runCli({"run", preset, "--out", folder});
        EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
        const RunData data = readRunFolder(folder).value();
        for (const Measurement& row : data.measurements) {
            EXPECT_TRUE(row.ok()) << name(row.status());
            EXPECT_FALSE(row.result.outputs.empty());
            EXPECT_TRUE(row.result.outputsFinite);
            EXPECT_FALSE(anyMismatch(row.result.executed));
        }
        EXPECT_EQ(data.measurements.size(), data.plan.cells.size());
        EXPECT_EQ(runCli({"report", folder, "--csv", "--json", "--md"}).exitCode, 0);
        EXPECT_EQ(runCli({"run", preset, "--out", folder, "--resume"}).exitCode, 0);
    }
}

TEST_F(Cli, ListsDevices)
{
    const ProgramResult result = runCli({"devices"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("cpu"), HasSubstr("threads"), HasSubstr("PyTorch")));
}

TEST_F(Cli, TestsItself)
{
    const ProgramResult result = runCli({"selftest"});
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("cpu: all cells ok; reruns are bit-identical"));
}

// One sweep of two cells that was measured, for all who only look at it or go on with it.
class MeasuredCli : public Cli
{
protected:
    static void SetUpTestSuite()
    {
        s_measured = std::make_unique<TestFolder>();
        writeTinyPreset(*s_measured / "tiny.json");
        const ProgramResult run =
            runCli({"run", *s_measured / "tiny.json", "--out", *s_measured / "run", "--filter",
                    "precision=int8dq", "--filter", "batch=1"});
        ASSERT_EQ(run.exitCode, 0) << run.output << run.errors;
    }
    static void TearDownTestSuite() { s_measured.reset(); }

    MeasuredCli()
    {
        std::filesystem::copy(*s_measured / "run", m_run, std::filesystem::copy_options::recursive);
    }

private:
    static inline std::unique_ptr<TestFolder> s_measured;
};

TEST_F(MeasuredCli, SettlesWhatIsOpen)
{
    const std::size_t before = stored().measurements.size();
    const ProgramResult shown = runCli({"run", "--settle", "2", "--dry-run", "--out", m_run});
    EXPECT_EQ(shown.exitCode, 0) << shown.errors;
    // One round allows no verdict: int8dq is open, and bf16 is what it is compared with.
    EXPECT_THAT(shown.output, HasSubstr("settling 1 of 1 comparison: 2 cells x 2 rounds, about"));
    EXPECT_EQ(stored().measurements.size(), before);

    const ProgramResult more = runCli({"run", "--settle", "2", "--out", m_run});
    ASSERT_EQ(more.exitCode, 0) << more.output << more.errors;
    const RunData data = stored();
    EXPECT_EQ(data.measurements.size(), before + 4);
    ASSERT_EQ(data.plan.looks.size(), 1U);
    const std::filesystem::path out = m_folder / "report";
    ASSERT_EQ(runCli({"report", m_run, "--out", out, "--md", "--json"}).exitCode, 0);
    EXPECT_THAT(readFile(out / "summary.md"), HasSubstr("2 interim analyses"));
    EXPECT_THAT(readFile(out / "report.json"), HasSubstr("\"looks\""));
}

TEST_F(MeasuredCli, WritesReports)
{
    const std::filesystem::path out = m_folder / "report";
    const ProgramResult some = runCli({"report", m_run, "--out", out, "--csv", "--md"});
    ASSERT_EQ(some.exitCode, 0) << some.errors;
    EXPECT_THAT(readFile(out / "cells.csv"), HasSubstr("int8dq"));
    EXPECT_TRUE(std::filesystem::exists(out / "measurements.csv"));
    EXPECT_TRUE(std::filesystem::exists(out / "samples.csv"));
    EXPECT_THAT(readFile(out / "summary.md"), HasSubstr("int8dq"));
    EXPECT_FALSE(std::filesystem::exists(out / "report.json"));
    const std::string bundle = m_folder / "bundle.tar";
    EXPECT_EQ(runCli({"report", m_run, "--out", out, "--json", "--bundle", bundle}).exitCode, 0);
    EXPECT_EQ(readFile(out / "report.json").front(), '{');
    EXPECT_THAT(readFile(bundle), HasSubstr("journal.jsonl"));
    EXPECT_THAT(readFile(out / "environment.json"), HasSubstr("\"commit\""));
    EXPECT_THAT(readFile(out / "cells.csv"), Not(HasSubstr("million_units_cost")));
    EXPECT_EQ(runCli({"report", m_run, "--out", out, "--csv", "--price", "2.5:USD"}).exitCode, 0);
    EXPECT_THAT(readFile(out / "cells.csv"),
                AllOf(HasSubstr("million_units_cost"), HasSubstr(",USD,2.5,")));
    const ProgramResult full = runCli({"report", m_run, "--out", out}, {.output = "/dev/full"});
    EXPECT_EQ(full.exitCode, 1);
    EXPECT_THAT(full.errors, HasSubstr("standard output cannot be written"));
    EXPECT_EQ(runCli({"report", m_run, "--price", "2.5"}).exitCode, 2);
    EXPECT_EQ(runCli({"report", m_folder.path()}).exitCode, 2) << "not a run folder";
    EXPECT_EQ(runCli({"report", m_run, "--baseline", "no-such-cell"}).exitCode, 2);
}

}  // namespace
