// A document's comparison from end to end: its quick preset, its gate and claims, the files of its
// own script.

#include "tests/cli/cli_fixture.h"
#include "tests/cli/profile_reasons.h"
#include "tests/support/stand_in_compiler.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::HasSubstr;

// Of sweeps whose texts are looked at: where less of each window is read and each cell is timed
// once, products in bf16, which many processors emulate, take a quarter of the time.
const std::vector<std::string> kShortTexts{"--set", "batch=2",
                                           "--set", "prompt_tokens=64",
                                           "--set", "isolation=model",
                                           "--set", "measurement.warmup_samples=0",
                                           "--set", "measurement.minimum_samples=1",
                                           "--set", "measurement.maximum_samples=1"};

class ResearchPreset : public testing::Test
{
protected:
    ResearchPreset() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~ResearchPreset() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    // One round of a preset with these options, and the files that a profile makes of it.
    void measureAndExport(const std::string& preset, const std::vector<std::string>& options,
                          const std::string& profile)
    {
        std::vector<std::string> arguments{
            "run", dataFile("../presets/" + preset).string(), "--out", m_run, "--set", "rounds=1"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProgramResult ran = runCli(arguments);
        ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;
        m_said = ran.output + ran.errors;
        const ProgramResult exported =
            runCli({"report", m_run, "--profile", profile, "--out", m_files});
        ASSERT_EQ(exported.exitCode, 0) << exported.errors;
        EXPECT_FALSE(filesWithRecords(m_files).empty());
        expectReasons(m_files);
        expectPlots(m_run, m_folder / "page");
    }
    [[nodiscard]] Json exported(const std::string& file) const
    {
        return readJsonFile(m_files + "/" + file).value();
    }

    TestFolder m_folder;
    std::string m_run = m_folder / "run";
    std::string m_files = m_folder / "files";
    std::string m_said;  // by the run
};

TEST_F(ResearchPreset, GivesTheThroughputOfEncoders)
{
    ASSERT_NO_FATAL_FAILURE(measureAndExport("olmoearth/quick.json",
                                             {"--set", "batch=1", "--set", "isolation=model"},
                                             "olmoearth-throughput"));
    const Json reasons = exported("reasons.json")["files"]["throughput.csv"];
    ASSERT_EQ(reasons.size(), 7U) << "of every precision and filter";
    for (const Json& record : reasons) {
        ASSERT_EQ(record["missing"].size(), 1U) << record;
        EXPECT_TRUE(record["missing"].contains("run_url")) << "no run was logged to a server";
    }
    const std::string names = readFile(m_files + "/run_names.txt");
    for (const char* name : {"nano_cpu_bf16_int8_w8a8_none_s2_is16_ps4_ts2_bs1 (",
                             "nano_cpu_bf16_int8_w8_none_s2_is16_ps4_ts2_bs1\n",
                             "nano_cpu_bf16_int8_w8a8_smoothq_none_s2_is16_ps4_ts2_bs1\n"})
        EXPECT_THAT(names, HasSubstr(name)) << "with a label only where others have the name";
    ASSERT_EQ(runCli({"report", m_run, "--json", "--csv", "--out", m_files}).exitCode, 0);
    const Json report = exported("report.json");
    EXPECT_EQ(report["guardrail"].size(), 5U)
        << "all matched layers, without the ends, and by the custom filter";
    EXPECT_THAT(readFile(m_files + "/cells.csv"), HasSubstr("square_km_per_second"));
}

TEST_F(ResearchPreset, ASweepOfTheBenchmarkIsConvertedAndItsNamesAreRead)
{
    const std::string config = m_folder / "config.json";
    const std::string preset = m_folder / "preset.json";
    writeFile(config, R"({"default_run_params": {"model_size": "nano", "wandb_enabled": true},
                          "sweep_keys": ["time"], "sweep_group_name": "times"})");
    const ProgramResult converted = runCli({"preset", "convert", config, "--out", preset});
    ASSERT_EQ(converted.exitCode, 0) << converted.errors;
    EXPECT_THAT(converted.output, HasSubstr("nano_cuda_bf16_s2_is64_ps4_ts6_bs128\n"));
    EXPECT_THAT(converted.errors, HasSubstr("wandb_enabled"));
    EXPECT_EQ(runCli({"preset", "check", preset}).exitCode, 0);
    EXPECT_EQ(runCli({"preset", "convert", config, "--out", preset}).exitCode, 2) << "it is there";
    const ProgramResult named = runCli(
        {"preset", "convert", "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128"});
    EXPECT_EQ(named.exitCode, 0) << named.errors;
    EXPECT_THAT(named.errors, HasSubstr("compile_fullgraph"));
    EXPECT_EQ(runCli({"preset", "convert", "base_cuda"}).exitCode, 2);
    // A path is one, also where no file is.
    const ProgramResult missing = runCli({"preset", "convert", m_folder / "none.json"});
    EXPECT_EQ(missing.exitCode, 2);
    EXPECT_THAT(missing.errors, HasSubstr("none.json"));
    EXPECT_THAT(missing.errors, testing::Not(HasSubstr("base_cuda")));
}

