// quantscope-cli and quantscope-worker from end to end on the CPU.

#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "tests/cli/running_program.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include <algorithm>
#include <map>
#include <set>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Cli : public testing::Test
{
protected:
    Cli() { writeTinyPreset(m_preset); }

    [[nodiscard]] ProgramResult run(const std::vector<std::string>& more) const
    {
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    // The exit code of a run that is interrupted once a row is there.
    [[nodiscard]] int stopAfterOneCell(const std::vector<std::string>& more) const
    {
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        RunningProgram program(arguments);
        EXPECT_TRUE(program.waitForOutput("round 1 ·"));
        program.signal(SIGINT);
        const ProgramResult result = program.finish();
        EXPECT_THAT(result.output, HasSubstr("--resume"));
        return result.exitCode;
    }
    [[nodiscard]] RunData stored() const { return readRunFolder(m_run).value(); }

    TestFolder m_folder;
    std::string m_preset = m_folder / "tiny.json";
    std::string m_run = m_folder / "run";
};

TEST_F(Cli, ExplainsItselfAndRefusesNonsense)
{
    const ProgramResult help = runCli({"--help"});
    EXPECT_EQ(help.exitCode, 0);
    EXPECT_THAT(help.output, AllOf(HasSubstr("selftest"), HasSubstr("75 stopped early")));
    EXPECT_THAT(runCli({"--version"}).output, HasSubstr("QuantScope"));
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{},
                                               {"fly"},
                                               {"run"},
                                               {"run", m_preset},
                                               {"run", "missing.json", "--out", m_run},
                                               {"run", m_preset, "--max-time", "-1"},
                                               {"run", "--resume"},
                                               {"run", "--resume", "--out", m_run},
                                               {"inspect"},
                                               {"inspect", "vitok:no-such-model"},
                                               {"preset", "check"}}) {
        const ProgramResult result = runCli(arguments);
        EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.errors, Not(IsEmpty())) << testing::PrintToString(arguments);
    }
    EXPECT_FALSE(std::filesystem::exists(m_run));
}

TEST_F(Cli, ChecksPresets)
{
    const ProgramResult good = runCli({"preset", "check", m_preset});
    EXPECT_EQ(good.exitCode, 0) << good.errors;
    EXPECT_THAT(good.output, HasSubstr("6 cells x 1 rounds"));
    const std::string broken = dataFile("broken/presets/batch_zero.json");
    const ProgramResult bad = runCli({"preset", "check", m_preset, broken});
    EXPECT_EQ(bad.exitCode, 2);
    EXPECT_THAT(bad.errors, AllOf(HasSubstr("batch_zero.json"), HasSubstr("$.axes.batch")));
    EXPECT_THAT(bad.output, HasSubstr("good")) << "the other file is judged all the same";
}

