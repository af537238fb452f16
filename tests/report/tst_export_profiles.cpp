// What the scripts of documents would have written: every field of theirs, filled or null with the
// reason.
#include "core/report/profiles/export_profile.h"

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/image/picture.h"
#include "core/record/run_folder.h"
#include "core/report/profiles/profile_cells.h"
#include "core/report/profiles/profile_registry.h"
#include "core/report/profiles/resnet_run.h"
#include "core/report/profiles/vitok_pictures.h"
#include "core/report/report_folder.h"
#include "tests/analysis/analysis_data.h"
#include "tests/report/profile_runs.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::contentOf;
using tests::gptqRun;
using tests::TestFolder;
using tests::valueOf;

// Of the three models of the ResNet script and the compiled one that it began with.
std::vector<std::string> timingFields()
{
    std::vector<std::string> fields{"batch_size", "parameters"};
    const std::vector<std::string> models{"orig", "quant", "gpu_quant", "gpu_compiled"};
    for (const char* end : {"_size", "_memory", "_time", "_first_batch", "_conversion"}) {
        for (const std::string& model : models)
            fields.push_back(model + end);
    }
    for (const std::string& model : models)
        fields.push_back("total_" + model + "_time");
    for (const char* rest :
         {"fp16_vs_fp32_speedup", "fp16_vs_int8_speedup", "int8_vs_fp32_speedup",
          "gpu_vs_gpu_compiled_speedup", "quant_output_difference", "quant_top1_agreement",
          "gpu_quant_output_difference", "gpu_quant_top1_agreement", "orig_accuracy",
          "quant_accuracy", "gpu_quant_accuracy", "gpu_memory_delta", "tensor_cores_available"})
        fields.emplace_back(rest);
    return fields;
}

// As the documents have them, and `config` where a list names what the script had a file for or
// did not tell apart.
const std::map<std::string, std::map<std::string, std::vector<std::string>>>& documentedFields()
{
    static const std::map<std::string, std::map<std::string, std::vector<std::string>>> kFields{
        {"vitok-benchmark",
         {{"benchmark_results.json",
           {"config", "mean_latency_ms", "std_latency_ms", "throughput_img_per_sec",
            "peak_memory_gb", "outputs", "ssim_vs_baseline"}},
          {"float8_inference.json",
           {"config", "ssim_between_modes", "max_abs_diff", "bf16_has_nan", "float8_has_nan",
            "bf16_latency_ms", "float8_latency_ms", "speedup", "bf16_peak_memory_gb",
            "float8_peak_memory_gb", "memory_reduction_pct", "encoder_gflops", "decoder_gflops",
            "total_gflops", "passed"}},
          {"eval_vae.json",
           {"config",
            "fid",
            "fdd",
            "ssim",
            "psnr",
            "model",
            "samples",
            "max_size",
            "crop_style",
            "data",
            "total_time_sec",
            "throughput_img_per_sec",
            "variant",
            "swa_window",
            "avg_batch_latency_ms",
            "avg_img_latency_ms",
            "batch_size",
            "compiled",
            "float8_mode",
            "float8_scope",
            "memory_allocated_gb",
            "memory_reserved_gb",
            "memory_max_gb",
            "encoder_gflops",
            "decoder_gflops",
            "total_gflops_per_img"}}}},
        {"olmoearth-throughput",
         {{"throughput.csv",
           {"GPU_TYPE", "gpu_name", "MODEL_SIZE", "BF16", "IMAGE_SIZE", "PATCH_SIZE",
            "NUM_TIMESTEPS", "BATCH_SIZE", "tokens_per_instance", "num_tokens_per_batch",
            "mean_batch_time", "mean_batch_token_rate", "square_km_per_second", "pixels_per_second",
            "oom_occurred", "USE_S1", "USE_S2", "USE_LANDSAT", "run_url"}}}},
        {"resnet-precision", {{"precision_timing.json", timingFields()}}},
        {"gptq-benchmark",
         {{"artifacts/qwen3b/baseline.json",
           {"scenario", "config", "mode", "times", "peak_memory_runs", "peak_memory", "mean_time",
            "variance_stats", "status"}},
          {"artifacts/qwen3b/compiled.json",
           {"scenario", "config", "mode", "cold_time", "warm_times", "peak_memory_runs",
            "peak_memory", "compile_stats", "cold_peak_memory", "warm_mean", "variance_stats",
            "compile_overhead", "status"}},
          {"artifacts/qwen3b/env_info.json",
           {"python_version", "torch_version", "torch_cuda_version", "cuda_available", "git_sha",
            "git_branch", "nvidia_driver", "gpu_count", "gpu_name", "gpu_vram_gb",
            "gpu_compute_capability", "compile_settings", "dynamo_config"}},
          {"artifacts/qwen3b/numerical_check.json",
           {"scenario", "logit_max_diff", "logit_mean_diff", "token_match_rate",
            "all_outputs_identical", "storage_size_proof"}},
          {"artifacts/qwen3b/memory_sentinel.json",
           {"status", "expected_mb", "measured_mb", "delta_mb", "within_tolerance", "tolerance_mb",
            "freed_correctly"}}}},
        {"surgical-compile",
         {{"surgical_results.json",
           {"config", "model_size", "parameters", "batch_size", "baseline_avg", "baseline_min",
            "surgical_avg", "surgical_min", "speedup", "improvement", "tensor_ops_percent",
            "allclose", "max_diff", "peak_mb", "baseline_mb", "model_size_mb"}}}}};
    return kFields;
}