TEST_F(ResearchPreset, ASweepOfTheBenchmarkInInt8AloneHasRatios)
{
    const std::string config = m_folder / "config.json";
    const std::string preset = m_folder / "preset.json";
    writeFile(config, R"({"model_size": "nano", "gpu_type": "cpu", "image_size": 16,
                          "num_timesteps": 2, "batch_size": 1, "benchmark_interval_s": 1,
                          "min_batches_per_interval": 1, "int8_enabled": true})");
    ASSERT_EQ(runCli({"preset", "convert", config, "--out", preset}).exitCode, 0);
    const ProgramResult ran =
        runCli({"run", preset, "--out", m_run, "--set", "compile=none", "--set", "isolation=model",
                "--set", "measurement.minimum_sample_seconds=0.01", "--set",
                "measurement.minimum_warmup_seconds=0", "--set",
                "measurement.maximum_warmup_seconds=0.1"});
    ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;
    ASSERT_EQ(runCli({"report", m_run, "--json", "--out", m_files}).exitCode, 0);
    const Json cells = exported("report.json")["cells"];
    ASSERT_EQ(cells.size(), 2U) << "int8 and the eager reference";
    for (const Json& cell : cells)
        EXPECT_NE(cell["speed_baseline"], "") << cell["config"];
}

TEST_F(ResearchPreset, GivesTheFiguresOfThePrecisionGuide)
{
    ASSERT_NO_FATAL_FAILURE(measureAndExport("resnet_precision/quick.json",
                                             {"--set", "batch=2", "--set", "isolation=model"},
                                             "resnet-precision"));
    const Json record = exported("precision_timing.json").at(0);
    EXPECT_EQ(record["parameters"], 11'181'642);
    EXPECT_NEAR(record["orig_memory"].get<double>(), 42.69, 0.01);
    EXPECT_NEAR(record["orig_size"].get<double>(), 42.73, 0.01);
    EXPECT_NEAR(record["quant_memory"].get<double>(), 42.68, 0.01) << "one layer of 5,130 weights";
    EXPECT_GT(record["quant_time"], 0.0);
    EXPECT_GT(record["quant_output_difference"], 0.0);
    EXPECT_TRUE(record["gpu_quant_time"].is_null());
    EXPECT_TRUE(record["orig_accuracy"].is_null()) << "images without labels";
}

