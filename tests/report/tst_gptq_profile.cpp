// The files of llm-compressor's benchmark of GPTQ.
#include "core/report/profiles/export_profile.h"

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/record/run_folder.h"
#include "core/record/token_array.h"
#include "core/report/environment_text.h"
#include "core/report/report.h"
#include "core/report/words/stage_text.h"
#include "tests/analysis/analysis_data.h"
#include "tests/report/profile_runs.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::contentOf;
using tests::fileOf;
using tests::gptqRun;
using tests::TestFolder;
using tests::valueOf;

TEST(GptqProfile, RunsAreThoseOfTheDocument)
{
    RunData data = gptqRun();
    ASSERT_EQ(data.plan.cells[1].id, "improved");
    data.plan.cells[1].config.precision = {"gptq-int4-128:by=compiled"};
    ASSERT_EQ(data.measurements.front().cellId, "straight");
    data.measurements.front().result.firstSampleSeconds = 901.25;
    const ProfileContent content = contentOf("gptq-benchmark", data);
    ASSERT_EQ(content.tables.size(), 5U) << "passes are no runs";
    const ProfileRecord& baseline = content.tables[0].records[0];
    const Json& stats = valueOf(baseline, "variance_stats").value;
    EXPECT_DOUBLE_EQ(stats["mean"], 879.3166763039999);
    EXPECT_DOUBLE_EQ(stats["stddev"], 8.399938464786358);
    EXPECT_DOUBLE_EQ(stats["cv"], 0.9552802410268753);
    EXPECT_EQ(stats["p90"], stats["max"]);
    EXPECT_EQ(stats["p99"], stats["max"]);
    const ProfileRecord& compiled = content.tables[1].records[0];
    EXPECT_DOUBLE_EQ(valueOf(compiled, "compile_overhead").value, 34.938045267500456);
    EXPECT_TRUE(valueOf(compiled, "compile_stats").value.is_null());
    EXPECT_EQ(content.texts.at(0).file, "artifacts/qwen3b/summary.md");
    const std::string& text = content.texts.at(0).text;
    EXPECT_THAT(text, HasSubstr("| baseline | 14m 33.4s | 14m 39.3s |"))
        << "the discarded sample is no run";
    EXPECT_THAT(text, HasSubstr("| compiled | 8m 32.5s | 7m 57.6s |"));
    EXPECT_THAT(text, HasSubstr("| 34.9s |")) << "less than a minute";
    EXPECT_THAT(text, HasSubstr("1.84x"));
    EXPECT_THAT(text, HasSubstr("| q\\_proj | 1 | 0.5 s | 2 | 4x |"));
}

// Of one model, however many rounds quantized it.
TEST(GptqProfile, LayersByTypeStandInTheReportToo)
{
    RunData data = gptqRun();
    data.plan.preset.rounds = 2;
    data.measurements.push_back(data.measurements.front());
    data.measurements.back().round = 1;
    const std::string line = "q\\_proj | 2 | 2 s | 3 | – | 4 s |";
    EXPECT_THAT(contentOf("gptq-benchmark", data).texts.at(0).text, HasSubstr(line));
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr(line));
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr("<section id=\"layer-types\""));

    for (PlannedCell& cell : data.plan.cells)
        cell.config.workload = "pass";
    const Analysis passes = analyse(data, "bf16-eager");
    EXPECT_THAT(reportHtml(data, passes), testing::Not(HasSubstr("layer-types")));
}

TEST(GptqProfile, PartsOfSolvingAreCalledWhatTheyDo)
{
    RunData data = gptqRun();
    const auto titleOf = [&](const char* part) {
        return stageTitle(part, analyse(data, "bf16-eager"));
    };
    const std::string calibrates = titleOf("calibrate");
    EXPECT_NE(calibrates, "calibrate");
    EXPECT_NE(titleOf("quantize"), "quantize");
    EXPECT_EQ(titleOf("load"), "load");
    for (Measurement& row : data.measurements) {
        for (const char* part : {"load", "calibrate", "quantize"})
            row.result.stages.push_back({part, {1.0}, std::nullopt});
    }
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "bf16-eager")),
                HasSubstr("| " + calibrates + " |"));
    data.plan.cells[0].config.precision = {"int8dq"};
    EXPECT_EQ(titleOf("calibrate"), "calibrate") << "not all is solved";
    EXPECT_EQ(titleOf("quantize"), "quantize");
}

