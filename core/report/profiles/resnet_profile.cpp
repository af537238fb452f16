#include "core/report/profiles/resnet_profile.h"

#include "core/analysis/metric_values.h"
#include "core/model/resnet/resnet.h"
#include "core/report/profiles/resnet_run.h"
#include "core/report/profiles/resnet_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr double kMillisecondsOfOne = 1e3;
constexpr std::string_view kResnetFamily = "resnet:";
constexpr const char* kWarmWallClock =
    "ms per batch by the wall clock, warm at this batch, the input already on the device; the "
    "script's figure held the copy of the input for FP32 alone";
constexpr const char* kTotal = "seconds of all timed passes; the script adds four";
constexpr const char* kOnCpu = "on the processor: the run has no GPU";
constexpr const char* kNoCellOnAGpu = "the run has no such cell on a GPU";
constexpr const char* kTensors = "MiB of parameters and buffers";
// A file of torch.save has 260 to 330 bytes for each tensor beside its numbers, more of a longer
// file name: its place in the zip, padding, the module and what pickle says of it.
constexpr double kBytesOfAnEntry = 300.0;
constexpr const char* kSavedFile =
    "MiB of parameters and buffers and, as in a file of torch.save, some 300 bytes for each tensor";
constexpr const char* kNoResnet = "the model is no ResNet (resnet:DEPTH/CLASSES)";

std::string missingCell(const CellSummary* cell, const char* none)
{
    return cell == nullptr ? std::string(none) : whyNoFigures(*cell);
}

// One of the models of the script with its prefix there and what is said where it is missing.
struct Column {
    const char* prefix;
    const CellSummary* cell;
    const char* none;
};

std::vector<Column> columnsOf(const ResnetModes& modes)
{
    return {{"orig", modes.original, "the run has no fp32 eager cell"},
            {"quant", modes.quantized, "the run has no int8dq cell on the processor"},
            {"gpu_quant", modes.half, "the run has no fp16 eager cell on a GPU"},
            {"gpu_compiled", modes.compiled, "the run has no fp32 cell compiled on a GPU"}};
}

void addOrMissing(ProfileRecord& record, const std::string& field,
                  const std::optional<double>& value, const std::string& why,
                  std::string_view remark = {})
{
    if (value)
        record.number(field, value, remark);
    else
        record.missing(field, why);
}

std::optional<double> multiplied(const std::optional<double>& value, double factor)
{
    return value ? std::optional(*value * factor) : std::nullopt;
}

// Tensors of the network; nothing for a model that is no ResNet.
using Weights = std::optional<std::vector<WeightSpec>>;

Weights weightsOf(const ResnetModes& modes)
{
    const CellSummary* any = modes.original != nullptr ? modes.original : modes.quantized;
    const std::string model = any == nullptr ? std::string() : any->cell->modelName();
    const auto variant = resnet::parseVariant(
        model.starts_with(kResnetFamily) ? std::string_view(model).substr(kResnetFamily.size())
                                         : "");
    return variant.ok() ? std::optional(resnet::weightsOf(variant.value())) : std::nullopt;
}

void addParameters(ProfileRecord& record, const Weights& weights)
{
    if (!weights) {
        record.missing("parameters", kNoResnet);
        return;
    }
    std::int64_t count = 0;
    for (const WeightSpec& weight : *weights)
        count += weight.buffer ? 0 : weight.elementCount();
    record.set("parameters", count);
}

// What a state dict of PyTorch has beside the numbers. Each batch norm has a counter there, too,
// which we do not keep.
std::optional<double> savedOverhead(const Weights& weights)
{
    if (!weights)
        return std::nullopt;
    const auto counters =
        std::count_if(weights->begin(), weights->end(), [](const WeightSpec& weight) {
            return weight.name.ends_with(".running_mean");
        });
    return kBytesOfAnEntry * static_cast<double>(std::ssize(*weights) + counters) / kMebibyte;
}

