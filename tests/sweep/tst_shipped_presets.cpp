#include "core/model/family_registry.h"
#include "core/quant/scheme.h"
#include "core/stats/paired_difference.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset.h"
#include "core/sweep/speed_baseline_name.h"
#include "core/sweep/worker_variables.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace qs::core {
namespace {

std::filesystem::path presetFolder()
{
    return tests::dataFile("../presets");
}

Json schema()
{
    return readJsonFile(presetFolder() / "sweep.schema.json").value();
}

std::set<std::string> keysOf(const Json& object)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

std::vector<ExpandedCell> cellsOf(const std::string& file)
{
    const auto preset = readPreset(presetFolder() / file);
    EXPECT_TRUE(preset.ok()) << (preset.ok() ? "" : preset.error().message);
    return expandCells(preset.value(), false).value();
}

struct Shipped {
    std::size_t swept;
    std::size_t added;  // references and noise-floor runs
};

const std::map<std::string, Shipped>& shipped()
{
    static const std::map<std::string, Shipped> kShipped{
        // fp32 and the reference are swept, the rerun is added for each batch.
        {"quick_start/demo_cpu.json", {16, 4}},
        {"quick_start/demo_example.json", {40, 8}},
        {"quick_start/demo_gpu.json", {30, 6}},
        // fp32, the rerun and the graph for each of two batches.
        {"quick_start/energy.json", {4, 6}},
        {"vitok/h200_350m.json", {36, 6}},
        {"vitok/h200_5b_cell.json", {1, 0}},
        // fp32 and the rerun for each of two batches.
        {"vitok/compile_modes_350m.json", {42, 4}},
        // bf16 in three modes, int8dq and float8dq-row in two, int8wo in one, for each of two
        // batches.
        {"vitok/fused_350m.json", {16, 0}},
        // Each of four precisions in two modes at nine batches, and bf16 eager at each.
        {"vitok/fused_batches_350m.json", {72, 9}},
        // fp32, the rerun and the graph.
        {"vitok/compile_int8_research.json", {12, 3}},
        {"vitok/research_stages_compiled.json", {10, 3}},
        // The same for each of two batches.
        {"vitok/research_encode_decode.json", {42, 6}},
        {"vitok/research_attention_mlp.json", {42, 6}},
        {"vitok/research_batches_1024px.json", {45, 0}},
        {"vitok/quick_matrix.json", {4, 2}},
        {"vitok/quick_encode_decode.json", {6, 2}},
        {"vitok/quick_attention_mlp.json", {6, 3}},
        {"vitok/quick_batches.json", {8, 0}},
        // Six shapes in two precisions, bf16 among them; seven in two modes.
        {"vitok/quick_shapes.json", {12, 0}},
        {"vitok/research_shapes_1024px.json", {28, 0}},
        // Eager on two devices at five batches, compiled at two; bf16 again on both, and as a
        // graph.
        {"resnet_precision/guide.json", {49, 15}},
        {"resnet_precision/quick.json", {10, 0}},
        // The reference of each batch; without noise-floor runs.
        {"olmoearth/int8_baseline.json", {16, 8}},
        {"olmoearth/int8_batch_sweep.json", {16, 8}},
        {"olmoearth/int8_mode_comparison.json", {3, 1}},
        {"olmoearth/w8a8_vs_w8.json", {3, 1}},
        {"olmoearth/compile_mode_sweep.json", {4, 1}},
        // Of both attention kernels.
        {"olmoearth/int8_vs_fp16.json", {2, 2}},
        {"olmoearth/int8_batch_cross.json", {6, 6}},
        {"olmoearth/research.json", {43, 0}},
        {"olmoearth/axes.json", {27, 0}},
        {"olmoearth/quick.json", {14, 0}},
        {"quick_start/llama_gpu.json", {12, 4}},
        {"quick_start/resnet18_gpu.json", {18, 6}},
        // Four ways; the reference makes passes.
        {"gptq_compile/tinyllama.json", {4, 1}},
        {"gptq_compile/qwen3b.json", {4, 1}},
        {"gptq_compile/blocksize_64.json", {4, 1}},
        {"gptq_compile/blocksize_256.json", {4, 1}},
        {"gptq_compile/one_process.json", {2, 1}},
        {"gptq_compile/quick.json", {5, 1}},
        {"gptq_compile/quick_options.json", {8, 1}},
        {"gptq_compile/text_quick.json", {8, 0}},
        {"gptq_compile/numerical_check.json", {7, 0}},
        {"surgical_compile/quick.json", {8, 0}},
        // Three models, three precisions, eager, two choices of regions and kernels of ours.
        {"surgical_compile/production.json", {36, 0}},
        // 16 subsets in two precisions, the document's, and three modes of whole stages.
        {"surgical_compile/subsets_1b.json", {40, 0}},
        {"surgical_compile/subsets_3b.json", {40, 0}},
        {"surgical_compile/subsets_8b.json", {40, 0}},
        {"surgical_compile/rope_alone.json", {8, 0}},
        {"surgical_compile/mini.json", {4, 0}},
        {"surgical_compile/steady_state.json", {12, 3}},
        // The rerun for each batch.
        {"quick_start/schemes_cpu.json", {17, 1}},
        {"quick_start/schemes_gpu.json", {102, 2}},
    };
    return kShipped;
}

TEST(ShippedPresets, EachIsReadAndExpands)
{
    std::set<std::string> present;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(presetFolder())) {
        if (entry.is_regular_file() && entry.path().filename() != "sweep.schema.json")
            present.insert(std::filesystem::relative(entry.path(), presetFolder()).string());
    }
    std::set<std::string> listed;
    for (const auto& [file, counts] : shipped()) {
        listed.insert(file);
        const auto cells = cellsOf(file);
        const auto swept = static_cast<std::size_t>(std::count_if(
            cells.begin(), cells.end(), [](const auto& c) { return c.role == CellRole::Swept; }));
        EXPECT_EQ(swept, counts.swept) << file;
        EXPECT_EQ(cells.size() - swept, counts.added) << file;
    }
    EXPECT_EQ(present, listed);
}