TEST(GptqProfile, WhatCompilesNothingHasNoOverheadOfIt)
{
    const ProfileContent content = contentOf("gptq-benchmark", gptqRun());
    const ProfileRecord& record = fileOf(content, "compiled.json");
    EXPECT_DOUBLE_EQ(valueOf(record, "cold_time").value, 512.532402752);
    EXPECT_TRUE(valueOf(record, "compile_overhead").value.is_null());
    EXPECT_FALSE(valueOf(record, "compile_overhead").reason.empty());
    const std::string& text = content.texts.at(0).text;
    EXPECT_THAT(text, HasSubstr("| improved | 7m 58.0s | 7m 57.6s |")) << "its Run 1";
    EXPECT_THAT(text, testing::Not(HasSubstr("34.9s")));
}

TEST(GptqProfile, CostIsThatOfThePriceOrWhyThereIsNone)
{
    RunData data = gptqRun();
    const auto summary = [&] { return contentOf("gptq-benchmark", data).texts.at(0).text; };
    EXPECT_THAT(summary(), HasSubstr("## Cost\n\nNot known"));
    EXPECT_THAT(summary(), HasSubstr("--price"));
    data.plan.preset.price = {.perDeviceHour = 36.0, .currency = "EUR"};
    // 879.3 s of the baseline.
    EXPECT_THAT(summary(), HasSubstr("8.793 EUR"));
    EXPECT_THAT(summary(), testing::Not(HasSubstr("Not known")));
}

// The improved cell as one that Inductor compiled.
RunData compiledGptqRun(const std::filesystem::path& folder)
{
    RunData data = gptqRun();
    data.folder = folder;
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == "improved")
            cell.config.precision = {"gptq-int4-128:by=compiled"};
        cell.output = OutputKind::Logits;
    }
    for (Measurement& row : data.measurements) {
        if (row.cellId == "improved")
            row.result.compiles = {{.stage = "columns", .coldSeconds = 40.0, .warmSeconds = 12.0}};
        row.result.outputs = {{0, "output_0.npy", "x"}};
    }
    for (const auto& [id, last] : {std::pair{"straight", 2.0F}, std::pair{"improved", 2.25F}}) {
        std::filesystem::create_directories(folder / "cells" / id);
        EXPECT_TRUE(writeNpy(outputArray(folder, id, 0), {{1, 2}, {1.0F, last}}).ok());
        EXPECT_TRUE(
            writeNpy(tokenArray(folder, id, TokenFile::Generated, 0), {{2}, {7.0F, 8.0F}}).ok());
        EXPECT_TRUE(writeNpy(tokenArray(folder, id, TokenFile::Prompt, 0), {{1}, {3.0F}}).ok());
    }
    return data;
}

TEST(GptqProfile, SettingsAreThoseOfWhatWasCompiled)
{
    const TestFolder folder;
    const ProfileContent content = contentOf("gptq-benchmark", compiledGptqRun(folder.path()));
    const ProfileRecord& environment = fileOf(content, "env_info.json");
    EXPECT_EQ(valueOf(environment, "compile_settings").value["backend"], "inductor");
    EXPECT_EQ(valueOf(environment, "compile_settings").value["dynamic"], true);
    const std::string python = valueOf(environment, "python_version").reason;
    const Json& stats = valueOf(fileOf(content, "compiled.json"), "compile_stats").value;
    EXPECT_EQ(stats["inductor"]["cold_seconds"], 40.0);
    for (const char* counter : {"dynamo", "num_graphs", "frames_compiled", "graph_breaks"})
        EXPECT_TRUE(stats[counter].is_null()) << counter;

    const ProfileContent plain = contentOf("gptq-benchmark", gptqRun());
    const ProfileRecord& without = fileOf(plain, "env_info.json");
    EXPECT_TRUE(valueOf(without, "compile_settings").value.is_null());
    EXPECT_NE(valueOf(without, "python_version").reason, python) << "no Python took part";

    RunData known = compiledGptqRun(folder.path());
    known.environments.resize(1);
    known.environments[0].compiler["python"] = "3.12.3";
    for (Measurement& row : known.measurements)
        row.environmentId = known.environments[0].id();
    EXPECT_EQ(valueOf(fileOf(contentOf("gptq-benchmark", known), "env_info.json"), "python_version")
                  .value,
              "3.12.3");
}

