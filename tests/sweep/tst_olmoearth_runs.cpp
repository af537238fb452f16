// Runs and sweeps of OlmoEarth's throughput benchmark: names, parameters, keys, and what they
// become here.
#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"
#include "core/sweep/olmoearth/run_name.h"
#include "core/sweep/olmoearth/swept_cells.h"
#include "core/sweep/olmoearth/throughput_config.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::core::olmoearth {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kExample = "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128";

ThroughputSweep sweepOf(const char* text)
{
    std::vector<JsonIssue> issues;
    const Json json = parseJson(text, "t").value();
    EXPECT_TRUE(isThroughputConfig(json)) << text;
    ThroughputSweep sweep = throughputSweep(json, issues);
    EXPECT_THAT(issues, IsEmpty()) << text << formatIssues(issues);
    return sweep;
}

std::string complaintsOf(const char* text)
{
    std::vector<JsonIssue> issues;
    static_cast<void>(throughputSweep(parseJson(text, "t").value(), issues));
    return formatIssues(issues);
}

// What the preset runs, references aside, as texts without order.
std::set<std::string> cellsOf(const Preset& preset)
{
    std::set<std::string> cells;
    const std::vector<ExpandedCell> expanded = expandCells(preset, false).value();
    for (const ExpandedCell& cell : expanded) {
        if (cell.role == CellRole::Swept)
            cells.insert(cellKey(cell.config));
    }
    return cells;
}

std::set<std::string> cellsOf(const std::vector<RunParams>& runs)
{
    std::set<std::string> cells;
    for (const RunParams& run : runs) {
        if (const auto cell = cellOf(run); cell.ok())
            cells.insert(cellKey(cell.value()));
    }
    return cells;
}

TEST(RunNames, AreThoseOfTheBenchmark)
{
    RunParams run;
    EXPECT_EQ(runName(run), "base_cuda_bf16_s2_is64_ps4_ts12_bs128");
    run.int8 = true;
    EXPECT_EQ(runName(run), kExample);
    run.smoothQuant = true;
    EXPECT_EQ(runName(run), "base_cuda_bf16_int8_w8a8_smoothq_max-autotune_s2_is64_ps4_ts12_bs128");
    run.int8 = false;
    run.useS1 = run.useLandsat = true;
    run.bf16 = false;
    EXPECT_EQ(runName(run), "base_cuda_smoothq_s1_s2_ls_is64_ps4_ts12_bs128")
        << "also without int8";
}

TEST(RunNames, AreReadBackAsFarAsTheyTell)
{
    for (const char* name :
         {kExample, "nano_cpu_s1_is8_ps2_ts1_bs4", "base_cuda_smoothq_s1_s2_ls_is64_ps4_ts12_bs128",
          "tiny_cuda_bf16_int8_w8_reduce-overhead_s2_is32_ps8_ts6_bs1"}) {
        const auto parsed = parseRunName(name);
        ASSERT_TRUE(parsed.ok()) << name;
        EXPECT_EQ(runName(parsed.value().params), name);
        EXPECT_FALSE(parsed.value().params.wandb);
    }
    const ParsedRunName int8 = parseRunName(kExample).value();
    EXPECT_TRUE(int8.params.int8);
    EXPECT_EQ(int8.params.compileMode, "max-autotune");
    EXPECT_THAT(int8.untold, ElementsAre("benchmark_interval_s", "min_batches_per_interval",
                                         "profiler_enabled", "wandb_enabled", "compile_fullgraph"));
    EXPECT_THAT(parseRunName("base_cuda_bf16_s2_is64_ps4_ts12_bs128").value().untold,
                testing::IsSupersetOf({"int8_mode", "compile_mode"}));
    const std::string logged = std::string(kExample) + "-batch_int8_mode-1a2b3c";
    EXPECT_EQ(parseRunName(logged).value().params, int8.params);
    for (const char* name :
         {"", "base", "base_cuda_bf16_s2_is64_ps4_ts12", "a_b_bs1",
          "base_cuda_s2_bf16_is64_ps4_ts12_bs128", "base_cuda_bf16_s2_is64_ps4_ts12_bsX"}) {
        const auto parsed = parseRunName(name);
        ASSERT_FALSE(parsed.ok()) << name;
        EXPECT_THAT(parsed.error().message, HasSubstr(kExample));
    }
}