// Compiling is left to tests that have a compiler to call (tests/oracle): here it fails, and says
// so.
TEST_F(ResearchPreset, GivesTheFiguresOfSelectiveCompilation)
{
    const std::string run = m_folder / "run";
    const std::string out = m_folder / "files";
    const std::string preset = dataFile("../presets/surgical_compile/quick.json").string();
    const StandInCompiler compiler(m_folder.path(), "exit 1");
    const ProgramResult ran = runCli({"run", preset, "--out", run, "--set", "rounds=1", "--filter",
                                      "precision=float8-delayed:history=1:amax=recent", "--filter",
                                      "compile=none,regions:rope"});
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    const RunData data = readRunFolder(run).value();
    ASSERT_EQ(data.measurements.size(), 3U) << "the quality reference is one of them";
    for (const Measurement& row : data.measurements) {
        if (row.ok()) {
            EXPECT_EQ(row.result.warmupPasses, 5);
            EXPECT_EQ(row.result.hostSeconds.size(), 20U);
        }
    }
    const ProgramResult exported =
        runCli({"report", run, "--profile", "surgical-compile", "--out", out});
    ASSERT_EQ(exported.exitCode, 0) << exported.errors;
    expectReasons(out, "surgical_results.json");
    const Json record = readJsonFile(out + "/surgical_results.json").value().at(0);
    EXPECT_GT(record["baseline_min"], 0.0);
    EXPECT_LE(record["baseline_min"], record["baseline_avg"]);
    EXPECT_TRUE(record["surgical_avg"].is_null());
}

void addToLast(const std::string& file, float by)
{
    FloatArray array = readNpy(std::filesystem::path(file)).value();
    array.values.back() += by;
    ASSERT_TRUE(writeNpy(std::filesystem::path(file), array).ok());
}

TEST_F(ResearchPreset, QuantizesAsAWorkload)
{
    ASSERT_NO_FATAL_FAILURE(
        measureAndExport("gptq_compile/quick.json",
                         {"--set", "isolation=model", "--filter",
                          "precision=gptq-int4-32:by=straight:samples=4,gptq-int4-32:samples=4,"
                          "gptq-int4-32:by=kernel:samples=4"},
                         "gptq-benchmark"));
    const std::string scenario = "artifacts/tiny_gptq-int4-32_samples_4/";
    for (const char* file : {"baseline.json", "compiled.json", "numerical_check.json",
                             "memory_sentinel.json", "env_info.json"})
        expectReasons(m_files, scenario + file);
    EXPECT_TRUE(std::filesystem::exists(m_files + "/" + scenario + "summary.md"));
    const Json compiled = readJsonFile(m_files + "/" + scenario + "compiled.json").value();
    EXPECT_EQ(compiled["warm_times"].size(), 2U);
    EXPECT_GT(compiled["cold_time"], 0.0);
    const Json numeric = readJsonFile(m_files + "/" + scenario + "numerical_check.json").value();
    EXPECT_EQ(numeric["logit_max_diff"], 0.0) << "both ways give the same codes";
    EXPECT_EQ(numeric["token_match_rate"], 1.0);
    EXPECT_EQ(numeric["all_outputs_identical"], true);
    ASSERT_EQ(numeric["storage_size_proof"].size(), 2U);
    for (const Json& each : numeric["storage_size_proof"]) {
        EXPECT_EQ(each["has_views"], false);
        EXPECT_EQ(each["has_inflated_storage"], false);
        EXPECT_EQ(each["total_logical_mb"], each["total_storage_mb"]);
    }
    const Json sentinel = readJsonFile(m_files + "/" + scenario + "memory_sentinel.json").value();
    EXPECT_EQ(sentinel["status"], "success");
    EXPECT_EQ(sentinel["within_tolerance"], true);
    EXPECT_EQ(sentinel["tolerance_mb"], 50.0);

    // The numerical check sees another answer: one logit and one of two tokens, of one of sixteen
    // samples with 64 tokens of prompt.
    const RunData data = readRunFolder(m_run).value();
    const auto changed =
        std::find_if(data.plan.cells.begin(), data.plan.cells.end(), [](const PlannedCell& cell) {
            return precisionText(cell.config) == "gptq-int4-32:samples=4";
        });
    ASSERT_NE(changed, data.plan.cells.end());
    addToLast(m_run + "/cells/" + changed->id + "/output_3.npy", 0.5F);
    addToLast(m_run + "/cells/" + changed->id + "/generated_3.npy", 1.0F);
    ASSERT_EQ(
        runCli({"report", m_run, "--profile", "gptq-benchmark", "--out", m_folder / "changed"})
            .exitCode,
        0);
    const Json other =
        readJsonFile(m_folder / ("changed/" + scenario + "numerical_check.json")).value();
    EXPECT_NEAR(other["logit_max_diff"], 0.5, 1e-5);
    EXPECT_GT(other["logit_mean_diff"], 0.0);
    EXPECT_EQ(other["all_outputs_identical"], false);
    EXPECT_DOUBLE_EQ(other["token_match_rate"], 1.0 - 1.0 / 66.0 / 16.0);
    const Json reasons = readJsonFile(m_folder / "changed/reasons.json").value()["files"];
    EXPECT_THAT(reasons[scenario + "numerical_check.json"][0]["remarks"]["token_match_rate"]
                    .get<std::string>(),
                HasSubstr("0.9688"))
        << "of the tokens that were generated";
}