TEST(GptqProfile, CountersAreThoseOfAPeerThatCompiledTheSame)
{
    const TestFolder folder;
    const RunData data = compiledGptqRun(folder.path());
    std::filesystem::create_directories(folder.path() / "peers");
    const Json row = {{"precision", "gptq-int4-128:by=compiled"},
                      {"mode", "inductor-default"},
                      {"batch", 1},
                      {"units_per_pass", 1},
                      {"status", "ok"},
                      {"passes_per_sample", 1},
                      {"rounds", Json::array({Json::array({1.0})})},
                      {"first_call_seconds", nullptr},
                      {"quantized_layers", 1},
                      {"output_distance", nullptr},
                      {"counters",
                       {{"frames", 3},
                        {"frames_compiled", 2},
                        {"unique_graphs", 2},
                        {"calls_captured", 6406},
                        {"graph_breaks", Json::array({{{"reason", "a print"}, {"count", 4}}})}}}};
    const Json peer = {{"schema_version", 1},
                       {"program", "torch.compile"},
                       {"version", "2.11.0"},
                       {"made_at", ""},
                       {"made_by", "a script"},
                       {"environment", Json::object()},
                       {"model", "llama:qwen2.5-3b"},
                       {"model_content", ""},
                       {"layers", "all"},
                       {"sizes", Json::object()},
                       {"unit", "token"},
                       {"rows", Json::array({row})}};
    ASSERT_TRUE(writeFileAtomically(folder.path() / "peers/torch.json", jsonText(peer, 2)).ok());
    const ProfileContent content = contentOf("gptq-benchmark", data);
    const Json& stats = valueOf(fileOf(content, "compiled.json"), "compile_stats").value;
    EXPECT_EQ(stats["num_graphs"], 2);
    EXPECT_EQ(stats["graph_breaks"], 4);
    EXPECT_EQ(stats["dynamo"]["calls_captured"], 6406);
    EXPECT_EQ(stats["dynamo"]["frames_total"], 3);
    EXPECT_THAT(content.texts.at(0).text, HasSubstr("| 1 | 0.25 |"));
}

TEST(GptqProfile, TextsOfUntrainedWeightsAreADeviation)
{
    const TestFolder folder;
    RunData data = compiledGptqRun(folder.path());
    const auto reasonOf = [&](const std::string& field) {
        const ProfileContent content = contentOf("gptq-benchmark", data);
        const ProfileValue& value = valueOf(fileOf(content, "numerical_check.json"), field);
        EXPECT_FALSE(value.value.is_null()) << field;
        return value.reason;
    };
    for (const char* field :
         {"logit_max_diff", "logit_mean_diff", "token_match_rate", "all_outputs_identical"}) {
        for (PlannedCell& cell : data.plan.cells)
            cell.trained = false;
        EXPECT_THAT(reasonOf(field), HasSubstr("random weights")) << field;
        for (PlannedCell& cell : data.plan.cells)
            cell.trained = true;
        EXPECT_THAT(reasonOf(field), testing::Not(HasSubstr("random weights"))) << field;
    }
}

TEST(GptqProfile, SummaryHasTheDifferenceOfTheLogits)
{
    const TestFolder folder;
    const ProfileContent content = contentOf("gptq-benchmark", compiledGptqRun(folder.path()));
    EXPECT_THAT(content.texts.at(0).text, HasSubstr("| – | 0.25 |")) << "nobody counted recompiles";
    EXPECT_THAT(content.texts.at(0).text, testing::Not(HasSubstr("reasons.json")));
}

// As examples are, which keep journals alone.
TEST(GptqProfile, OutputsThatAreNotThereAreNoFileOfThisMachine)
{
    const TestFolder folder;
    const RunData data = compiledGptqRun(folder.path());
    const auto reasonOf = [&](const char* field) {
        const ProfileContent content = contentOf("gptq-benchmark", data);
        const ProfileValue& value = valueOf(fileOf(content, "numerical_check.json"), field);
        EXPECT_TRUE(value.value.is_null()) << field;
        EXPECT_FALSE(value.reason.empty()) << field;
        EXPECT_THAT(value.reason, testing::Not(HasSubstr("/"))) << field;
        return value.reason;
    };
    const std::filesystem::path output = outputArray(folder.path(), "improved", 0).path();
    ASSERT_TRUE(writeFileAtomically(output, "no array").ok());
    const std::string damaged = reasonOf("logit_max_diff");
    std::filesystem::remove_all(folder.path() / "cells");
    for (const char* field :
         {"logit_max_diff", "logit_mean_diff", "token_match_rate", "all_outputs_identical"})
        EXPECT_NE(reasonOf(field), damaged);
}