// Sizes of the file that the script saves and removes again, and in memory.
void addSizes(ProfileRecord& record, const Weights& weights, const std::vector<Column>& columns)
{
    const auto overhead = savedOverhead(weights);
    for (const Column& column : columns) {
        const auto memory = weightMebibytes(column.cell);
        addOrMissing(record, column.prefix + std::string("_size"),
                     memory && overhead ? std::optional(*memory + *overhead) : std::nullopt,
                     memory ? kNoResnet : missingCell(column.cell, column.none), kSavedFile);
    }
    for (const Column& column : columns)
        addOrMissing(record, column.prefix + std::string("_memory"), weightMebibytes(column.cell),
                     missingCell(column.cell, column.none), kTensors);
}

void addTimes(ProfileRecord& record, const ResnetRun& run, const std::vector<Column>& columns)
{
    for (const Column& column : columns) {
        const std::string why = missingCell(column.cell, column.none);
        const bool onCpu = column.cell != nullptr && column.cell->cell->config.device == "cpu";
        const bool fallback = std::string_view(column.prefix) == "orig" && onCpu;
        addOrMissing(record, column.prefix + std::string("_time"),
                     multiplied(run.seconds(column.cell), kMillisecondsOfOne), why,
                     fallback ? kOnCpu : kWarmWallClock);
    }
    for (const Column& column : columns)
        addOrMissing(record, column.prefix + std::string("_first_batch"),
                     multiplied(run.firstSeconds(column.cell), kMillisecondsOfOne),
                     missingCell(column.cell, column.none),
                     "ms of the first pass, apart from the times above");
    for (const Column& column : columns)
        addOrMissing(
            record, column.prefix + std::string("_conversion"),
            multiplied(run.conversionSeconds(column.cell), kMillisecondsOfOne),
            column.cell != nullptr && column.cell->measured
                ? "the process had the weights of an earlier cell"
                : missingCell(column.cell, column.none),
            "ms to bring the weights to the device in this precision, apart from the times");
    for (const Column& column : columns) {
        const auto found =
            column.cell == nullptr ? run.passes.end() : run.passes.find(column.cell->cellId);
        const auto total =
            found == run.passes.end()
                ? std::nullopt
                : std::optional(found->second.mean() * static_cast<double>(found->second.count()));
        addOrMissing(record, "total_" + std::string(column.prefix) + "_time", total,
                     missingCell(column.cell, column.none), kTotal);
    }
}

void addRatios(ProfileRecord& record, const ResnetRun& run, const ResnetModes& modes)
{
    const auto add = [&](const char* field, const CellSummary* slow, const CellSummary* fast,
                         const char* remark) {
        addOrMissing(record, field, run.ratio(slow, fast), "one of the two was not measured",
                     remark);
    };
    const char* legacy = "legacy: ratio of means, without an interval; below 1 it is a slowdown";
    const char* devices = "legacy: ratio of means; two devices, no speed-up of a precision";
    add("fp16_vs_fp32_speedup", modes.original, modes.half, legacy);
    add("fp16_vs_int8_speedup", modes.quantized, modes.half, devices);
    add("int8_vs_fp32_speedup", modes.original, modes.quantized, run.hasGpu ? devices : legacy);
    add("gpu_vs_gpu_compiled_speedup", modes.original, modes.compiled, legacy);
}

void addQuality(ProfileRecord& record, const ResnetRun& run, const ResnetModes& modes)
{
    for (const auto& [prefix, cell] :
         {std::pair{"quant", modes.quantized}, std::pair{"gpu_quant", modes.half}}) {
        const OutputDifference difference = run.difference(cell, modes.original);
        const std::string outputs = fmt::format("of {} outputs against fp32", difference.outputs);
        addOrMissing(record, prefix + std::string("_output_difference"), difference.mean,
                     difference.reason, outputs);
        addOrMissing(record, prefix + std::string("_top1_agreement"), difference.agreement,
                     difference.reason, outputs);
    }
    const std::vector<Column> columns = columnsOf(modes);
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
        const Column& column = columns[i];
        addOrMissing(
            record, column.prefix + std::string("_accuracy"),
            column.cell == nullptr ? std::nullopt : valueOf("accuracy", *column.cell),
            column.cell == nullptr || !column.cell->measured
                ? missingCell(column.cell, column.none)
                : "accuracy needs trained weights and a folder of images with a folder for "
                  "each class");
    }
}