TEST(RunNames, AreCheckedAsFilesAre)
{
    const auto messageOf = [](const std::string& name) {
        const auto parsed = parseRunName(name + "_s2_is64_ps4_ts12_bs128");
        return parsed.ok() ? std::string() : parsed.error().message;
    };
    EXPECT_THAT(messageOf("base_cuda_bf16_int8_w9_default"),
                testing::AllOf(HasSubstr("int8_mode"), HasSubstr("w8a8"), HasSubstr("w9")));
    EXPECT_THAT(messageOf("base_cuda_bf16_int8_w8_x"),
                testing::AllOf(HasSubstr("compile_mode"), HasSubstr("reduce-overhead"),
                               HasSubstr("none"), HasSubstr("fused")));
    EXPECT_THAT(messageOf("huge_cuda"), testing::AllOf(HasSubstr("model_size"), HasSubstr("giga")));
    EXPECT_THAT(parseRunName("base_cuda_s2_is64_ps4_ts12_bs0").error().message,
                HasSubstr("batch_size"));
    EXPECT_EQ(messageOf("base_A100_bf16_int8_w8_fused"), "");
}

// Names know neither seeds nor variables, which layers nor what multiplies beside INT8, nor how
// runs without it are compiled.
CellConfig asFarAsNamesTell(CellConfig cell, const CellConfig& back)
{
    const std::string precision = precisionText(cell);
    const std::string scheme = precision.substr(0, precision.find(':'));
    if (scheme.starts_with("int8") && precisionText(back).starts_with(scheme + ":"))
        cell.precision = back.precision;
    if (scheme == "bf16" || scheme == "bf16-autocast" || scheme == "fp32") {
        cell.precision = back.precision;
        cell.compile = back.compile;
    }
    cell.layers = back.layers;
    cell.attention = back.attention;
    cell.seed = back.seed;
    cell.env = back.env;
    return cell;
}

TEST(RunNames, OfShippedCellsAreReadBackToThem)
{
    std::set<std::string> compileModes;
    for (const char* name :
         {"axes", "compile_mode_sweep", "int8_baseline", "int8_batch_cross", "int8_batch_sweep",
          "int8_mode_comparison", "int8_vs_fp16", "quick", "research", "w8a8_vs_w8"}) {
        const std::string file = "../presets/olmoearth/" + std::string(name) + ".json";
        const std::vector<ExpandedCell> cells =
            expandCells(readPreset(tests::dataFile(file)).value(), false).value();
        for (const ExpandedCell& cell : cells) {
            const std::string run = runName(runParamsOf(cell.config));
            const auto parsed = parseRunName(run);
            ASSERT_TRUE(parsed.ok()) << parsed.error().message;
            const CellConfig back = cellOf(parsed.value().params).value();
            EXPECT_EQ(cellKey(back), cellKey(asFarAsNamesTell(cell.config, back))) << run;
            EXPECT_EQ(runName(runParamsOf(back)), run);
            if (parsed.value().params.int8)
                compileModes.insert(back.compile);
        }
    }
    EXPECT_THAT(compileModes, testing::IsSupersetOf({"none", "fused", "inductor-max-autotune"}));
}

TEST(RunParams, BecomeTheCellThatTheBenchmarkRuns)
{
    RunParams run;
    CellConfig cell = cellOf(run).value();
    EXPECT_EQ(cell.model, "olmoearth:base");
    EXPECT_EQ(precisionText(cell), "bf16-autocast") << "weights of 32 bits";
    EXPECT_EQ(cell.compile, "inductor-default");
    EXPECT_EQ(cell.batch, 128);
    EXPECT_EQ(cell.sizes.at("patch_size"), 4);
    run.int8 = run.useS1 = true;
    cell = cellOf(run).value();
    EXPECT_EQ(cell.model, "olmoearth:base/s2+s1");
    EXPECT_EQ(precisionText(cell), "int8dq:rest=autocast");
    EXPECT_EQ(cell.layers, "olmoearth");
    EXPECT_EQ(cell.compile, "inductor-max-autotune");
    EXPECT_EQ(cell.attention, "flash");
    run.smoothQuant = true;
    EXPECT_EQ(precisionText(cellOf(run).value()), "int8sq:rest=autocast");
    run.int8Mode = "wo";
    run.bf16 = false;
    EXPECT_EQ(precisionText(cellOf(run).value()), "int8wo:rest=fp32");
    run.useS1 = run.useS2 = false;
    EXPECT_FALSE(cellOf(run).ok()) << "it sees nothing";
    // What a cell says of itself comes back.
    for (const char* name : {kExample, "nano_cuda_s1_is8_ps2_ts1_bs4"})
        EXPECT_EQ(runName(runParamsOf(cellOf(parseRunName(name).value().params).value())), name);
}