// What would only come out when it is run.
TEST_F(Cli, ChecksWhatARunWouldSay)
{
    const auto variant = [&](const std::string& old, const std::string& wish) {
        std::string text = readFile(m_preset);
        const auto at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        const std::string file = m_folder / "variant.json";
        writeFile(file, text.replace(at, old.size(), wish));
        return runCli({"preset", "check", file});
    };
    const std::string model = "vitok:w64_d1_h2-w48_d2_h3/1x8x16";
    const ProgramResult noModel = variant(model, "../../etc/shadow-of-a-model");
    EXPECT_EQ(noModel.exitCode, 2);
    EXPECT_THAT(noModel.errors, HasSubstr("there is no such file or folder"));
    const ProgramResult many = variant("[1, 2]", "\"1..1000\", \"seed\": \"1..1000\"");
    EXPECT_EQ(many.exitCode, 2) << many.output;
    EXPECT_THAT(many.errors, HasSubstr("100,000 are the most"));
    const ProgramResult some = variant("[1, 2]", "\"1..1000\", \"seed\": \"1..10\"");
    EXPECT_EQ(some.exitCode, 0) << some.errors;
    EXPECT_THAT(some.output, HasSubstr("a run of so many needs --yes"));
    const ProgramResult none = variant("\"image_size\": 32", "\"image_size\": 8192");
    EXPECT_EQ(none.exitCode, 3) << none.output;
    EXPECT_THAT(none.errors, AllOf(HasSubstr("cells can run"), HasSubstr("4096 px are the most")));
    const ProgramResult noImages = variant("\"procedural\"", "\"/no/such/folder\"");
    EXPECT_EQ(noImages.exitCode, 2);
    EXPECT_THAT(noImages.errors, HasSubstr("$.pictures.source"));
    const ProgramResult huge = variant("\"tiny\"", std::string(100'000, '1'));
    EXPECT_EQ(huge.exitCode, 2);
    EXPECT_LT(huge.errors.size(), 600U);
}

TEST_F(Cli, SaysWhatDoesNotFitBeforeItRuns)
{
    // 4096 images of 4096 px: a terabyte.
    const std::string large = m_folder / "large.json";
    std::string text = readFile(m_preset);
    for (const auto& [old, wish] : std::map<std::string, std::string>{
             {"\"image_size\": 32", "\"image_size\": 4096"}, {"\"count\": 2", "\"count\": 4096"}})
        text.replace(text.find(old), old.size(), wish);
    writeFile(large, text);
    std::vector<std::string> arguments{"run", large, "--out", m_run, "--filter", "batch=1"};
    const ProgramResult refused = runCli(arguments);
    EXPECT_EQ(refused.exitCode, 3) << refused.errors;
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("on disk"), HasSubstr("free")));
    EXPECT_FALSE(std::filesystem::exists(m_run));
    arguments.push_back("--dry-run");
    const ProgramResult shown = runCli(arguments);
    EXPECT_EQ(shown.exitCode, 3);
    EXPECT_THAT(shown.output, HasSubstr("of memory for images"));
    EXPECT_EQ(shown.errors, refused.errors) << "in the same words";
}

TEST_F(Cli, NamesWhatTellsCellsApart)
{
    const ProgramResult result =
        run({"--set", "seed=1,2", "--filter", "precision=int8dq", "--filter", "batch=1"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr(" · seed 1"), HasSubstr(" · seed 2")));
    EXPECT_THAT(run({"--dry-run", "--set", "seed=1,2"}).output, HasSubstr(" · seed 2"));
}

TEST_F(Cli, ShowsAPlanWithoutRunningIt)
{
    const ProgramResult plan = run({"--dry-run"});
    EXPECT_EQ(plan.exitCode, 0) << plan.errors;
    EXPECT_THAT(plan.output, AllOf(HasSubstr("int8dq"), HasSubstr("batch 2"), HasSubstr("about")));
    EXPECT_FALSE(std::filesystem::exists(m_run));
    const ProgramResult impossible = run({"--dry-run", "--device", "cuda:15"});
    EXPECT_EQ(impossible.exitCode, 3);
    EXPECT_THAT(impossible.output, HasSubstr("impossible: "));
}

TEST_F(Cli, RefusesWrongFiltersAndSettings)
{
    for (const auto& more :
         std::vector<std::vector<std::string>>{{"--filter", "speed=fast"},
                                               {"--filter", "precision=fp16"},
                                               {"--set", "rounds=many"},
                                               {"--set", "batch=0"},
                                               {"--model", "vitok:nothing"},
                                               {"--images", "/no/such/folder"}}) {
        const ProgramResult result = run(more);
        EXPECT_EQ(result.exitCode, 2) << more.back() << ": " << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("quantscope-cli: "));
    }
}

// Every cell is compared with its reference, picture by picture; a rerun of the reference in
// another process gives the same bits.
void checkQualities(const RunData& data)
{
    std::map<std::string, int> compared;
    int goldens = 0;  // comparisons with the fp32 golden run
    for (const PictureQuality& quality : data.qualities) {
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
        EXPECT_EQ(quality.relativeL2 == 0.0, cell->rerun > 0) << quality.cellId;
        ++compared[quality.cellId];
    }
    for (const PlannedCell& cell : data.plan.cells)
        EXPECT_EQ(compared[cell.id], cell.id == cell.referenceId ? 0 : 2)
            << precisionText(cell.config);
    EXPECT_GT(goldens, 0);
}

