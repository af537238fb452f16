#include "core/sweep/estimate.h"

#include "core/graph/cost.h"
#include "core/lower/fused/matrix_product.h"
#include "core/stats/warmup.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace qs::core {

namespace {

constexpr double kSustainedHertz = 1.4e9;
constexpr double kFractionOfPeak = 0.8;
constexpr double kCpuFlopsPerThread = 20e9;
constexpr double kCpuBytesPerThread = 5e9;
constexpr double kStartSeconds = 1.0;
constexpr double kFileBytesPerSecond = 1e9;
constexpr double kStoredBytes = 4.0;  // of a value in a file, at most
// Generating a value is a chain of element-wise operations on 64-bit integers: about thirty times
// eight bytes read and as many written.
constexpr double kBytesPerGeneratedValue = 460.0;
constexpr double kPicturesPerSecond = 50.0;  // copied back, hashed and written

// What one multiprocessor does: dense FLOPs a cycle in 16 bits, 8 bits, TF32 and float32, and its
// share of the memory bandwidth in bytes a second.
struct Generation {
    int major;
    int minor;
    double flops16;
    double flops8;
    double flopsTf32;
    double flops32;
    double bytesPerSecond;
};

// Newest first; a device is of the first generation that it reaches. 8.9 (Ada) lies below 9.0
// (Hopper) and above 8.0 (A100) in number, but has a narrower memory; 8.6 (GeForce Ampere) adds
// products in float32 at half the rate of those in float16.
constexpr std::array<Generation, 7> kGenerations{{
    {12, 0, 1024, 2048, 512, 256, 8e9},
    {10, 0, 8192, 16384, 4096, 256, 40e9},
    {9, 0, 4096, 8192, 2048, 256, 22e9},
    {8, 9, 1024, 2048, 512, 256, 5e9},
    {8, 6, 512, 2048, 256, 256, 11e9},
    {8, 0, 2048, 4096, 1024, 128, 12e9},
    {0, 0, 1024, 2048, 128, 128, 6e9},
}};

double unitsOf(const DeviceDescription& device)
{
    return std::max(1, device.processors);
}

const Generation& generationOf(const DeviceDescription& device)
{
    return *std::find_if(kGenerations.begin(), kGenerations.end(),
                         [&](const Generation& generation) {
                             return device.atLeast(generation.major, generation.minor);
                         });
}

double bytesPerSecond(const DeviceDescription& device)
{
    const bool cpu = device.kind == DeviceKind::Cpu;
    return unitsOf(device) * (cpu ? kCpuBytesPerThread : generationOf(device).bytesPerSecond);
}

}  // namespace

double flopsPerSecond(const DeviceDescription& device, DType dtype, bool allowTf32)
{
    if (device.kind == DeviceKind::Cpu)
        return unitsOf(device) * kCpuFlopsPerThread;
    const Generation& generation = generationOf(device);
    double perCycle = generation.flops16;
    if (dtype == DType::Float32)
        perCycle = allowTf32 ? generation.flopsTf32 : generation.flops32;
    else if (byteSize(dtype) == 1)
        perCycle = generation.flops8;
    return unitsOf(device) * perCycle * kSustainedHertz * kFractionOfPeak;
}