void addDevice(ProfileRecord& record, const ResnetRun& run, const ResnetModes& modes)
{
    const CellSummary* gpu = modes.half != nullptr ? modes.half : modes.original;
    if (gpu != nullptr && gpu->cell->config.device == "cpu")
        gpu = nullptr;
    const auto workspace = gpu == nullptr ? std::nullopt : workspaceBytes(gpu->memory);
    addOrMissing(record, "gpu_memory_delta",
                 workspace ? std::optional(static_cast<double>(*workspace) / kMebibyte)
                           : std::nullopt,
                 gpu == nullptr ? kNoCellOnAGpu : whyNoMemory(*gpu),
                 "MiB that a pass of fp16 needs beside its weights");
    const auto cores = run.tensorCores(gpu);
    record.set("tensor_cores_available", cores ? Json(*cores) : Json(),
               cores ? "a compute capability of 7.0 or more" : missingCell(gpu, kNoCellOnAGpu));
}

const std::vector<std::string>& timingFields()
{
    static const std::vector<std::string> fields{"batch_size",
                                                 "parameters",
                                                 "orig_size",
                                                 "quant_size",
                                                 "gpu_quant_size",
                                                 "gpu_compiled_size",
                                                 "orig_memory",
                                                 "quant_memory",
                                                 "gpu_quant_memory",
                                                 "gpu_compiled_memory",
                                                 "orig_time",
                                                 "quant_time",
                                                 "gpu_quant_time",
                                                 "gpu_compiled_time",
                                                 "orig_first_batch",
                                                 "quant_first_batch",
                                                 "gpu_quant_first_batch",
                                                 "gpu_compiled_first_batch",
                                                 "orig_conversion",
                                                 "quant_conversion",
                                                 "gpu_quant_conversion",
                                                 "gpu_compiled_conversion",
                                                 "total_orig_time",
                                                 "total_quant_time",
                                                 "total_gpu_quant_time",
                                                 "total_gpu_compiled_time",
                                                 "fp16_vs_fp32_speedup",
                                                 "fp16_vs_int8_speedup",
                                                 "int8_vs_fp32_speedup",
                                                 "gpu_vs_gpu_compiled_speedup",
                                                 "quant_output_difference",
                                                 "quant_top1_agreement",
                                                 "gpu_quant_output_difference",
                                                 "gpu_quant_top1_agreement",
                                                 "orig_accuracy",
                                                 "quant_accuracy",
                                                 "gpu_quant_accuracy",
                                                 "gpu_memory_delta",
                                                 "tensor_cores_available"};
    return fields;
}

ProfileRecord batchRecord(const ResnetRun& run, const ResnetModes& modes)
{
    ProfileRecord record(fmt::format("batch {}", modes.batch));
    const std::vector<Column> columns = columnsOf(modes);
    record.set("batch_size", modes.batch);
    const Weights weights = weightsOf(modes);
    addParameters(record, weights);
    addSizes(record, weights, columns);
    addTimes(record, run, columns);
    addRatios(record, run, modes);
    addQuality(record, run, modes);
    addDevice(record, run, modes);
    return record;
}

Result<ProfileContent> resnetContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const ResnetRun run, resnetRun(data, analysis));
    ProfileTable table{.file = "precision_timing.json", .fields = timingFields()};
    for (const ResnetModes& modes : run.batches)
        table.records.push_back(batchRecord(run, modes));
    return ProfileContent{{std::move(table)}, {resnetGuide(run)}};
}

}  // namespace

ExportProfile resnetProfile()
{
    return {"resnet-precision", "ResNet-18 precision guide",
            "The figures of the ResNet-18 script that times FP32, INT8 on the processor and FP16 "
            "on the GPU, by batch size, and the tables of its guide",
            resnetContent};
}

}  // namespace qs::core