RunData mixedRun()
{
    RunData data = tests::sampleRun({.withFailures = true});
    // A float8 cell beside the others.
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == tests::sampleCellId("int8dq", "cuda-graph", 4))
            cell.config.precision = {"float8dq-tensor"};
    }
    return data;
}

const ProfileRecord& recordOf(const ProfileTable& table, const std::string& name)
{
    const auto found = std::find_if(table.records.begin(), table.records.end(),
                                    [&](const ProfileRecord& each) { return each.name() == name; });
    EXPECT_NE(found, table.records.end()) << name;
    return *found;
}

// Eager and with compiled regions, in float8 and bf16; the last has no eager cell.
RunData surgicalRun(const std::string& folder)
{
    RunData data =
        tests::runOf({{.id = "eager", .precision = "float8-delayed"},
                      {.id = "rope", .precision = "float8-delayed", .compile = "regions:rope"},
                      {.id = "alone", .precision = "bf16", .compile = "regions:rope"}},
                     2);
    data.folder = folder;
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.model = "te-llama:1b";
        cell.output = OutputKind::Logits;
        if (cell.config.compile != "none") {
            cell.attentionShare = 0.1422;
            cell.compiled = CompiledShare{.flops = 0.0, .bytes = 0.25};
        }
    }
    for (int round = 0; round < 2; ++round) {
        tests::addRow(data, "eager", round, {0.040, 0.050});
        for (const char* id : {"rope", "alone"}) {
            CellResult& result = tests::addRow(data, id, round, {0.030, 0.030}).result;
            StageCompile package{.stage = "forward", .part = "rope", .calls = 16};
            package.time = PartTime{.bytes = 8, .eagerSeconds = 2e-3, .compiledSeconds = 1e-3};
            package.time->numerics = PartNumerics{.close = true, .largestDifference = 0.0009765625};
            result.compiles = {package};
        }
    }
    return data;
}

// With what the script of the document would have measured.
RunData runFor(const std::string& id, const std::string& folder)
{
    if (id == "surgical-compile")
        return surgicalRun(folder);
    return id == "gptq-benchmark" ? gptqRun() : mixedRun();
}

TEST(ExportProfiles, EveryFieldIsFilledOrNullWithAReason)
{
    ASSERT_EQ(exportProfiles().size(), documentedFields().size());
    for (const auto& [id, files] : documentedFields()) {
        const TestFolder folder;
        const ProfileContent content = contentOf(id, runFor(id, folder.path()));
        ASSERT_EQ(content.tables.size(), files.size()) << id;
        for (const ProfileTable& table : content.tables) {
            EXPECT_EQ(table.fields, files.at(table.file));
            EXPECT_FALSE(table.records.empty()) << table.file;
            std::set<std::string> names;
            for (const ProfileRecord& record : table.records) {
                std::vector<std::string> fields;
                for (const ProfileValue& value : record.values()) {
                    fields.push_back(value.field);
                    EXPECT_TRUE(!value.value.is_null() || !value.reason.empty())
                        << table.file << " " << record.name() << " " << value.field;
                }
                EXPECT_EQ(fields, table.fields) << record.name();
                names.insert(record.name());
            }
            EXPECT_EQ(names.size(), table.records.size()) << "reasons name their record";
        }
    }
}

TEST(ExportProfiles, FilesAreNoneOfTheReport)
{
    const std::vector<std::string> ofReport = reportFileNames();
    for (const ExportProfile& profile : exportProfiles()) {
        const TestFolder folder;
        const ProfileContent content = contentOf(profile.id, runFor(profile.id, folder.path()));
        std::vector<std::string> files;
        for (const ProfileTable& table : content.tables)
            files.push_back(table.file);
        for (const ProfileText& text : content.texts)
            files.push_back(text.file);
        for (const std::string& file : files)
            EXPECT_EQ(std::count(ofReport.begin(), ofReport.end(), file), 0)
                << profile.id << " " << file << ": --md and others go into the same folder";
    }
}