TEST(ThroughputSweeps, OneKeyAfterTheOtherAndTheDefaultRun)
{
    const ThroughputSweep batch = sweepOf(
        R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["batch"],
            "sweep_group_name": "int8_baseline"})");
    EXPECT_THAT(batch.runs, SizeIs(14 + 1));
    EXPECT_EQ(batch.runs[13].batchSize, 8192);
    EXPECT_EQ(batch.preset.name, "int8_baseline");
    EXPECT_EQ(batch.preset.mode, SweepMode::Cross) << "one axis is all of them";
    EXPECT_THAT(batch.preset.axes, SizeIs(1));
    EXPECT_EQ(cellsOf(batch.preset), cellsOf(batch.runs));
    EXPECT_DOUBLE_EQ(batch.preset.measurement.minimumSampleSeconds, 180.0);
    EXPECT_EQ(batch.preset.measurement.minimumSamples, 10);
    const ThroughputSweep two = sweepOf(R"({"sweep_keys": ["patch", "time"]})");
    EXPECT_EQ(two.preset.mode, SweepMode::OneAtATime);
    EXPECT_THAT(two.runs, SizeIs(4 + 6 + 1));
    EXPECT_EQ(cellsOf(two.preset), cellsOf(two.runs));
    EXPECT_EQ(cellsOf(two.preset).size(), 9U) << "the default is a value of both";
    EXPECT_THAT(sweepOf(R"({"sweep_keys": ["all"]})").runs, SizeIs(53 + 1));
}

TEST(ThroughputSweeps, EveryCombination)
{
    const ThroughputSweep cross = sweepOf(
        R"({"default_run_params": {"model_size": "base"}, "cross_product_sweep": true,
            "sweep_dict": {"int8_enabled": [true, false], "batch_size": [64, 128, 256]}})");
    EXPECT_THAT(cross.runs, SizeIs(6 + 1));
    EXPECT_EQ(cross.preset.mode, SweepMode::Cross);
    EXPECT_EQ(cellsOf(cross.preset), cellsOf(cross.runs));
    EXPECT_EQ(cellsOf(cross.preset).size(), 6U);
    ASSERT_THAT(cross.preset.linked, SizeIs(1)) << "int8 changes the compile mode as well";
    EXPECT_THAT(cross.preset.linked[0], Contains("compile"));
    // Neither every combination nor one after the other: what varies advances together.
    std::vector<CellConfig> three(3, cross.preset.defaults);
    three[0].batch = 1;
    three[0].seed = 7;
    three[1].batch = 2;
    const Preset together = presetOfCells(three);
    EXPECT_THAT(together.linked, SizeIs(1));
    EXPECT_EQ(cellsOf(together).size(), 3U);
}

// The document's first example sweeps int8 alone; the eager cells are in every plan.
TEST(ThroughputSweeps, FormRatiosWithCellsThatThereAre)
{
    const auto baselineOf = [](const char* text) { return sweepOf(text).preset.speedBaseline; };
    EXPECT_EQ(baselineOf(R"({"default_run_params": {"int8_enabled": true},
                             "sweep_keys": ["batch"]})"),
              "bf16-eager");
    EXPECT_EQ(baselineOf(R"({"bf16": false})"), "bf16-eager") << "all of it in fp32";
    EXPECT_EQ(baselineOf(R"({"sweep_keys": ["all"]})"), "best-bf16-autocast");
    EXPECT_EQ(baselineOf(R"({"default_run_params": {"int8_enabled": true},
                             "sweep_keys": ["int8_enabled"]})"),
              "best-bf16-autocast");
    EXPECT_EQ(baselineOf(R"({"default_run_params": {"int8_enabled": true},
                             "sweep_keys": ["int8_enabled", "batch"]})"),
              "bf16-eager")
        << "one batch of all has a run without int8";
    EXPECT_EQ(sweepOfRunName(kExample).value().preset.speedBaseline, "bf16-eager");
}

TEST(ThroughputSweeps, WhatIsNotUsedIsSaid)
{
    const ThroughputSweep one =
        sweepOf(R"({"batch_size": 2, "profiler_enabled": true, "wandb_enabled": true})");
    EXPECT_THAT(one.runs, SizeIs(1));
    EXPECT_THAT(one.notes, SizeIs(2));
    EXPECT_THAT(one.preset.description, HasSubstr("profiler_enabled"));
    const ThroughputSweep blind = sweepOf(R"({"sweep_keys": ["use_s2"]})");
    EXPECT_EQ(cellsOf(blind.preset).size(), 1U) << "without Sentinel-2 nothing is seen";
    EXPECT_THAT(blind.preset.description, HasSubstr("left out"));
}