TEST(ShippedPresets, EachHasWhatOneNeedsToChooseIt)
{
    std::set<std::string> names;
    for (const auto& [file, counts] : shipped()) {
        const Preset preset = readPreset(presetFolder() / file).value();
        EXPECT_TRUE(names.insert(preset.name).second) << file;
        EXPECT_GT(preset.description.size(), 60U) << file;
        // As many as a verdict on quality needs among any number of cells; who has fewer says why.
        EXPECT_LE(preset.pictures.count, 16) << file;
        if (preset.pictures.count < 16) {
            EXPECT_FALSE(file.starts_with("quick_start/")) << file;
            EXPECT_THAT(preset.description, testing::HasSubstr("images are enough")) << file;
        }
        // With fewer nothing is ever said to be worse.
        EXPECT_TRUE(!preset.defaults.model.starts_with("demo") ||
                    preset.pictures.count >= static_cast<int>(kFewestPictures))
            << file;
        for (const Phase phase : {Phase::Load, Phase::Warmup, Phase::Measure})
            EXPECT_TRUE(preset.measurement.phaseLimitSeconds.contains(phase))
                << file << kPhaseNames.of(phase);
    }
}

// A process and a cell of the demo model together take up to 4.4 s on an H200.
TEST(ShippedPresets, TheFirstSweepOnAGpuIsAMatterOfThreeMinutes)
{
    constexpr double kSecondsOfCell = 4.4;
    const Preset preset = readPreset(presetFolder() / "quick_start/demo_gpu.json").value();
    const auto cells = static_cast<double>(cellsOf("quick_start/demo_gpu.json").size());
    EXPECT_LE(kSecondsOfCell * cells * preset.rounds, 180.0);
}

// A scheme that is added to the registry has to be added to them, too.
TEST(ShippedPresets, TheSweepsOfEveryPrecisionHaveAllThatTheirDeviceComputes)
{
    const auto swept = [](const char* file) {
        std::set<std::string> texts;
        for (const ExpandedCell& cell : cellsOf(file)) {
            if (cell.role == CellRole::Swept)
                texts.insert(precisionText(cell.config));
        }
        return texts;
    };
    const auto onCpu = swept("quick_start/schemes_cpu.json");
    const auto onGpu = swept("quick_start/schemes_gpu.json");
    std::set<std::string> refused;
    for (const Scheme& scheme : offeredSchemes()) {
        EXPECT_TRUE(onGpu.contains(scheme.text())) << scheme.text();
        EXPECT_EQ(onCpu.contains(scheme.text()), scheme->needs.cpu) << scheme.text();
        if (!scheme->needs.cpu)
            refused.insert(scheme.text());
    }
    EXPECT_EQ(refused, std::set<std::string>{"tf32"});
}

TEST(ShippedPresets, TheDemoNeedsNoGpu)
{
    for (const ExpandedCell& cell : cellsOf("quick_start/demo_cpu.json")) {
        EXPECT_EQ(cell.config.device, "cpu");
        EXPECT_EQ(cell.config.compile, "none");
        EXPECT_EQ(cell.config.model, "demo");
    }
}