TEST(ExportProfiles, UnknownOnesAreRefusedWithTheNamesOfAll)
{
    const auto unknown = findExportProfile("vitok");
    ASSERT_FALSE(unknown.ok());
    for (const ExportProfile& profile : exportProfiles())
        EXPECT_THAT(unknown.error().message, HasSubstr(profile.id));
}

TEST(ExportProfiles, VitokTimesAreThoseOfTheClockOfTheHost)
{
    RunData data = tests::runOf({{.id = "base"},
                                 {.id = "fp8", .precision = "float8dq-tensor", .reference = "base"},
                                 {.id = "crash", .precision = "int8wo", .reference = "base"}},
                                2);
    data.plan.cells[0].referenceId = "base";
    tests::addRow(data, "base", 0, {0.010, 0.030});
    tests::addRow(data, "base", 1, {0.020, 0.020});
    tests::addRow(data, "fp8", 0, {0.010, 0.010});
    tests::addRow(data, "fp8", 1, {0.010, 0.010});
    tests::addFailure(data, "crash", 0, FailureKind::OutOfMemory);
    const ProfileContent content = contentOf("vitok-benchmark", data);
    const ProfileTable& table = content.tables[0];
    const ProfileRecord& base = recordOf(table, "bf16_baseline");
    EXPECT_DOUBLE_EQ(valueOf(base, "mean_latency_ms").value.get<double>(), 20.0);
    // Of 10, 30, 20, 20 around 20, divided by four.
    EXPECT_NEAR(valueOf(base, "std_latency_ms").value.get<double>(), std::sqrt(50.0), 1e-9);
    EXPECT_DOUBLE_EQ(valueOf(base, "throughput_img_per_sec").value.get<double>(), 50.0);
    EXPECT_TRUE(valueOf(base, "peak_memory_gb").value.is_null());
    EXPECT_TRUE(valueOf(base, "ssim_vs_baseline").value.is_null());
    const ProfileRecord& failed = recordOf(table, "int8_weight_only");
    EXPECT_TRUE(valueOf(failed, "mean_latency_ms").value.is_null());
    const ProfileRecord& fp8 = recordOf(content.tables[1], "fp8_only");
    EXPECT_DOUBLE_EQ(valueOf(fp8, "speedup").value.get<double>(), 2.0);
    EXPECT_EQ(valueOf(fp8, "float8_has_nan").value, Json(false));
    EXPECT_THAT(content.texts[0].text, HasSubstr("Best config: fp8\\_only (10.00 ms)"));
    EXPECT_THAT(content.texts[0].text, HasSubstr("2.00x"));
}

// A pass of a larger batch or image takes longer, and is no worse for it.
TEST(ExportProfiles, VitokHasABestConfigurationForEachBatchAndShape)
{
    RunData data = tests::runOf({{.id = "one"},
                                 {.id = "fp8", .precision = "float8dq-tensor"},
                                 {.id = "four", .batch = 4},
                                 {.id = "fp8four", .precision = "float8dq-tensor", .batch = 4},
                                 {.id = "large", .batch = 4}},
                                1);
    data.plan.cells[4].config.sizes.set("image_size", 512);
    for (const auto& [id, seconds] :
         {std::pair{"one", 0.010}, std::pair{"fp8", 0.011}, std::pair{"four", 0.030},
          std::pair{"fp8four", 0.020}, std::pair{"large", 0.080}})
        tests::addRow(data, id, 0, {seconds});
    const std::string text = contentOf("vitok-benchmark", data).texts[0].text;
    for (const char* milliseconds : {"(10.00 ms)", "(20.00 ms)", "(80.00 ms)"})
        EXPECT_THAT(text, HasSubstr(milliseconds));
    EXPECT_THAT(text, testing::Not(HasSubstr("(11.00 ms)")));
    EXPECT_THAT(text, testing::Not(HasSubstr("(30.00 ms)")));
}

