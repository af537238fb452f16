// What the command line does around a sweep. The worker is a fake: nothing is measured.

#include "tests/cli/cli_fixture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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
    EXPECT_THAT(good.output, HasSubstr("6 cells x 1 round"));
    const std::string broken = dataFile("broken/presets/batch_zero.json");
    const ProgramResult bad = runCli({"preset", "check", m_preset, broken});
    EXPECT_EQ(bad.exitCode, 2);
    EXPECT_THAT(bad.errors, AllOf(HasSubstr("batch_zero.json"), HasSubstr("$.axes.batch")));
    EXPECT_THAT(bad.output, HasSubstr("tiny.json: ok")) << "the other file is judged all the same";
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
        const ProgramResult checked = runCli({"preset", "check", file});
        if (checked.exitCode != 0) {
            const ProgramResult tried = runCli({"run", file, "--out", m_run});
            EXPECT_EQ(tried.exitCode, checked.exitCode) << wish;
            const std::string place = "quantscope-cli: ";
            EXPECT_THAT(tried.errors, testing::StartsWith(place));
            EXPECT_THAT(checked.errors, testing::EndsWith(tried.errors.substr(place.size())));
        }
        return checked;
    };
    const std::string model = "vitok:w64_d1_h2-w48_d2_h3/1x8x16";
    const ProgramResult noModel = variant(model, "../../etc/shadow-of-a-model");
    EXPECT_EQ(noModel.exitCode, 2);
    EXPECT_THAT(noModel.errors, HasSubstr("no such file or folder"));
    const ProgramResult many = variant("[1, 2]", "\"1..1000\", \"seed\": \"1..1000\"");
    EXPECT_EQ(many.exitCode, 2) << many.output;
    EXPECT_THAT(many.errors, HasSubstr("100,000 are the most"));
    const ProgramResult some = variant("[1, 2]", "\"1..1000\", \"seed\": \"1..10\"");
    EXPECT_EQ(some.exitCode, 0) << some.errors;
    EXPECT_THAT(some.output, HasSubstr("a run of this size needs --yes"));
    const ProgramResult none = variant("\"image_size\": 32", "\"image_size\": 8192");
    EXPECT_EQ(none.exitCode, 3) << none.output;
    EXPECT_THAT(none.errors,
                AllOf(HasSubstr("no cell can run"), HasSubstr("4096 px are the most")));
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
    EXPECT_THAT(nothing.errors, HasSubstr("already in this run"));
    EXPECT_EQ(stored().measurements.size(), data.measurements.size());
    const ProgramResult both = run({"--append", "--resume"});
    EXPECT_EQ(both.exitCode, 2);
    EXPECT_THAT(both.errors, HasSubstr("exclude each other"));
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

// A broken image stops nothing; it is named while the sweep runs, in the run and in its report.
TEST_F(Cli, LeavesOutABrokenImageAndSaysSo)
{
    const std::filesystem::path images = m_folder / "images";
    std::filesystem::create_directory(images);
    const std::filesystem::path good = dataFile("../resources/test_images");
    std::filesystem::copy(good / "01 dead-leaves.png", images / "a.png");
    std::filesystem::copy(good / "02 portrait.png", images / "c.png");
    const std::string whole = readFile(images / "a.png");
    writeFile(images / "b.png", whole.substr(0, whole.size() / 2));
    const ProgramResult result =
        run({"--images", images.string(), "--filter", "precision=int8dq", "--filter", "batch=1"});
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output + result.errors, HasSubstr("b.png"));
    const RunData data = stored();
    const bool told = std::any_of(data.events.begin(), data.events.end(), [](const RunEvent& each) {
        return std::any_of(each.notes.begin(), each.notes.end(), [](const Note& note) {
            return note.code == NoteCode::ImagesLeftOut && note.number(0) == 1.0;
        });
    });
    EXPECT_TRUE(told);
    const std::string report = m_folder / "report";
    ASSERT_EQ(runCli({"report", m_run, "--out", report}).exitCode, 0);
    EXPECT_THAT(readFile(report + "/summary.md"), HasSubstr("b.png"));
}

TEST_F(Cli, SaysThatNothingCanRunHere)
{
    const ProgramResult result = run({"--device", "cuda:15"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("no cell can run"));
    EXPECT_FALSE(std::filesystem::exists(m_run));
}

TEST_F(Cli, NamesTheSameCellAgain)
{
    const ProgramResult result =
        run({"--set", "noise_floor=true", "--filter", "precision=int8dq", "--filter", "batch=1"});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("bf16 · eager · batch 1"));
    EXPECT_THAT(result.output, HasSubstr("bf16 · eager · again · batch 1"));
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
    EXPECT_THAT(text.output, HasSubstr("new_tokens 0 …")) << "up to what is not known";
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

// Its rows stay as they came, packed.
TEST_F(Cli, WhatCannotRunHereChangesNoRun)
{
    const std::filesystem::path example =
        std::filesystem::path(std::getenv("QUANTSCOPE_RESOURCES")) /
        "example_runs/llama_1b_subsets_h200";
    std::filesystem::copy(example, m_run);
    for (const char* file : {"plan.json", "journal.jsonl.gz"})
        std::filesystem::permissions(std::filesystem::path(m_run) / file,
                                     std::filesystem::perms::owner_write,
                                     std::filesystem::perm_options::add);
    const ProgramResult result = runCli({"regions", m_run});
    EXPECT_EQ(result.exitCode, 3) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("cuda:0"));
    for (const char* file : {"plan.json", "journal.jsonl.gz", "environment.json"})
        EXPECT_EQ(readFile(std::filesystem::path(m_run) / file), readFile(example / file)) << file;
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
    useFakeWorker();
    EXPECT_FALSE(std::filesystem::exists(m_run));
}

}  // namespace
