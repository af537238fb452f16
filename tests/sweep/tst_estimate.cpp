#include "core/sweep/estimate.h"

#include "core/model/catalogue.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

namespace qs::core {
namespace {

constexpr const char* kLarge = "vitok:350M-f16x64";
constexpr const char* kSmallModel = "vitok:w64_d1_h4/1x8x16";

const DeviceDescription& h200()
{
    return commonGpus().front();
}

DeviceDescription cpu(int threads)
{
    DeviceDescription device;
    device.id = "cpu";
    device.processors = threads;
    return device;
}

Model modelOf(const std::string& reference)
{
    return openModel(reference, {}, 42).value().model;
}

// Lowered once for all devices: sanitizers take a second for a large model.
const Program& programOf(const char* model, const char* scheme, std::int64_t batch,
                         const char* compile, std::int64_t imageSize)
{
    static std::map<std::tuple<std::string, std::string, std::int64_t, std::string, std::int64_t>,
                    Program>
        programs;
    const auto key = std::make_tuple(model, scheme, batch, compile, imageSize);
    if (const auto found = programs.find(key); found != programs.end())
        return found->second;
    const Model opened = modelOf(model);
    const auto recipe = makeRecipe(*opened.family, {scheme}, "all").value();
    const auto modes = parseCompileModes(compile, recipe.size()).value();
    return programs
        .emplace(
            key,
            lower(*opened.family, {recipe, tests::imageShape(batch, imageSize), modes}).value())
        .first->second;
}

PassWork workOf(const char* model, const char* scheme, std::int64_t batch,
                const DeviceDescription& device, const char* compile = "none",
                std::int64_t imageSize = 256)
{
    const Program& program = programOf(model, scheme, batch, compile, imageSize);
    return passWork(program, referenceStages(program, device).value(), device);
}

CellEstimate estimated(double pass, const Preset& preset, std::int64_t batch = 1)
{
    CellConfig cell;
    cell.batch = batch;
    return estimateCell({.pass = pass, .preparation = pass}, cell, modelOf(kSmallModel), h200(),
                        preset);
}

// Measured on an H200: 64.0 ms in bfloat16, 89 ms in float8 per row, batch 64, eager.
TEST(PassEstimate, IsWithinAFactorOfTwoOfWhatWasMeasured)
{
    const double bf16 = workOf(kLarge, "bf16", 64, h200()).pass;
    EXPECT_GT(bf16, 0.032);
    EXPECT_LT(bf16, 0.128);
    const double float8 = workOf(kLarge, "float8dq-row", 64, h200()).pass;
    EXPECT_GT(float8, 0.0445);
    EXPECT_LT(float8, 0.178);
    // 15.7 ms with the launches of Python; a graph has none.
    const double single = workOf(kLarge, "bf16", 1, h200()).pass;
    EXPECT_GT(single, 0.0039);
    EXPECT_LT(single, 0.0157);
    EXPECT_LT(workOf(kLarge, "bf16", 1, h200(), "cuda-graph").pass, 0.0035);
}

TEST(PassEstimate, NeverFallsWhenTheBatchGrows)
{
    for (const char* scheme : {"fp32", "tf32", "bf16", "bf16-autocast", "int8dq", "int8wo",
                               "float8dq-row", "float8wo"}) {
        for (const DeviceDescription& device : {h200(), cpu(2)}) {
            for (const char* mode : {"none", "cuda-graph"}) {
                double before = 0.0;
                // 16 tokens a picture: the int8 products of the first batch are padded.
                for (const std::int64_t batch : {1, 2, 3, 8, 1024}) {
                    const double pass = workOf(kSmallModel, scheme, batch, device, mode, 32).pass;
                    EXPECT_GE(pass, before) << scheme << " " << device.id << " " << batch;
                    before = pass;
                }
            }
        }
    }
}

TEST(PassEstimate, KnowsFasterDevicesAndTypes)
{
    const auto graphSeconds = [](const char* scheme, const DeviceDescription& device) {
        return workOf(kLarge, scheme, 16, device, "cuda-graph").pass;
    };
    EXPECT_LT(graphSeconds("bf16", h200()), graphSeconds("tf32", h200()));
    EXPECT_LT(graphSeconds("tf32", h200()), graphSeconds("fp32", h200()));
    for (const DeviceDescription& gpu : commonGpus()) {
        if (gpu.name != "NVIDIA B200")
            EXPECT_LE(graphSeconds("bf16", h200()), graphSeconds("bf16", gpu)) << gpu.name;
        else
            EXPECT_LT(graphSeconds("bf16", gpu), graphSeconds("bf16", h200()));
    }
    EXPECT_NEAR(graphSeconds("bf16", cpu(2)), 8 * graphSeconds("bf16", cpu(16)), 1e-6);
    EXPECT_GT(graphSeconds("bf16", cpu(16)), 20 * graphSeconds("bf16", h200()));
}

TEST(PassEstimate, AnUnknownNumberOfThreadsIsOne)
{
    EXPECT_EQ(workOf(kSmallModel, "bf16", 1, cpu(0)).pass,
              workOf(kSmallModel, "bf16", 1, cpu(1)).pass);
}

TEST(CellEstimate, FollowsTheMeasurementSettings)
{
    Preset preset;
    preset.measurement.minimumWarmupSeconds = 1.0;
    preset.measurement.maximumWarmupSeconds = 5.0;
    preset.measurement.minimumSampleSeconds = 2.0;
    preset.measurement.maximumSampleSeconds = 4.0;
    preset.measurement.minimumSamples = 10;
    preset.measurement.maximumSamples = 1000;
    const auto warmup = [&](double pass) { return estimated(pass, preset).warmup; };
    EXPECT_DOUBLE_EQ(warmup(1e-4), 1.0);   // three windows of 0.2 s would do
    EXPECT_DOUBLE_EQ(warmup(0.05), 2.4);   // three windows of 16 passes
    EXPECT_DOUBLE_EQ(warmup(0.5), 5.0);    // the limit
    EXPECT_DOUBLE_EQ(warmup(50.0), 50.0);  // one pass at least
    const auto measure = [&](double pass) { return estimated(pass, preset).measure; };
    EXPECT_DOUBLE_EQ(measure(1e-4), 0.1);  // the most samples
    EXPECT_DOUBLE_EQ(measure(0.01), 2.0);
    EXPECT_DOUBLE_EQ(measure(0.3), 3.0);
    EXPECT_DOUBLE_EQ(measure(1.0), 10.0);  // the fewest samples, whatever the limit
}

TEST(CellEstimate, CountsThePassesForEnergy)
{
    Preset preset;
    const auto energy = [&](double pass, const DeviceDescription& device) {
        return estimateCell({.pass = pass}, {}, modelOf(kSmallModel), device, preset).energy;
    };
    EXPECT_DOUBLE_EQ(energy(0.01, h200()), 0.0);
    preset.measurement.energySeconds = 10.0;
    EXPECT_DOUBLE_EQ(energy(0.01, h200()), 10.0);
    EXPECT_DOUBLE_EQ(energy(30.0, h200()), 30.0) << "one pass at least";
    EXPECT_DOUBLE_EQ(energy(0.01, cpu(2)), 0.0);
    EXPECT_NEAR(estimated(0.01, preset).total() - 10.0, estimated(0.01, {}).total(), 1e-9);
    preset.measurement.cache = CacheState::Cold;
    EXPECT_DOUBLE_EQ(energy(0.01, h200()), 0.0);
}

TEST(CellEstimate, CountsThePassesOfThePictures)
{
    Preset preset;
    preset.pictures.count = 16;
    const auto outputs = [&](std::int64_t batch) { return estimated(1.0, preset, batch).outputs; };
    EXPECT_NEAR(outputs(1) - outputs(16), 15.0, 1e-9);
    EXPECT_NEAR(outputs(15) - outputs(16), 1.0, 1e-9);
    EXPECT_DOUBLE_EQ(outputs(64), outputs(16));
    EXPECT_GT(outputs(16), 1.0);
}

TEST(CellEstimate, AddsUpItsPhases)
{
    const CellEstimate eager = estimated(0.01, {});
    EXPECT_DOUBLE_EQ(eager.total(), eager.start + eager.load + eager.compile + eager.warmup +
                                        eager.measure + eager.outputs);
    EXPECT_DOUBLE_EQ(eager.start, 1.0);
    EXPECT_DOUBLE_EQ(eager.compile, 0.01);
}

TEST(PassEstimate, CountsWhatModesDoOnce)
{
    const PassWork eager = workOf(kSmallModel, "bf16", 1, h200());
    EXPECT_DOUBLE_EQ(eager.preparation, eager.pass) << "the first pass";
    EXPECT_DOUBLE_EQ(eager.compile, 0.0) << "which compiles nothing";
    const PassWork graph = workOf(kSmallModel, "bf16", 1, h200(), "cuda-graph");
    EXPECT_DOUBLE_EQ(graph.preparation, 4.0 * graph.pass);
    EXPECT_DOUBLE_EQ(graph.compile, graph.preparation);
    const PassWork mixed = workOf(kSmallModel, "bf16", 1, h200(), "none/cuda-graph");
    EXPECT_GT(mixed.pass, graph.pass);
    EXPECT_LT(mixed.pass, eager.pass);
    EXPECT_LT(mixed.compile, graph.compile);
    const PassWork whole = workOf(kSmallModel, "bf16", 1, h200(), "inductor-default");
    const PassWork regions = workOf(kSmallModel, "bf16", 1, h200(), "regions:rope");
    EXPECT_GT(regions.packages, 0.0);
    EXPECT_LT(regions.packages, whole.packages) << "they are small";
}

// Seconds of the rows of example runs.
TEST(PassEstimate, KernelsAreWithinAFactorOfTwoOfWhatWasMeasured)
{
    for (const auto& [scheme, batch, seconds] :
         {std::tuple("bf16", 1, 2.36), std::tuple("int8dq", 1, 5.05),
          std::tuple("int8dq", 64, 4.43), std::tuple("float8dq-row", 64, 3.88)}) {
        const double found = workOf(kLarge, scheme, batch, h200(), "fused").packages;
        EXPECT_GT(found, seconds / 2.0) << scheme << batch;
        EXPECT_LT(found, seconds * 2.0) << scheme << batch;
    }
}

TEST(PassEstimate, KernelsAreMadeOnGpusOnceForEqualBlocks)
{
    const auto kernels = [](const char* model, const DeviceDescription& device, const char* mode) {
        return workOf(model, "int8dq", 4, device, mode).packages;
    };
    EXPECT_GT(kernels(kSmallModel, h200(), "fused"), 0.5);
    EXPECT_DOUBLE_EQ(kernels("vitok:w64_d3_h4/1x8x16", h200(), "fused"),
                     kernels(kSmallModel, h200(), "fused"));
    EXPECT_DOUBLE_EQ(kernels(kSmallModel, h200(), "cuda-graph"), 0.0);
    EXPECT_DOUBLE_EQ(kernels(kSmallModel, cpu(2), "fused"), 0.0);
}

// Packages are made once, and found in later rounds.
TEST(CellEstimate, CompilersTakeTheirTimeOnce)
{
    Preset preset;
    preset.rounds = 3;
    const PassWork work{.pass = 1.0, .preparation = 3.0, .compile = 2.0, .packages = 30.0};
    EXPECT_DOUBLE_EQ(compileSeconds(work, preset), 2.0 + 10.0);
    EXPECT_DOUBLE_EQ(estimateCell(work, {}, modelOf(kSmallModel), h200(), preset).compile,
                     3.0 + 10.0);
}

TEST(CellEstimate, LoadingGrowsWithTheModelAndTheSlownessOfTheDevice)
{
    const auto load = [](const char* model, const DeviceDescription& device) {
        return estimateCell({.pass = 0.01}, {}, modelOf(model), device, {}).load;
    };
    EXPECT_LT(load(kSmallModel, h200()), load(kLarge, h200()));
    EXPECT_LT(load(kLarge, h200()), load(kLarge, cpu(16)));
    EXPECT_LT(load("vitok:5B-f32x64", h200()), 5.0);
    // From files the device does not matter: 354.5 M values of at most four bytes.
    Model stored = modelOf(kLarge);
    stored.weights = StoredWeights{};
    const auto fromFiles = [&](const DeviceDescription& device) {
        return estimateCell({.pass = 0.01}, {}, stored, device, {}).load;
    };
    EXPECT_NEAR(fromFiles(h200()), 1.418, 0.001);
    EXPECT_EQ(fromFiles(h200()), fromFiles(cpu(1)));
}

// With one picture every phase takes longer at a larger batch.
TEST(CellEstimate, NeverFallsWhenTheBatchGrows)
{
    Preset preset;
    preset.pictures.count = 1;
    double before = 0.0;
    for (const std::int64_t batch : {1, 2, 5, 16, 100, 4096}) {
        const double pass = workOf(kSmallModel, "int8dq", batch, cpu(2)).pass;
        const double total = estimated(pass, preset, batch).total();
        EXPECT_GE(total, before) << batch;
        before = total;
    }
}

}  // namespace
}  // namespace qs::core