// A figure that needs two cells lacks it for what the one of them lacks that is missing.
TEST(ExportProfiles, ReasonsAreThoseOfTheCellThatIsMissing)
{
    RunData data = tests::runOf({{.id = "base"},
                                 {.id = "fp8", .precision = "float8dq-tensor", .reference = "base"},
                                 {.id = "alone", .precision = "float8dq-tensor", .batch = 4}},
                                1);
    tests::addFailure(data, "base", 0, FailureKind::OutOfMemory);
    tests::addRow(data, "fp8", 0, {0.010});
    tests::addRow(data, "alone", 0, {0.010});
    const ProfileContent content = contentOf("vitok-benchmark", data);
    const std::string failure =
        valueOf(recordOf(content.tables[0], "bf16_baseline"), "mean_latency_ms").reason;
    const ProfileRecord& fp8 = content.tables[1].records[0];
    const ProfileRecord& alone = content.tables[1].records[1];
    for (const char* field :
         {"bf16_has_nan", "bf16_latency_ms", "speedup", "bf16_peak_memory_gb"}) {
        EXPECT_EQ(valueOf(fp8, field).reason, failure) << field;
        EXPECT_TRUE(valueOf(alone, field).value.is_null());
        EXPECT_NE(valueOf(alone, field).reason, failure) << field;
    }
    EXPECT_NE(valueOf(fp8, "float8_peak_memory_gb").reason, failure) << "it was measured, on a CPU";
}

TEST(ExportProfiles, OnlyACpuHasNoAllocator)
{
    RunData data = tests::runOf({{.id = "cpu"}, {.id = "gpu"}, {.id = "none"}}, 1);
    data.plan.cells[1].config.device = "cuda:0";
    tests::addRow(data, "cpu", 0, {0.010});
    tests::addRow(data, "gpu", 0, {0.010});
    const Analysis analysis = analyse(data, "bf16-eager");
    std::set<std::string> reasons;
    for (const CellSummary& cell : analysis.cells)
        reasons.insert(whyNoMemory(cell));
    EXPECT_EQ(reasons.size(), 3U);
    EXPECT_EQ(whyNoMemory(analysis.cells[2]), whyNoFigures(analysis.cells[2]));
}

FloatArray picture(float value, float corner)
{
    FloatArray array{{3, 16, 16}, std::vector<float>(std::size_t{3} * 16 * 16, value)};
    for (std::size_t i = 0; i < array.values.size(); i += 7)
        array.values[i] += 0.01F * static_cast<float>(i % 13);
    array.values.front() = corner;
    return array;
}

TEST(ExportProfiles, VitokPicturesAreComparedAsTorchmetricsDoes)
{
    const TestFolder folder;
    RunData data = tests::runOf({{.id = "base"}, {.id = "quant", .reference = "base"}}, 1);
    data.folder = folder.path();
    for (PlannedCell& cell : data.plan.cells) {
        cell.referenceId = "base";
        cell.trained = true;
        cell.output = OutputKind::Image;
        cell.config.sizes.set("image_size", 16);
        Measurement& row = tests::addRow(data, cell.id, 0, {0.01});
        row.result.outputs = {{0, "output_0.npy", "x"}};
    }
    const FloatArray reference = picture(0.25F, 1.5F);  // beyond what is seen
    FloatArray shifted = reference;
    for (float& value : shifted.values)
        value += 0.1F;
    for (const auto& [id, array] : {std::pair{"base", reference}, std::pair{"quant", shifted}}) {
        std::filesystem::create_directories(folder.path() / "cells" / id);
        ASSERT_TRUE(writeNpy(outputArray(folder.path(), id, 0), array).ok());
    }
    std::filesystem::create_directories(folder.path() / "inputs");
    FloatArray inputs = reference;
    inputs.shape.insert(inputs.shape.begin(), 1);
    ASSERT_TRUE(writeNpy(inputArray(folder.path(), 16), inputs).ok());
    const Analysis analysis = analyse(data, "bf16-eager");
    const auto against = picturesAgainstReference(data, analysis, 5);
    EXPECT_DOUBLE_EQ(*against.at("base").ssim, 1.0);
    EXPECT_EQ(against.at("quant").pictures, 1);
    EXPECT_LT(*against.at("quant").ssim, 1.0);
    EXPECT_NEAR(*against.at("quant").maximumDifference, 0.1, 1e-6);
    // 10 log10(4 / 0.01)
    EXPECT_NEAR(*against.at("quant").psnr, 26.0206, 1e-3);
    EXPECT_EQ(picturesAgainstReference(data, analysis, 0).at("quant").pictures, 0);
    const auto reconstruction = picturesAgainstInput(data, analysis);
    EXPECT_DOUBLE_EQ(*reconstruction.at("base").ssim, 1.0) << "both are clamped";
    ASSERT_TRUE(writeFileAtomically(inputArray(folder.path(), 16).path(), "no array").ok());
    const std::string reason = picturesAgainstInput(data, analysis).at("base").reason;
    EXPECT_THAT(reason, testing::Not(testing::AnyOf(testing::IsEmpty(), HasSubstr("/"))));
    data.plan.cells[1].trained = false;
    EXPECT_FALSE(picturesAgainstInput(data, analyse(data, "bf16-eager")).at("quant").ssim);
}