TEST_F(Cli, RunsASweep)
{
    const ProgramResult result = run({});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("round 1"));
    EXPECT_THAT(result.output, Not(HasSubstr("\x1b"))) << "no escape sequences in a pipe";
    const RunData data = stored();
    std::map<std::string, int> rows;
    for (const Measurement& row : data.measurements) {
        EXPECT_TRUE(row.ok()) << row.reason;
        EXPECT_GE(row.result.hostSeconds.size(), 3U);
        EXPECT_EQ(row.result.outputs.size(), 2U);
        EXPECT_FALSE(row.result.executed.empty());
        ++rows[row.cellId];
    }
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(data.plan.possibleCells()));
    EXPECT_EQ(data.events.back().kind, "complete");
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

TEST_F(Cli, FiltersAndOverrides)
{
    const ProgramResult result =
        run({"--filter", "precision=int8dq", "--filter", "batch=2", "--set", "rounds=2"});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    const RunData data = stored();
    int swept = 0;
    for (const PlannedCell& cell : data.plan.cells) {
        EXPECT_EQ(cell.config.batch, 2);
        swept += cell.role == CellRole::Swept ? 1 : 0;
    }
    EXPECT_EQ(swept, 1);
    EXPECT_EQ(data.measurements.size(), 2 * data.plan.cells.size());
    EXPECT_FALSE(data.qualities.empty()) << "the reference is still there";
}

TEST_F(Cli, AppendsToARun)
{
    ASSERT_EQ(run({"--filter", "precision=int8dq", "--filter", "batch=1"}).exitCode, 0);
    const std::size_t before = stored().measurements.size();
    const ProgramResult more = run({"--append", "--filter", "precision=int8dq"});
    ASSERT_EQ(more.exitCode, 0) << more.output << more.errors;
    EXPECT_THAT(more.output, HasSubstr("appended"));
    const RunData data = stored();
    EXPECT_EQ(data.plan.appended.size(), 1U);
    EXPECT_GT(data.measurements.size(), before);
    EXPECT_EQ(data.plan.cells.back().config.batch, 2);
    const ProgramResult nothing = run({"--append", "--filter", "precision=int8dq"});
    EXPECT_EQ(nothing.exitCode, 2) << nothing.output;
    EXPECT_THAT(nothing.errors, HasSubstr("in this run already"));
    EXPECT_EQ(stored().measurements.size(), data.measurements.size());
    const ProgramResult both = run({"--append", "--resume"});
    EXPECT_EQ(both.exitCode, 2);
    EXPECT_THAT(both.errors, HasSubstr("two things"));
}

TEST_F(Cli, SettlesWhatIsOpen)
{
    ASSERT_EQ(run({"--filter", "precision=int8dq", "--filter", "batch=1"}).exitCode, 0);
    const std::size_t before = stored().measurements.size();
    const ProgramResult shown = runCli({"run", "--settle", "2", "--dry-run", "--out", m_run});
    EXPECT_EQ(shown.exitCode, 0) << shown.errors;
    // One round allows no verdict: int8dq is open, and bf16 is what it is compared with.
    EXPECT_THAT(shown.output, HasSubstr("settling 1 of 1 comparisons: 2 cells x 2 rounds, about"));
    EXPECT_EQ(stored().measurements.size(), before);

    const ProgramResult more = runCli({"run", "--settle", "2", "--out", m_run});
    ASSERT_EQ(more.exitCode, 0) << more.output << more.errors;
    const RunData data = stored();
    EXPECT_EQ(data.measurements.size(), before + 4);
    ASSERT_EQ(data.plan.looks.size(), 1U);
    const std::filesystem::path out = m_folder / "report";
    ASSERT_EQ(runCli({"report", m_run, "--out", out, "--md", "--json"}).exitCode, 0);
    EXPECT_THAT(readFile(out / "summary.md"), HasSubstr("Settled in 2 looks"));
    EXPECT_THAT(readFile(out / "report.json"), HasSubstr("\"looks\""));
}