TEST_F(ResearchPreset, OptionsOfGptqMoveTheLossButForItsBlocks)
{
    std::vector<std::string> options = kShortTexts;
    options.insert(options.end(), {"--filter", "precision=gptq-int4-128:samples=8:set=own,"
                                               "gptq-int4-128:block=32:samples=8:set=own,"
                                               "gptq-int4-128:damp=0.1:samples=8:set=own"});
    ASSERT_NO_FATAL_FAILURE(
        measureAndExport("gptq_compile/quick_options.json", options, "gptq-benchmark"));
    std::map<std::string, double> loss;  // by scheme, summed over the samples
    const RunData data = readRunFolder(m_run).value();
    for (const OutputQuality& quality : data.qualities)
        loss[precisionText(data.plan.find(quality.cellId)->config)] +=
            quality.find("loss").value_or(0.0);
    ASSERT_EQ(loss.size(), 4U) << "bf16 as well";
    const double usual = loss["gptq-int4-128:samples=8:set=own"];
    EXPECT_GT(usual, loss["bf16"]);
    EXPECT_EQ(loss["gptq-int4-128:block=32:samples=8:set=own"], usual);
    EXPECT_NE(loss["gptq-int4-128:damp=0.1:samples=8:set=own"], usual);
}

TEST_F(ResearchPreset, RoundingMovesTheLossOfATextAndGptqLess)
{
    std::vector<std::string> options = kShortTexts;
    options.insert(options.end(),
                   {"--set", "precision=bf16,int8wo,int4wo-128,gptq-int4-128:samples=8:set=own",
                    "--set", "new_tokens=0,8"});
    ASSERT_NO_FATAL_FAILURE(
        measureAndExport("gptq_compile/text_quick.json", options, "gptq-benchmark"));
    const RunData data = readRunFolder(m_run).value();
    std::map<std::string, double> loss;  // by scheme, summed over the samples
    std::map<std::string, double> equal;
    for (const OutputQuality& quality : data.qualities) {
        const std::string scheme = precisionText(data.plan.find(quality.cellId)->config);
        const std::string name = scheme.substr(0, scheme.find(':'));
        loss[name] += quality.find("loss").value_or(0.0) / 16.0;
        equal[name] += quality.find("token_agreement").value_or(0.0) / 16.0;
    }
    EXPECT_LT(loss["bf16"], 1.2) << "nats a byte: it is trained";
    EXPECT_NEAR(loss["int8wo"], loss["bf16"], 0.005);
    EXPECT_GT(loss["int4wo-128"], loss["bf16"] + 0.02);
    EXPECT_GT(loss["gptq-int4-128"], loss["bf16"]);
    EXPECT_LT(loss["gptq-int4-128"], loss["int4wo-128"] - 0.005);
    EXPECT_GT(equal["int8wo"], equal["int4wo-128"]);
}