// The float8 test of ViTok sees ten images, and the benchmark beside it five: the eighth is bad.
TEST(ExportProfiles, VitokJudgesFloat8ByTheImagesOfItsOwnTest)
{
    const TestFolder folder;
    RunData data = tests::runOf(
        {{.id = "base"}, {.id = "fp8", .precision = "float8dq-tensor", .reference = "base"}}, 1);
    data.folder = folder.path();
    for (PlannedCell& cell : data.plan.cells) {
        cell.referenceId = "base";
        cell.trained = true;
        cell.output = OutputKind::Image;
        cell.config.sizes.set("image_size", 16);
        Measurement& row = tests::addRow(data, cell.id, 0, {0.01});
        std::filesystem::create_directories(folder.path() / "cells" / cell.id);
        for (int i = 0; i < 12; ++i) {
            const bool bad = cell.id == "fp8" && i == 7;
            row.result.outputs.push_back({i, "output_" + std::to_string(i) + ".npy", "x"});
            ASSERT_TRUE(
                writeNpy(outputArray(folder.path(), cell.id, i), picture(bad ? -0.5F : 0.25F, 1.0F))
                    .ok());
        }
    }
    const ProfileContent content = contentOf("vitok-benchmark", data);
    const ProfileRecord& benchmark = recordOf(content.tables[0], "fp8_only");
    EXPECT_EQ(valueOf(benchmark, "ssim_vs_baseline").value.get<double>(), 1.0);
    const ProfileRecord& float8 = recordOf(content.tables[1], "fp8_only");
    EXPECT_LT(valueOf(float8, "ssim_between_modes").value.get<double>(), 0.99);
    EXPECT_NEAR(valueOf(float8, "max_abs_diff").value.get<double>(), 0.75, 1e-6);
    EXPECT_EQ(valueOf(float8, "passed").value, Json(false));
    for (const char* field : {"ssim_between_modes", "max_abs_diff", "passed"})
        EXPECT_THAT(valueOf(float8, field).reason, HasSubstr("10 outputs")) << field;
}

TEST(ExportProfiles, OlmoearthCountsTokensAndNamesItsRuns)
{
    RunData data = tests::runOf(
        {{.id = "a", .precision = "int8dq", .compile = "inductor-max-autotune", .batch = 128},
         {.id = "b"}},
        1);
    CellConfig& config = data.plan.cells[0].config;
    config.model = "olmoearth:base";
    config.device = "cuda:0";
    config.sizes = {{"tile_size", 64}, {"patch_size", 4}, {"time_steps", 12}};
    tests::addRow(data, "a", 0, {2.0, 2.0});
    const ProfileContent content = contentOf("olmoearth-throughput", data);
    const ProfileRecord& record = content.tables[0].records[0];
    EXPECT_EQ(record.name(), "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128");
    EXPECT_EQ(valueOf(record, "tokens_per_instance").value, Json(9216));
    EXPECT_EQ(valueOf(record, "num_tokens_per_batch").value, Json(1179648));
    EXPECT_DOUBLE_EQ(valueOf(record, "mean_batch_token_rate").value.get<double>(), 589824.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "pixels_per_second").value.get<double>(), 64.0);
    EXPECT_NEAR(valueOf(record, "square_km_per_second").value.get<double>(), 64 * 0.64 * 0.64,
                1e-9);
    EXPECT_EQ(valueOf(record, "USE_S2").value, Json(true));
    EXPECT_EQ(valueOf(record, "USE_LANDSAT").value, Json(false));
    // Another model has neither size nor tokens, and was not run.
    const ProfileRecord& other = content.tables[0].records[1];
    for (const char* field : {"MODEL_SIZE", "tokens_per_instance", "mean_batch_time"})
        EXPECT_TRUE(valueOf(other, field).value.is_null()) << field;
}

// Weights in a file are the same encoder or autoencoder as its name.
TEST(ExportProfiles, CheckpointsHaveTheVariantThatTheyAre)
{
    RunData data = tests::runOf({{.id = "a"}}, 1);
    PlannedCell& cell = data.plan.cells[0];
    cell.config.model = "weights:1.safetensors";
    cell.config.sizes = {{"tile_size", 64}, {"patch_size", 4}, {"time_steps", 12}};
    cell.architecture = "olmoearth:nano/s2+landsat";
    const ProfileContent encoder = contentOf("olmoearth-throughput", data);
    const ProfileRecord& record = encoder.tables[0].records[0];
    EXPECT_THAT(record.name(), testing::StartsWith("nano_"));
    EXPECT_EQ(valueOf(record, "MODEL_SIZE").value, Json("nano"));
    EXPECT_EQ(valueOf(record, "USE_S1").value, Json(false));
    EXPECT_EQ(valueOf(record, "USE_S2").value, Json(true));
    EXPECT_EQ(valueOf(record, "USE_LANDSAT").value, Json(true));
    EXPECT_FALSE(valueOf(record, "tokens_per_instance").value.is_null());
    const auto variant = [&] {
        const ProfileContent content = contentOf("vitok-benchmark", data);
        return valueOf(tests::fileOf(content, "eval_vae.json"), "variant").value;
    };
    EXPECT_TRUE(variant().is_null()) << "it is no autoencoder";
    cell.architecture = "vitok:w64_d2_h2/1x8x16";
    EXPECT_EQ(variant(), Json("w64_d2_h2/1x8x16"));
    cell.architecture.clear();
    EXPECT_TRUE(variant().is_null()) << "whatever its file is called";
    cell.config.model = "vitok:350M-f16x64";
    EXPECT_EQ(variant(), Json("350M-f16x64"));
}