TEST_F(Cli, SettleSaysWhyItCannot)
{
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"run", "--settle", "0", "--out", m_run},
             {"run", "--settle", "1000", "--out", m_run},
             {"run", "--settle", "2"},
             {"run", "--settle", "2", "--out", m_run},
             {"run", m_preset, "--settle", "2", "--out", m_run},
             {"run", "--settle", "2", "--resume", "--out", m_run}}) {
        const ProgramResult result = runCli(arguments);
        EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.errors, Not(IsEmpty())) << testing::PrintToString(arguments);
    }
    EXPECT_FALSE(std::filesystem::exists(m_run));
    ASSERT_EQ(stopAfterOneCell({"--filter", "precision=int8dq"}), 75);
    const ProgramResult early = runCli({"run", "--settle", "2", "--out", m_run});
    EXPECT_EQ(early.exitCode, 2);
    EXPECT_THAT(early.errors, HasSubstr("nothing to settle"));
}

TEST_F(Cli, GoesOnWhereItWasStopped)
{
    ASSERT_EQ(stopAfterOneCell({}), 75);
    const std::size_t before = stored().measurements.size();
    const ProgramResult rest = runCli({"run", "--resume", "--out", m_run});
    ASSERT_EQ(rest.exitCode, 0) << rest.output << rest.errors;
    const RunData data = stored();
    EXPECT_LT(before, data.measurements.size());
    std::set<std::pair<std::string, int>> keys;
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(keys.insert({row.cellId, row.round}).second);
    EXPECT_EQ(keys.size(), static_cast<std::size_t>(data.plan.possibleCells()));
}

TEST_F(Cli, SaysThatNothingCanRunHere)
{
    const ProgramResult result = run({"--device", "cuda:15"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("impossible"));
}

TEST_F(Cli, NamesTheSameCellAgain)
{
    const ProgramResult result =
        run({"--set", "noise_floor=true", "--filter", "precision=int8dq", "--filter", "batch=1"});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("bf16 · none · batch 1"));
    EXPECT_THAT(result.output, HasSubstr("bf16 · none · again · batch 1"));
}

TEST_F(Cli, WritesReports)
{
    ASSERT_EQ(run({"--filter", "precision=int8dq", "--filter", "batch=1"}).exitCode, 0);
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
    EXPECT_THAT(readFile(out / "cells.csv"), Not(HasSubstr("million_pictures_cost")));
    EXPECT_EQ(runCli({"report", m_run, "--out", out, "--csv", "--price", "2.5:USD"}).exitCode, 0);
    EXPECT_THAT(readFile(out / "cells.csv"),
                AllOf(HasSubstr("million_pictures_cost"), HasSubstr(",USD,2.5,")));
    EXPECT_EQ(runCli({"report", m_run, "--price", "2.5"}).exitCode, 2);
    EXPECT_EQ(runCli({"report", m_folder.path()}).exitCode, 2) << "no run folder";
    EXPECT_EQ(runCli({"report", m_run, "--baseline", "no-such-cell"}).exitCode, 2);
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
    EXPECT_THAT(result.output, HasSubstr("gate fails: int8dq · none · batch 1: process"));
    EXPECT_THAT(result.errors, HasSubstr("tested on no cell: without trained weights"));
    EXPECT_EQ(runCli({"report", m_run, "--fail-on", "process_peak < 1000 GiB"}).exitCode, 0);
    // One repeat shows nothing about a time.
    const ProgramResult once = runCli({"report", m_run, "--fail-on", "latency < 1000 s"});
    EXPECT_EQ(once.exitCode, 1);
    EXPECT_THAT(once.output, HasSubstr("gate is undecided: int8dq · none · batch 1: "
                                       "latency < 1000 s: an interval needs 3 repeats"));
    EXPECT_EQ(
        runCli({"report", m_run, "--fail-on", "latency < 1000 s", "--undecided", "pass"}).exitCode,
        0);
    EXPECT_EQ(runCli({"report", m_run, "--undecided", "maybe"}).exitCode, 2);
    EXPECT_THAT(runCli({"report", "--help"}).output, HasSubstr("--undecided"));
}