// Both ways answer instead of quantizing again and again.
RunData answeringRun(const std::filesystem::path& folder)
{
    RunData data = compiledGptqRun(folder);
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.workload = "pass";
        if (cell.id != "passes")
            cell.config.sizes = {{"prompt_tokens", 1}, {"new_tokens", 20}};
    }
    return data;
}

TEST(GptqProfile, AnswersAreHeldAgainstThoseOfTheStraightWay)
{
    const TestFolder folder;
    const ProfileContent content = contentOf("gptq-benchmark", answeringRun(folder.path()));
    std::vector<std::string> files;
    for (const ProfileTable& table : content.tables)
        files.push_back(std::filesystem::path(table.file).filename());
    EXPECT_EQ(files, (std::vector<std::string>{"numerical_check.json", "memory_sentinel.json",
                                               "env_info.json"}))
        << "times of passes are none of quantizing, and cells without new tokens answer nothing";
    EXPECT_EQ(content.texts.size(), 1U);
    const ProfileRecord& record = fileOf(content, "numerical_check.json");
    EXPECT_EQ(valueOf(record, "logit_max_diff").value, 0.25);
    EXPECT_EQ(valueOf(record, "token_match_rate").value, 1.0);
    EXPECT_EQ(valueOf(record, "scenario").reason, "") << "it is compiled";
}

TEST(GptqProfile, ImprovedAnswersWhereNoCompilerCanBeCalled)
{
    const TestFolder folder;
    RunData data = answeringRun(folder.path());
    PlannedCell failed = data.plan.cells[1];
    ASSERT_EQ(failed.id, "improved");
    data.plan.cells[1].config.precision = {"gptq-int4-128"};
    failed.id = "failed";
    data.plan.cells.push_back(failed);
    tests::addFailure(data, "failed", 0, FailureKind::Compile);
    const ProfileContent content = contentOf("gptq-benchmark", data);
    const ProfileRecord& record = fileOf(content, "numerical_check.json");
    EXPECT_EQ(valueOf(record, "logit_max_diff").value, 0.25);
    EXPECT_NE(valueOf(record, "scenario").reason, "");
}

TEST(GptqProfile, DriverIsThatOfNvmlAndNotWhatItRuns)
{
    RunData data = gptqRun();
    const auto driver = [&] {
        const ProfileContent content = contentOf("gptq-benchmark", data);
        return valueOf(fileOf(content, "env_info.json"), "nvidia_driver").value;
    };
    Environment environment;
    environment.devices = {commonGpus().front()};
    environment.devices.front().uuid = "GPU-1";
    environment.devices.front().driver = "CUDA 13.0";
    const auto measuredIn = [&](const Environment& each) {
        data.environments = {each};
        for (PlannedCell& cell : data.plan.cells)
            cell.config.device = "cuda:0";
        for (Measurement& row : data.measurements)
            row.environmentId = each.id();
    };
    measuredIn(environment);
    EXPECT_TRUE(driver().is_null());
    EXPECT_THAT(deviceLine(environment, environment.devices.front()),
                testing::Not(HasSubstr("driver")));
    environment.gpuSettings = {{.uuid = "GPU-0", .driver = "1"}, {.uuid = "GPU-1", .driver = "2"}};
    measuredIn(environment);
    EXPECT_EQ(driver(), "2");
    EXPECT_THAT(deviceLine(environment, environment.devices.front()),
                testing::EndsWith("driver 2"));
}

TEST(GptqProfile, ScenariosOfOtherModelsHaveTheirFolders)
{
    RunData data = gptqRun();
    for (PlannedCell& cell : data.plan.cells)
        cell.config.model = "/data/My model";
    const ProfileContent content = contentOf("gptq-benchmark", data);
    EXPECT_EQ(content.tables[0].file, "artifacts/My_model_gptq-int4-128/baseline.json");
    EXPECT_FALSE(valueOf(content.tables[0].records[0], "status").value.is_null());
}

}  // namespace
}  // namespace qs::core