TEST(ExportProfiles, FilesAreWrittenWithTheReasonsBesideThem)
{
    const TestFolder folder;
    const RunData data = mixedRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    for (const ExportProfile& profile : exportProfiles()) {
        const auto written = writeProfile(profile, data, analysis, folder / profile.id);
        ASSERT_TRUE(written.ok()) << written.error().message;
        for (const std::string& file : written.value())
            EXPECT_TRUE(std::filesystem::exists(folder / profile.id / file)) << file;
        const Json reasons = readJsonFile(folder / profile.id / kReasonsFile).value();
        EXPECT_EQ(reasons["profile"], profile.id);
        // An earlier export is replaced; what is somebody's is not.
        EXPECT_TRUE(writeProfile(profile, data, analysis, folder / profile.id).ok());
        const std::string strange = folder / (profile.id + "-own");
        std::filesystem::create_directories(strange);
        tests::writeFile(strange + "/" + written.value().front(), "mine");
        EXPECT_FALSE(writeProfile(profile, data, analysis, strange).ok());
    }
    const std::string csv = tests::readFile(folder / "olmoearth-throughput/throughput.csv");
    EXPECT_THAT(csv, testing::StartsWith("GPU_TYPE,gpu_name,MODEL_SIZE,BF16,IMAGE_SIZE,"));
    const Json results = readJsonFile(folder / "vitok-benchmark/benchmark_results.json").value();
    std::set<std::string> keys;
    for (const auto& [key, value] : results[0].items())
        keys.insert(key);
    const auto& fields = documentedFields().at("vitok-benchmark").at("benchmark_results.json");
    EXPECT_EQ(keys, std::set<std::string>(fields.begin(), fields.end()));
}

// fp32 and fp16 on a GPU, compiled, and int8dq on the processor, at one batch.
RunData resnetDevices()
{
    RunData data = tests::runOf(
        {{.id = "orig", .precision = "fp32", .batch = 256},
         {.id = "half", .precision = "fp16", .batch = 256},
         {.id = "compiled", .precision = "fp32", .compile = "inductor-default", .batch = 256},
         {.id = "int8", .precision = "int8dq:rule=tensor", .batch = 256}},
        2);
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.model = "resnet:18/10";
        cell.config.device = cell.id == "int8" ? "cpu" : "cuda:0";
    }
    const std::map<std::string, double> seconds{
        {"orig", 0.010}, {"half", 0.020}, {"compiled", 0.008}, {"int8", 0.050}};
    for (int round = 0; round < 2; ++round) {
        for (const auto& [id, each] : seconds) {
            Measurement& row = tests::addRow(data, id, round, {each, each});
            // 11,191,242 numbers, without the counters of the norms.
            row.result.memory.weightsResident = 11'191'242 * (id == "half" ? 2 : 4);
            row.result.phases = {
                {Phase::Load, 0.3}, {Phase::Quantize, 0.1}, {Phase::FirstPass, 2.5}};
        }
    }
    return data;
}