TEST_F(Cli, InspectsModels)
{
    const ProgramResult result = runCli({"inspect", "vitok:350M-f16x64"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("354,548,032"), HasSubstr("stage encoder"),
                                     HasSubstr("stage decoder")));
    const ProgramResult table = runCli(
        {"inspect", "vitok:350M-f16x64", "--precision", "int8dq", "--layers", "mlp", "--table"});
    EXPECT_EQ(table.exitCode, 0) << table.errors;
    EXPECT_THAT(table.output, AllOf(HasSubstr("matched"), HasSubstr("skipped: ")));
    EXPECT_EQ(runCli({"inspect", "demo"}).exitCode, 0) << "the shipped model";
    const ProgramResult machine = runCli(
        {"inspect", "vitok:350M-f16x64", "--precision", "int8dq", "--layers", "mlp", "--json"});
    EXPECT_EQ(machine.exitCode, 0) << machine.errors;
    const Json json = Json::parse(machine.output);
    EXPECT_EQ(json.at("parameters"), 354'548'032);
    EXPECT_EQ(json.at("stages").at(0).at("name"), "encoder");
    EXPECT_FALSE(json.at("trained_weights"));
    EXPECT_TRUE(json.at("weights_file_bytes").is_null());
    const Json& layers = json.at("layers");
    EXPECT_EQ(std::count_if(layers.begin(), layers.end(),
                            [](const Json& layer) { return layer.at("matched") == true; }),
              std::count_if(layers.begin(), layers.end(),
                            [](const Json& layer) { return layer.at("scheme") == "int8dq"; }));
    EXPECT_EQ(runCli({"inspect", "demo", "--precision", "int3"}).exitCode, 2);
    EXPECT_EQ(runCli({"inspect", "demo", "--size", "image_size=33"}).exitCode, 2);
}

TEST_F(Cli, InspectsModelsBeyondImages)
{
    const ProgramResult text = runCli({"inspect", "llama:tiny", "--size", "prompt_tokens=16"});
    EXPECT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_THAT(text.output, AllOf(HasSubstr("stage prefill"), HasSubstr("autoregressive"),
                                   HasSubstr("16 prompt tokens"), Not(HasSubstr("px"))));
    const ProgramResult machine = runCli({"inspect", "resnet:18/10", "--json"});
    EXPECT_EQ(machine.exitCode, 0) << machine.errors;
    const Json json = Json::parse(machine.output);
    EXPECT_EQ(json.at("parameters"), 11'181'642);
    EXPECT_EQ(json.at("sizes"), Json({{"image_size", 224}}));
    EXPECT_EQ(json.at("kind_of_output"), "classes");
    EXPECT_EQ(json.at("layers").size(), 21U);
    EXPECT_EQ(runCli({"inspect", "llama:tiny", "--size", "image_size=32"}).exitCode, 2);
    EXPECT_EQ(runCli({"inspect", "llama:tiny", "--size", "prompt_tokens"}).exitCode, 2);
    EXPECT_EQ(runCli({"inspect", "llama:tiny", "--size", "prompt_tokens=4096"}).exitCode, 2);
}

// From preset to report, without an image where there is none.
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
                         "}, ");
        const std::string preset = m_folder / "other.json";
        const std::string folder = m_folder / ("run_" + std::to_string(axes.size()));
        writeFile(preset, text);
        const ProgramResult result = runCli({"run", preset, "--out", folder});
        EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
        const RunData data = readRunFolder(folder).value();
        for (const Measurement& row : data.measurements) {
            EXPECT_TRUE(row.ok()) << row.reason;
            EXPECT_FALSE(row.result.outputs.empty());
            EXPECT_TRUE(row.result.outputsFinite);
            EXPECT_EQ(row.result.executed.find("MISMATCH"), std::string::npos)
                << row.result.executed;
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

TEST_F(Cli, SaysThatTheEngineIsMissing)
{
    ::setenv("QUANTSCOPE_WORKER", "/nowhere/quantscope-worker", 1);
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"devices"}, {"selftest"}, {"run", m_preset, "--out", m_run}}) {
        const ProgramResult result = runCli(arguments);
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("/nowhere/quantscope-worker"));
    }
    ::unsetenv("QUANTSCOPE_WORKER");
    EXPECT_FALSE(std::filesystem::exists(m_run));
}

TEST_F(Cli, TestsItself)
{
    const ProgramResult result = runCli({"selftest"});
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("cpu: all cells ran; reruns are bit-identical"));
}

}  // namespace