// The document's examples use all that they give; where nothing is said of W&B nothing is to tell.
TEST(ThroughputSweeps, OfExamplesHaveNothingToTell)
{
    EXPECT_THAT(sweepOf(R"({"default_run_params": {"model_size": "base", "batch_size": 128},
                            "sweep_keys": ["int8_enabled"]})")
                    .notes,
                IsEmpty());
    EXPECT_THAT(sweepOf(R"({"cross_product_sweep": true,
                            "sweep_dict": {"int8_enabled": [true, false],
                                           "batch_size": [64, 128, 256]}})")
                    .notes,
                IsEmpty());
}

TEST(ThroughputSweeps, SweptMembersThatEndInEqualCellsAreSaid)
{
    using testing::StartsWith;
    const ThroughputSweep interval = sweepOf(R"({"sweep_dict": {"benchmark_interval_s": [1, 5]}})");
    EXPECT_EQ(cellsOf(interval.preset).size(), 1U);
    EXPECT_THAT(interval.notes, ElementsAre(StartsWith("benchmark_interval_s:")));
    EXPECT_THAT(interval.preset.description, HasSubstr("benchmark_interval_s"));
    EXPECT_THAT(sweepOf(R"({"sweep_keys": ["compile_mode"]})").notes,
                ElementsAre(StartsWith("compile_mode:")))
        << "nothing is quantized";
    EXPECT_THAT(sweepOf(R"({"default_run_params": {"int8_enabled": true},
                            "sweep_keys": ["compile_mode"]})")
                    .notes,
                IsEmpty());
    EXPECT_THAT(sweepOf(R"({"cross_product_sweep": true,
                            "sweep_dict": {"int8_enabled": [true, false],
                                           "compile_mode": ["default", "max-autotune"]}})")
                    .notes,
                ElementsAre(StartsWith("compile_mode:")));
    EXPECT_THAT(sweepOf(R"({"sweep_dict": {"profiler_enabled": [true, false]}})").notes, SizeIs(1))
        << "what it does not do is told already";
    EXPECT_THAT(sweepOf(R"({"sweep_dict": {"batch_size": [1, 1, 2]}})").notes, IsEmpty());
}

TEST(ThroughputSweeps, AreNoNoiseFloorAndSayThatANamedGpuIsNotLookedFor)
{
    const ThroughputSweep usual = sweepOf(R"({"batch_size": 2})");
    EXPECT_FALSE(usual.preset.noiseFloor);
    const auto said = [](const ThroughputSweep& sweep) {
        return std::any_of(sweep.notes.begin(), sweep.notes.end(), [](const std::string& note) {
            return note.find("gpu_type") != std::string::npos;
        });
    };
    EXPECT_FALSE(said(usual));
    EXPECT_FALSE(said(sweepOf(R"({"gpu_type": "cpu"})")));
    EXPECT_TRUE(said(sweepOf(R"({"gpu_type": "A100"})")));
}

TEST(ThroughputSweeps, ComplaintsNameThePlace)
{
    EXPECT_THAT(complaintsOf(R"({"default_run_params": {"batch": 2}})"),
                HasSubstr("$.default_run_params.batch"));
    EXPECT_THAT(complaintsOf(R"({"sweep_keys": ["batches"]})"), HasSubstr("$.sweep_keys[0]"));
    EXPECT_THAT(complaintsOf(R"({"sweep_keys": ["batch"], "sweep_dict": {"bf16": [true]}})"),
                HasSubstr("$.sweep_dict"));
    EXPECT_THAT(complaintsOf(R"({"sweep_dict": {"bf16": [3]}})"), HasSubstr("$.sweep_dict.bf16"));
    EXPECT_THAT(complaintsOf(R"({"sweep_dict": {"bf16": true}})"), HasSubstr("a list"));
    for (const char* cross : {"true", "false"}) {
        std::vector<JsonIssue> issues;
        const std::string text = R"({"cross_product_sweep": )" + std::string(cross) +
                                 R"(, "sweep_dict": {"batch": [1, 2], "bf16": [true, false]}})";
        static_cast<void>(throughputSweep(parseJson(text, "t").value(), issues));
        EXPECT_THAT(issues, SizeIs(1)) << "once: " << formatIssues(issues);
    }
    EXPECT_THAT(complaintsOf(R"({"int8_mode": "w4"})"), HasSubstr("w8a8"));
    EXPECT_THAT(complaintsOf(R"({"batch_size": 0})"), HasSubstr("$.batch_size"));
    EXPECT_THAT(complaintsOf(R"({"use_s2": false})"), HasSubstr("sees nothing"));
    EXPECT_FALSE(isThroughputConfig(parseJson(R"({"schema_version": 1, "bf16": 1})", "t").value()));
    EXPECT_FALSE(isThroughputConfig(parseJson(R"({"name": "n"})", "t").value()));
}