TEST(ExportProfiles, ResnetFiguresAreThoseOfTheModelsOfItsScript)
{
    const ProfileContent content = contentOf("resnet-precision", resnetDevices());
    const ProfileRecord& record = recordOf(content.tables[0], "batch 256");
    EXPECT_EQ(valueOf(record, "parameters").value, 11'181'642);
    EXPECT_DOUBLE_EQ(valueOf(record, "orig_time").value, 10.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "gpu_quant_time").value, 20.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "quant_time").value, 50.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "total_orig_time").value, 0.04);
    // What torch.save writes, see tests/oracle/test_resnet_golden.py; the document has 42.73.
    EXPECT_NEAR(valueOf(record, "orig_size").value.get<double>(), 42.73, 0.005);
    EXPECT_NEAR(valueOf(record, "gpu_quant_size").value.get<double>(), 21.38, 0.005);
    EXPECT_NEAR(valueOf(record, "orig_memory").value.get<double>(), 42.69, 0.005);
    EXPECT_NEAR(valueOf(record, "gpu_quant_memory").value.get<double>(), 21.35, 0.005);
    EXPECT_DOUBLE_EQ(valueOf(record, "gpu_quant_first_batch").value, 2500.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "gpu_quant_conversion").value, 400.0);
    EXPECT_DOUBLE_EQ(valueOf(record, "fp16_vs_fp32_speedup").value, 0.5);
    EXPECT_DOUBLE_EQ(valueOf(record, "fp16_vs_int8_speedup").value, 2.5);
    EXPECT_DOUBLE_EQ(valueOf(record, "gpu_vs_gpu_compiled_speedup").value, 1.25);
    EXPECT_TRUE(valueOf(record, "orig_accuracy").value.is_null());
    ASSERT_EQ(content.texts.size(), 1U);
    EXPECT_THAT(content.texts[0].text, HasSubstr("2.00x slower")) << "a slowdown is named one";
    EXPECT_THAT(content.texts[0].text, testing::Not(HasSubstr("0.50x")));
    EXPECT_THAT(content.texts[0].text, HasSubstr("2685.559")) << "what the document had before";
    // Without a GPU there is nothing to set against it.
    RunData processor = resnetDevices();
    for (PlannedCell& cell : processor.plan.cells)
        cell.config.device = "cpu";
    const ProfileContent onCpu = contentOf("resnet-precision", processor);
    EXPECT_THAT(onCpu.texts[0].text, testing::Not(HasSubstr("2685.559")));
}

// Whose rows name outputs that are not in the folder.
RunData devicesWithoutOutputs(const TestFolder& folder)
{
    RunData data = resnetDevices();
    data.folder = folder.path();
    for (Measurement& row : data.measurements)
        row.result.outputs = {{0, "output_0.npy", "x"}};
    return data;
}

// What the run found while it had its outputs is not lost with them.
TEST(ExportProfiles, DifferencesThatWereRecordedNeedNoOutputs)
{
    const TestFolder folder;
    RunData data = devicesWithoutOutputs(folder);
    Analysis analysis = analyse(data, "fp32-eager");
    const auto cellOf = [&](const char* id) {
        return &*std::find_if(analysis.cells.begin(), analysis.cells.end(),
                              [&](const CellSummary& each) { return each.cellId == id; });
    };
    CellSummary* half = cellOf("half");
    const ResnetRun run = resnetRun(data, analysis).value();
    EXPECT_FALSE(run.difference(half, cellOf("orig")).mean);
    half->golden = GoldenDistance{"orig", {.samples = {0, 1}}};
    half->golden->figures.metrics["mean_difference"].mean = 0.25;
    EXPECT_EQ(run.difference(half, cellOf("orig")).mean, 0.25);
    EXPECT_EQ(run.difference(half, cellOf("orig")).outputs, 2);
    EXPECT_FALSE(run.difference(half, cellOf("compiled")).mean) << "of another reference";
}

// The folder of a run can be without those of its cells, as the finished runs that come along.
TEST(ExportProfiles, OutputsThatAreNotInTheRunFolderAreSaidNotToBe)
{
    const TestFolder folder;
    RunData data = devicesWithoutOutputs(folder);
    const std::string absent = withoutPlace({ErrorCode::NotFound, ""}, "the outputs").message;
    const ProfileContent guide = contentOf("resnet-precision", data);
    const ProfileRecord& record = recordOf(guide.tables[0], "batch 256");
    for (const char* field : {"quant_output_difference", "gpu_quant_top1_agreement"})
        EXPECT_EQ(valueOf(record, field).reason, absent) << field;

    for (PlannedCell& cell : data.plan.cells)
        cell.output = OutputKind::Image;
    const auto outputs = [&] {
        const ProfileContent benchmark = contentOf("vitok-benchmark", data);
        return valueOf(benchmark.tables[0].records[0], "outputs").reason;
    };
    EXPECT_EQ(outputs(), absent);
    std::filesystem::create_directories(folder.path() / "cells" / "orig");
    ASSERT_TRUE(writeNpy(outputArray(folder.path(), "orig", 0), picture(0.25F, 1.0F)).ok());
    EXPECT_NE(outputs(), absent);
}