TEST_F(ResearchPreset, GivesTheFilesOfItsDocument)
{
    ASSERT_NO_FATAL_FAILURE(measureAndExport("vitok/quick_matrix.json",
                                             {"--set", "noise_floor=false"}, "vitok-benchmark"));
    EXPECT_THAT(m_said, HasSubstr("claim"));
    const RunData data = readRunFolder(m_run).value();
    ASSERT_EQ(data.measurements.size(), 4U);
    for (const Measurement& row : data.measurements)
        EXPECT_EQ(row.result.distinctBatches, 4);
    std::map<std::string, Json> configs;
    const Json results = exported("benchmark_results.json");
    for (const Json& each : results)
        configs[each["config"].get<std::string>()] = each;
    for (const char* name : {"bf16_baseline", "fp8_only", "int8_weight_only"}) {
        ASSERT_TRUE(configs.contains(name)) << name;
        EXPECT_GT(configs[name]["mean_latency_ms"], 0.0) << name;
        EXPECT_TRUE(configs[name]["peak_memory_gb"].is_null()) << name;
    }
    EXPECT_EQ(configs["bf16_baseline"]["ssim_vs_baseline"], 1.0);
    EXPECT_GT(configs["int8_weight_only"]["ssim_vs_baseline"], 0.9);
    EXPECT_LT(configs["int8_weight_only"]["ssim_vs_baseline"], 1.0);
    const Json float8 = exported("float8_inference.json");
    ASSERT_EQ(float8.size(), 1U);
    EXPECT_EQ(float8[0]["config"], "fp8_only");
    EXPECT_EQ(float8[0]["float8_has_nan"], false);
    // The demo model is trained, so that its reconstructions are judged.
    const Json evaluated = exported("eval_vae.json");
    EXPECT_EQ(evaluated.size(), 4U);
    for (const Json& each : evaluated) {
        EXPECT_TRUE(configs.contains(each["config"].get<std::string>()));
        EXPECT_GT(each["ssim"], 0.5);
        EXPECT_GT(each["psnr"], 15.0);
        EXPECT_EQ(each["samples"], 8);
    }
}

TEST_F(ResearchPreset, TakesImagesOfOtherShapesAndWindows)
{
    ASSERT_NO_FATAL_FAILURE(measureAndExport("vitok/quick_shapes.json",
                                             {"--filter", "precision=bf16"}, "vitok-benchmark"));
    const RunData data = readRunFolder(m_run).value();
    ASSERT_EQ(data.measurements.size(), 6U);
    std::map<std::string, double> ssim;  // against the part of the input that was taken
    for (const OutputQuality& quality : data.qualities) {
        const Sizes& sizes = data.plan.find(quality.cellId)->config.sizes;
        std::string shape;
        for (const char* size : {"image_height", "image_width", "token_budget", "attention_window"})
            shape += std::to_string(sizes.at(size)) + " ";
        if (quality.referenceId == kInputId)
            ssim[shape] += quality.find("ssim").value_or(0.0) / 8.0;
    }
    ASSERT_EQ(ssim.size(), 6U);
    EXPECT_GT(ssim["0 0 0 0 "] - ssim["0 0 0 8 "], 1e-5);
    // Other pixels than those taken would be nothing alike.
    EXPECT_GT(ssim["44 0 0 0 "], 0.5);
    EXPECT_GT(ssim["0 44 0 0 "], 0.5);
    EXPECT_NEAR(ssim["0 0 100 0 "], ssim["0 0 0 0 "], 1e-3) << "what fills up is masked";
    int windows = 0;
    for (const Json& each : exported("eval_vae.json"))
        windows += each["swa_window"].is_null() ? 0 : 1;
    EXPECT_EQ(windows, 2);
}

}  // namespace