// Counted before they are made: a hundred million would not fit into memory.
TEST(ThroughputSweeps, TooManyCombinationsAreRefused)
{
    std::string values = "1";
    for (int i = 2; i <= 10'000; ++i)
        values += "," + std::to_string(i);
    const std::string text = R"({"cross_product_sweep": true, "sweep_dict": {"batch_size": [)" +
                             values + R"(], "patch_size": [)" + values + "]}}";
    EXPECT_THAT(complaintsOf(text.c_str()),
                testing::AllOf(HasSubstr("10000"), HasSubstr("$.sweep_dict")));
    EXPECT_THAT(complaintsOf(R"({"cross_product_sweep": true, "sweep_keys": ["all"]})"),
                testing::AllOf(HasSubstr("10000"), HasSubstr("$.sweep_keys")));
}

TEST(ThroughputSweeps, AFileOpensAsAPreset)
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "config.json",
                     R"({"default_run_params": {"model_size": "nano", "gpu_type": "cpu"},
                         "sweep_keys": ["int8_enabled"], "sweep_group_name": "int8_vs_fp16"})");
    const auto preset = readPreset(folder / "config.json");
    ASSERT_TRUE(preset.ok()) << preset.error().message;
    EXPECT_EQ(preset.value().name, "int8_vs_fp16");
    EXPECT_EQ(cellsOf(preset.value()).size(), 2U);
    std::vector<JsonIssue> issues;
    EXPECT_EQ(cellsOf(presetFromJson(toJson(preset.value()), issues)), cellsOf(preset.value()))
        << "as a preset of ours as well";
    EXPECT_THAT(issues, IsEmpty()) << formatIssues(issues);
    tests::writeFile(folder / "config.json", R"({"default_run_params": {"model_size": "huge"}})");
    EXPECT_THAT(readPreset(folder / "config.json").error().message,
                HasSubstr("$.default_run_params.model_size"));
}

// What the preset runs to form ratios with, and the example does not: autocast compiled alike, and
// eager.
std::set<std::string> baselinesOf(const Preset& preset)
{
    std::set<std::string> cells;
    const std::vector<ExpandedCell> expanded = expandCells(preset, false).value();
    for (const ExpandedCell& cell : expanded) {
        if (precisionText(cell.config) == "bf16-autocast" || cell.config.compile == "none")
            cells.insert(cellKey(cell.config));
    }
    return cells;
}

// The seven examples of the document; its two sweeps over batches end earlier in what is shipped.
TEST(ThroughputSweeps, TheShippedPresetsAreTheExamplesOfTheDocument)
{
    struct Example {
        const char* file;
        const char* config;
        bool whole = true;
    };
    const Example examples[] = {
        {"int8_baseline",
         R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["batch"]})", false},
        {"int8_mode_comparison",
         R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["int8_mode"]})"},
        {"compile_mode_sweep",
         R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["compile_mode"]})"},
        {"int8_vs_fp16", R"({"sweep_keys": ["int8_enabled"]})"},
        {"w8a8_vs_w8",
         R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["int8_mode"]})"},
        {"int8_batch_sweep",
         R"({"default_run_params": {"int8_enabled": true}, "sweep_keys": ["batch"]})", false},
        {"int8_batch_cross",
         R"({"cross_product_sweep": true,
             "sweep_dict": {"int8_enabled": [true, false], "batch_size": [64, 128, 256]}})"},
    };
    for (const Example& example : examples) {
        const std::string file = "../presets/olmoearth/" + std::string(example.file) + ".json";
        const auto preset = readPreset(tests::dataFile(file));
        ASSERT_TRUE(preset.ok()) << preset.error().message;
        auto shipped = cellsOf(preset.value());
        const auto documented = cellsOf(sweepOf(example.config).runs);
        for (const std::string& cell : baselinesOf(preset.value())) {
            if (!documented.contains(cell))
                shipped.erase(cell);
        }
        EXPECT_TRUE(
            std::includes(documented.begin(), documented.end(), shipped.begin(), shipped.end()))
            << file;
        EXPECT_EQ(shipped.size() == documented.size(), example.whole) << file;
    }
}

}  // namespace
}  // namespace qs::core::olmoearth
