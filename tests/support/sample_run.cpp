#include "tests/support/sample_run.h"

#include <algorithm>
#include <cmath>

namespace qs::tests {

using namespace core;

namespace {

constexpr int kPictures = 4;
constexpr int kSamplesPerRound = 12;
constexpr std::int64_t kMebibyte = 1 << 20;

Environment sampleEnvironment()
{
    DeviceDescription gpu = commonGpus().front();
    gpu.uuid = "GPU-00000000-0000-0000-0000-000000000001";
    gpu.driver = "580.65.06";
    return {.program = "QuantScope 0.1.0",
            .torch = "2.11.0",
            .cuda = "13.0",
            .system = "Debian GNU/Linux 12 (bookworm), Linux 6.1.0",
            .host = "sample",
            .processor = "Sample CPU",
            .threads = 16,
            .devices = {gpu}};
}

Preset samplePreset(const SampleRunOptions& options)
{
    Preset preset;
    preset.name = "Sample run";
    preset.description = "Synthetic numbers for tests";
    preset.defaults = {.model = "vitok:350M-f16x64", .device = "cuda:0", .precision = {"bf16"}};
    preset.axes = {{"precision", {"bf16", "int8dq"}},
                   {"compile", {"none", "cuda-graph"}},
                   {"batch", {"1", "4", "16"}}};
    if (options.withFailures)
        preset.axes.back().values.emplace_back("64");
    preset.rounds = std::max(1, options.rounds);
    preset.pictures.count = kPictures;
    return preset;
}

std::int64_t weightBytes(const std::string& precision)
{
    if (precision == "fp32")
        return 1352 * kMebibyte;
    return (precision == "int8dq" ? 340 : 676) * kMebibyte;
}

PlannedCell planned(const std::string& precision, const std::string& compile, int batch,
                    const SampleRunOptions& options)
{
    PlannedCell cell;
    cell.id = sampleCellId(precision, compile, batch);
    cell.config = {.model = "vitok:350M-f16x64",
                   .device = "cuda:0",
                   .precision = {precision},
                   .compile = compile,
                   .batch = batch};
    cell.role = precision == "fp32" ? CellRole::NoiseFloor : CellRole::Swept;
    cell.referenceId = sampleCellId("bf16", "none", batch);
    cell.estimatedSeconds = 4.0;
    cell.flops = 180e9 * batch;
    cell.unitsPerPass = batch;
    cell.outputValues = std::int64_t{3} * 256 * 256;
    cell.weightBytes = weightBytes(precision);
    cell.trained = options.trained;
    return cell;
}

std::vector<PlannedCell> sampleCells(const SampleRunOptions& options)
{
    std::vector<int> batches{1, 4, 16};
    if (options.withFailures)
        batches.push_back(64);
    std::vector<PlannedCell> cells;
    for (const char* precision : {"bf16", "int8dq"}) {
        for (const char* compile : {"none", "cuda-graph"}) {
            for (const int batch : batches)
                cells.push_back(planned(precision, compile, batch, options));
        }
    }
    for (const int batch : batches) {
        cells.push_back(planned("fp32", "none", batch, options));
        PlannedCell again = planned("bf16", "none", batch, options);
        again.id += "-again";
        again.role = CellRole::NoiseFloor;
        again.rerun = 1;
        cells.push_back(again);
    }
    return cells;
}

// From -1 to 1, the same for the same arguments; a stand-in for noise.
double wobble(std::size_t cell, int round, int sample)
{
    std::uint64_t state = (cell * 1'000'003U + static_cast<std::uint64_t>(round) * 1009U +
                           static_cast<std::uint64_t>(sample) + 1U) *
                          0x9E3779B97F4A7C15U;
    state ^= state >> 31U;
    state *= 0xBF58476D1CE4E5B9U;
    return static_cast<double>(state >> 40U) / static_cast<double>(1U << 23U) - 1.0;
}

// Seconds of one pass without noise: the launches, which a graph saves, or the arithmetic.
double idealSeconds(const CellConfig& config)
{
    const std::string& precision = config.precision.front();
    const double launches = config.compile == "none" ? 6e-3 : 1e-3;
    const double perPicture = precision == "fp32" ? 4e-3 : precision == "int8dq" ? 0.6e-3 : 1e-3;
    return launches + perPicture * static_cast<double>(config.batch);
}

CellResult sampleResult(const PlannedCell& cell, std::size_t index, int round)
{
    CellResult result;
    result.phases = {{Phase::Load, 1.2}, {Phase::Measure, 0.6}};
    const std::int64_t batchBytes = kMebibyte * cell.config.batch;
    StageSamples encoder{"encoder", {}, cell.weightBytes + 40 * batchBytes};
    StageSamples decoder{"decoder", {}, cell.weightBytes + 90 * batchBytes};
    const double level = idealSeconds(cell.config) * (1.0 + 0.01 * wobble(index, round, -1));
    for (int i = 0; i < kSamplesPerRound; ++i) {
        const double seconds = level * (1.0 + 0.003 * wobble(index, round, i));
        result.deviceSeconds.push_back(seconds);
        result.hostSeconds.push_back(seconds + 50e-6);
        encoder.seconds.push_back(seconds * 0.25);
        decoder.seconds.push_back(seconds * 0.75);
    }
    result.stages = {encoder, decoder};
    result.warmupPasses = 20;
    result.memory.weightsResident = cell.weightBytes;
    result.memory.allocatedPeak = cell.weightBytes + 90 * batchBytes;
    result.memory.reservedPeak = *result.memory.allocatedPeak + 64 * kMebibyte;
    result.memory.processPeak = *result.memory.reservedPeak + 500 * kMebibyte;
    for (const char* stage : {"encoder", "decoder"})
        result.executed.push_back({.stage = stage,
                                   .scheme = cell.config.precision.front(),
                                   .matched = 56,
                                   .layers = 58,
                                   .activationRule = {},
                                   .products = {}});
    result.attention = "flash";
    result.graphLaunches = cell.config.compile == "none" ? 0 : 1;
    for (int picture = 0; picture < kPictures; ++picture)
        result.outputs.push_back(
            {picture, "output_" + std::to_string(picture) + ".npy", std::string(64, 'a')});
    return result;
}

Measurement sampleRow(const PlannedCell& cell, std::size_t index, int round,
                      const std::string& environment)
{
    Measurement row;
    row.cellId = cell.id;
    row.environmentId = environment;
    row.round = round;
    row.config = cell.config;
    row.startedAt = "2026-11-21T09:40:12Z";
    row.durationSeconds = 4.0;
    if (cell.config.batch == 64 && cell.config.compile != "none") {
        row.failure = Failure{.kind = FailureKind::OutOfMemory,
                              .phase = Phase::Measure,
                              .detail = "CUDA out of memory while measuring"};
    } else if (cell.config.batch == 64 && cell.config.precision.front() == "int8dq") {
        row.failure =
            Failure{.kind = FailureKind::NoProgress, .phase = Phase::Measure, .amount = 30.0};
    } else {
        row.result = sampleResult(cell, index, round);
    }
    return row;
}

OutputQuality quality(const PlannedCell& cell, const std::string& reference, int sample,
                      double distance)
{
    OutputQuality quality;
    quality.cellId = cell.id;
    quality.environmentId = "";
    quality.referenceId = reference;
    quality.sample = sample;
    quality.identical = distance == 0.0;
    quality.worstTile = WorstTile{.x = 64 * sample, .y = 0, .ssim = 1.0 - 3.0 * distance};
    quality.set("ssim", 1.0 - distance);
    if (distance > 0.0)
        quality.set("psnr", -10.0 * std::log10(distance) + 10.0);
    quality.set("max_difference", std::sqrt(distance));
    quality.set("mean_difference", distance);
    quality.set("relative_l2", std::sqrt(distance) / 2.0);
    return quality;
}

// 1 - SSIM against the reference: graphs and reruns compute the same bits.
double distanceOf(const PlannedCell& cell, int picture)
{
    const std::string& precision = cell.config.precision.front();
    const double spread = 1.0 + 0.1 * picture;
    if (precision == "fp32")
        return 0.001 * spread;
    return precision == "int8dq" ? 0.004 * spread : 0.0;
}

void addQualities(const PlannedCell& cell, const std::string& environment, RunData& data)
{
    const auto add = [&](const std::string& reference, int picture, double distance) {
        data.qualities.push_back(quality(cell, reference, picture, distance));
        data.qualities.back().environmentId = environment;
    };
    for (int picture = 0; picture < kPictures; ++picture) {
        if (cell.id != cell.referenceId)
            add(cell.referenceId, picture, distanceOf(cell, picture));
        if (cell.trained)
            add(kInputId, picture, 0.05 + distanceOf(cell, picture));
    }
}

void addCrash(RunData& data)
{
    Measurement& first = data.measurements.front();
    Measurement crashed = first;
    crashed.failure = Failure{.kind = FailureKind::Signal, .phase = Phase::Measure, .amount = 11.0};
    crashed.logTail = "Fatal error";
    crashed.result = {};
    first.attempt = 1;
    data.measurements.insert(data.measurements.begin(), crashed);
}

}  // namespace

std::string sampleCellId(const std::string& precision, const std::string& compile, int batch)
{
    return precision + "-" + compile + "-b" + std::to_string(batch);
}

RunData sampleRun(const SampleRunOptions& options)
{
    RunData data;
    data.plan.preset = samplePreset(options);
    data.plan.cells = sampleCells(options);
    data.environments = {sampleEnvironment()};
    data.plan.devices = data.environments.front().devices;
    const std::string environment = data.environments.front().id();
    data.events = {{"2026-11-21T09:40:00Z", EventKind::Started}};
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < data.plan.cells.size(); ++i)
            data.measurements.push_back(sampleRow(data.plan.cells[i], i, round, environment));
    }
    for (const PlannedCell& cell : data.plan.cells) {
        const bool fails = cell.config.batch == 64 && (cell.config.compile != "none" ||
                                                       cell.config.precision.front() == "int8dq");
        if (!fails && options.rounds > 0)
            addQualities(cell, environment, data);
    }
    for (int picture = 0; picture < kPictures; ++picture)
        data.pictureNames.push_back("picture " + std::to_string(picture + 1));
    if (options.withFailures && options.rounds > 0)
        addCrash(data);
    return data;
}

}  // namespace qs::tests