TEST(ShippedPresets, TheResearchPresetHoldsTheSixConfigurationsOfItsSource)
{
    std::set<std::string> found;
    for (const ExpandedCell& cell : cellsOf("vitok/compile_int8_research.json"))
        found.insert(precisionText(cell.config) + " " + cell.config.compile);
    for (const char* scheme : {"bf16", "float8dq-tensor", "int8wo"}) {
        EXPECT_TRUE(found.contains(std::string(scheme) + " none"));
        EXPECT_TRUE(found.contains(std::string(scheme) + " inductor-reduce-overhead"));
    }
}

// The schema and the reader must know the same members.
TEST(PresetSchema, KnowsTheMembersOfTheReader)
{
    const Json document = schema();
    Preset preset;
    preset.defaults.model = "demo";
    preset.defaults.inputs = "pinned";  // the usual ones are not written
    preset.defaults.env = "OMP_NUM_THREADS=2";
    preset.defaults.workload = "quantize";
    preset.measurement.compileWarmupSamples = 1;
    preset.measurement.warmupSamples = 1;
    for (const SizeSpec& size : knownSizes())
        preset.defaults.sizes.set(size.name, size.fallback);
    preset.measurement.phaseLimitSeconds = {
        {Phase::Load, 1},   {Phase::Calibrate, 1}, {Phase::Quantize, 1}, {Phase::Compile, 1},
        {Phase::Warmup, 1}, {Phase::Measure, 1},   {Phase::Outputs, 1}};
    preset.price = {2.5, "USD"};
    preset.feeding.trained = true;
    preset.calibration.pictures.source = "pictures";
    preset.feeding.labels = "labels.txt";
    Gate gate = gateFromText("speedup > 1 for precision=int8dq; batch=4").value();
    gate.model = "demo";
    gate.layers = "mlp";
    gate.device = "cpu";
    preset.claims = {{"fast", "a document", {gate}, "none", "bf16-eager"}};
    const Json written = toJson(preset);
    std::set<std::string> members = keysOf(written);
    members.insert("$schema");
    const Json& properties = document["properties"];
    EXPECT_EQ(keysOf(properties), members);
    EXPECT_EQ(keysOf(properties["measurement"]["properties"]), keysOf(written["measurement"]));
    EXPECT_EQ(keysOf(properties["measurement"]["properties"]["phase_limit_seconds"]["properties"]),
              keysOf(written["measurement"]["phase_limit_seconds"]));
    EXPECT_EQ(keysOf(properties["pictures"]["properties"]), keysOf(written["pictures"]));
    EXPECT_EQ(keysOf(properties["claims"]["items"]["properties"]), keysOf(written["claims"][0]));
    EXPECT_EQ(keysOf(properties["price"]["properties"]), keysOf(written["price"]));
    EXPECT_EQ(keysOf(document["$defs"]["cell"]["properties"]), keysOf(written["defaults"]));
    const std::set<std::string> variables(allowedVariables().begin(), allowedVariables().end());
    EXPECT_EQ(keysOf(document["$defs"]["env"]["anyOf"][1]["properties"]), variables);
    EXPECT_EQ(document["$defs"]["baselineName"]["enum"].get<std::vector<std::string>>(),
              speedBaselineNames());
    const std::set<std::string> axes(axisNames().begin(), axisNames().end());
    EXPECT_EQ(keysOf(document["$defs"]["axes"]["properties"]), axes);
    EXPECT_EQ(document["$defs"]["axisName"]["enum"].get<std::set<std::string>>(), axes);
}

TEST(PresetSchema, StatesTheDefaultsOfTheReader)
{
    const Json document = schema();
    std::vector<JsonIssue> issues;
    const Json smallest =
        parseJson(R"({"schema_version": 1, "name": "n", "defaults": {"model": "demo"}})", "t")
            .value();
    const Json written = toJson(presetFromJson(smallest, issues));
    const auto check = [](const Json& properties, const Json& values) {
        int checked = 0;
        for (const auto& [name, property] : properties.items()) {
            if (property.contains("default")) {
                EXPECT_EQ(property["default"], values[name]) << name;
                ++checked;
            }
        }
        return checked;
    };
    const Json& properties = document["properties"];
    EXPECT_EQ(check(properties, written), 7);
    EXPECT_EQ(check(properties["measurement"]["properties"], written["measurement"]), 12);
    EXPECT_EQ(check(properties["pictures"]["properties"], written["pictures"]), 3);
    EXPECT_EQ(check(document["$defs"]["cell"]["properties"], written["defaults"]), 8);
}

}  // namespace
}  // namespace qs::core