namespace {

// Padding is left out: it goes away when the batch grows, and an estimate must not.
bool isLaunched(const Node& node)
{
    return node.operation->operationClass != OperationClass::View &&
           node.operation->name != "aten::constant_pad_nd";
}

// Products of one module are of one type.
std::map<std::string, double> ratesOfModules(const Graph& graph, const DeviceDescription& device)
{
    std::map<std::string, double> rates;
    for (const Node& node : graph.nodes) {
        if (multiplies(*node.operation))
            rates[node.module] = flopsPerSecond(
                device, graph.value(node.inputs().front()).type.dtype, graph.allowTf32);
    }
    return rates;
}

double warmupSeconds(const MeasurementSettings& settings, double pass)
{
    const double first = settings.compileWarmupSamples * pass;
    if (settings.warmupSamples)
        return first + *settings.warmupSamples * pass;
    const WarmupRule rule;  // its windows are not in the preset
    const double windows =
        3.0 * std::max(rule.windowSeconds, static_cast<double>(rule.windowSamples) * pass);
    return first + std::min(std::max(windows, settings.minimumWarmupSeconds),
                            std::max(pass, settings.maximumWarmupSeconds));
}

// As short as the settings allow: before that no noise, however low, ends it. The minimum of
// samples is kept even when the time limit has passed.
double measureSeconds(const MeasurementSettings& settings, double pass)
{
    return std::max(settings.minimumSamples * pass,
                    std::min({settings.minimumSampleSeconds, settings.maximumSampleSeconds,
                              settings.maximumSamples * pass}));
}

// The last pass ends after the time is over.
double energySeconds(const MeasurementSettings& settings, const DeviceDescription& device,
                     double pass)
{
    const bool runs = settings.energySeconds > 0.0 && settings.cache == CacheState::Warm &&
                      device.kind != DeviceKind::Cpu;
    return runs ? std::max(settings.energySeconds, pass) : 0.0;
}

double stageSeconds(const Graph& graph, const CompileModeSpec& mode,
                    const DeviceDescription& device)
{
    const auto rates = ratesOfModules(graph, device);
    double seconds = 0.0;
    for (const LayerCost& layer : costPerModule(graph)) {
        if (const double flops = layer.cost.flops(); flops > 0.0)
            seconds += flops / rates.at(layer.module);
        seconds += (layer.cost.weightBytes + layer.cost.activationBytes) / bytesPerSecond(device);
    }
    if (!mode.launchesOperations)
        return seconds;
    const auto launches = std::count_if(graph.nodes.begin(), graph.nodes.end(), isLaunched);
    return std::max(seconds, static_cast<double>(launches) * kLaunchSeconds);
}

// What kernels of ours are compiled and tried in, once; see Note [Estimates]. Equal products of all
// stages share one.
double kernelSeconds(const Program& program, const std::vector<ReferenceStage>& stages,
                     const DeviceDescription& device)
{
    constexpr double kBetweenProducts = 0.5;  // all kernels of rows together
    constexpr double kOfProduct = 0.35;
    constexpr double kTrialRuns = 700.0;  // of all shapes of a product of codes
    std::set<std::tuple<ProductType, std::int64_t, std::int64_t, std::int64_t>> known;
    double seconds = 0.0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (!program.stages[i].compile->ownKernels || device.kind != DeviceKind::Cuda)
            continue;
        const Graph& graph = stages[i].graph;
        seconds = std::max(seconds, kBetweenProducts);
        for (const Node& node : graph.nodes) {
            const auto call = productCall(graph, node);
            if (!call || !known.emplace(call->type, call->m, call->n, call->k).second)
                continue;
            seconds += kOfProduct;
            if (elementBytes(call->type) == 1)
                seconds += kTrialRuns * costOf(graph, node).flops() /
                           flopsPerSecond(device, DType::Int8, graph.allowTf32);
        }
    }
    return seconds;
}

}  // namespace

std::int64_t weightBytesRead(const ModelFamily& family, const std::vector<ReferenceStage>& stages)
{
    std::map<std::size_t, double> bytes;  // of stages that share weights the most that one reads
    for (std::size_t i = 0; i < stages.size(); ++i) {
        double& read = bytes[weightOwner(family, i)];
        read = std::max(read, costOf(stages[i].graph).weightBytes);
    }
    double sum = 0.0;
    for (const auto& [owner, read] : bytes)
        sum += read;
    return static_cast<std::int64_t>(sum);
}

double loadSeconds(const Model& model, const DeviceDescription& device)
{
    const auto values = static_cast<double>(model.parameterCount());
    return model.trained() ? values * kStoredBytes / kFileBytesPerSecond
                           : values * kBytesPerGeneratedValue / bytesPerSecond(device);
}

PassWork passWork(const Program& program, const std::vector<ReferenceStage>& stages,
                  const DeviceDescription& device)
{
    PassWork work;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const CompileMode& compile = program.stages[i].compile;
        const CompileModeSpec& mode = compile.spec();
        const double run = stageSeconds(stages[i].graph, mode, device);
        const double pass = run * static_cast<double>(program.stages[i].runs);
        const double preparation = mode.preparationPasses * std::max(run, pass);
        work.pass += pass;
        work.packages += mode.preparationSeconds;
        work.preparation += preparation;
        work.compile += compile == eagerMode() ? 0.0 : preparation;
    }
    work.packages += kernelSeconds(program, stages, device);
    return work;
}

double compileSeconds(const PassWork& work, const Preset& preset)
{
    return work.compile + work.packages / std::max(preset.rounds, 1);
}

CellEstimate estimateCell(const PassWork& work, const CellConfig& cell, const Model& model,
                          const DeviceDescription& device, const Preset& preset)
{
    const double pass = work.pass;
    CellEstimate estimate;
    estimate.start = kStartSeconds;
    estimate.load = loadSeconds(model, device);
    estimate.compile = work.preparation + work.packages / std::max(preset.rounds, 1);
    estimate.warmup = warmupSeconds(preset.measurement, pass);
    estimate.measure = measureSeconds(preset.measurement, pass);
    estimate.energy = energySeconds(preset.measurement, device, pass);
    const std::int64_t chunks = (preset.pictures.count + cell.batch - 1) / cell.batch;
    estimate.outputs =
        static_cast<double>(chunks) * pass + preset.pictures.count / kPicturesPerSecond;
    return estimate;
}

}  // namespace qs::core