// In one process for several cells the first of a precision loads the weights.
TEST(ExportProfiles, ResnetConversionIsMissingForAReasonOfItsOwnWhereWeightsWereThere)
{
    RunData data = resnetDevices();
    for (Measurement& row : data.measurements)
        std::erase_if(row.result.phases,
                      [](const PhaseTime& each) { return each.phase == Phase::Load; });
    const ProfileContent content = contentOf("resnet-precision", data);
    const ProfileRecord& record = recordOf(content.tables[0], "batch 256");
    const ProfileValue& conversion = valueOf(record, "orig_conversion");
    EXPECT_TRUE(conversion.value.is_null());
    EXPECT_FALSE(valueOf(record, "orig_time").value.is_null());
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_NE(conversion.reason, whyNoFigures(*analysis.find("orig"))) << "it was measured";
}

TEST(ExportProfiles, SurgicalCellsStandAgainstTheSameEager)
{
    const TestFolder folder;
    const ProfileContent content = contentOf("surgical-compile", surgicalRun(folder.path()));
    ASSERT_EQ(content.tables[0].records.size(), 2U) << "an eager cell is no result of its own";
    const ProfileRecord& rope = content.tables[0].records[0];
    EXPECT_EQ(valueOf(rope, "model_size").value, "1b");
    EXPECT_EQ(valueOf(rope, "parameters").value, 940'638'208);
    EXPECT_DOUBLE_EQ(valueOf(rope, "baseline_avg").value, 45.0);
    EXPECT_DOUBLE_EQ(valueOf(rope, "baseline_min").value, 40.0);
    EXPECT_DOUBLE_EQ(valueOf(rope, "surgical_avg").value, 30.0);
    EXPECT_DOUBLE_EQ(valueOf(rope, "speedup").value, 1.5);
    EXPECT_DOUBLE_EQ(valueOf(rope, "improvement").value, 50.0);
    EXPECT_DOUBLE_EQ(valueOf(rope, "tensor_ops_percent").value, 14.22);
    EXPECT_TRUE(valueOf(rope, "max_diff").value.is_null()) << "no outputs were stored";
    const ProfileRecord& alone = content.tables[0].records[1];
    EXPECT_TRUE(valueOf(alone, "speedup").value.is_null());
    EXPECT_FALSE(valueOf(alone, "baseline_avg").reason.empty());
    const std::string& text = content.texts.at(0).text;
    EXPECT_THAT(text, HasSubstr("33.33 %")) << "of the time is saved, not 50";
    EXPECT_THAT(text, HasSubstr("25.00 %")) << "of the bytes";
    EXPECT_THAT(text, HasSubstr("| rope | default | yes | no | yes | 0.000977 |"));
}

TEST(ExportProfiles, WholeCompiledCellsOfTheBenchmarkArePaired)
{
    for (const char* model : {"rope:h32_x128", "te-llama:1b", "llama:tiny"}) {
        RunData data = tests::runOf({{.id = "eager"},
                                     {.id = "whole", .compile = "inductor-default"},
                                     {.id = "ours", .compile = "fused"},
                                     {.id = "recorded", .compile = "cuda-graph"}},
                                    1);
        for (PlannedCell& cell : data.plan.cells)
            cell.config.model = model;
        for (const PlannedCell& cell : data.plan.cells)
            tests::addRow(data, cell.id, 0, {cell.id == "eager" ? 0.003 : 0.001});
        const ProfileContent content = contentOf("surgical-compile", data);
        const auto& records = content.tables[0].records;
        if (std::string(model) == "llama:tiny") {
            EXPECT_TRUE(records.empty()) << "no model of the benchmark, no regions";
            continue;
        }
        ASSERT_EQ(records.size(), 2U) << model;
        for (const ProfileRecord& record : records)
            EXPECT_NEAR(valueOf(record, "speedup").value.get<double>(), 3.0, 1e-9) << model;
    }
}

TEST(ExportProfiles, HelpHasEachOfThem)
{
    const std::filesystem::path page =
        std::filesystem::path(QS_EXAMPLE_RUNS).parent_path() / "help/09_exports.md";
    const auto text = readTextFile(page, 1 << 20);
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (const ExportProfile& profile : exportProfiles())
        EXPECT_THAT(text.value(), HasSubstr("*" + profile.title + "*"));
}

// They have one name in the benchmark, which knows no rest of a scheme.
TEST(ExportProfiles, RunsOfOneNameAreToldApart)
{
    RunData data = tests::runOf(
        {{.id = "a", .precision = "int8dq"}, {.id = "b", .precision = "int8dq:rest=autocast"}});
    for (PlannedCell& cell : data.plan.cells)
        cell.config.model = "olmoearth:nano/s2";
    const std::string names = contentOf("olmoearth-throughput", data).texts.at(0).text;
    const auto end = names.find('\n');
    EXPECT_NE(names.substr(0, end), names.substr(end + 1, names.size() - end - 2)) << names;
}

}  // namespace
}  // namespace qs::core
