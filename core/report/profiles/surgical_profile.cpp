#include "core/report/profiles/surgical_profile.h"

#include "core/analysis/metric_values.h"
#include "core/lower/compile_mode.h"
#include "core/model/te_llama/fused_family.h"
#include "core/model/te_llama/fused_variant.h"
#include "core/report/markdown_text.h"
#include "core/report/profiles/surgical_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace qs::core {

namespace {

constexpr double kMillisecondsOfSecond = 1e3;
constexpr double kPercent = 100.0;
constexpr double kMebi = 1024.0 * 1024.0;
constexpr std::string_view kFusedFamily = "te-llama:";
constexpr const char* kNone = "–";
constexpr const char* kMissingBaseline = "the run has no eager cell of the same precision";
constexpr const char* kHostClock =
    "ms by the clock of the host over the samples of all rounds, as the script times";
constexpr const char* kAttentionShare =
    "legacy: the share of attention in the FLOPs of the blocks, which the script calls tensor "
    "operations; attention is not compiled";
constexpr const char* kRecorded = "as the run recorded it, of all outputs against the same eager; "
                                  "they are not part of its folder";
constexpr const char* kNoOutputs =
    "the outputs of both are not part of the run's folder, and it did not compare them";
constexpr const char* kTakenApart =
    "the script has both models in memory; here each cell has a process or its weights alone";

bool isFused(const PlannedCell& cell)
{
    return cell.modelName().starts_with(kFusedFamily);
}

std::string configName(const PlannedCell& cell)
{
    return isFused(cell) ? cell.modelName().substr(kFusedFamily.size()) : cell.config.model;
}

std::optional<std::int64_t> estimatedOf(const PlannedCell& cell)
{
    if (!isFused(cell))
        return std::nullopt;
    const auto variant = te_llama::namedVariant(configName(cell));
    return variant.ok() ? std::optional(te_llama::estimatedParameters(variant.value()))
                        : std::nullopt;
}

// Plans have it where something is compiled, which kernels of ours are not.
std::optional<double> attentionShare(const CellSummary& cell)
{
    const CellConfig& config = cell.cell->config;
    const auto planned = valueOf("attention_flops", cell);
    if (planned || !cell.measured || !isFused(*cell.cell))
        return planned;
    const auto variant = te_llama::namedVariant(configName(*cell.cell));
    const SizeSpec sequence = te_llama::sequenceSpec();
    return variant.ok()
               ? std::optional(te_llama::estimatedAttentionShare(
                     variant.value(), config.sizes.find(sequence.name).value_or(sequence.fallback)))
               : std::nullopt;
}

std::string pairName(const SurgicalPair& pair)
{
    const CellConfig& config = pair.surgical->cell->config;
    return fmt::format("{} {} {} batch {}", configName(*pair.surgical->cell), precisionText(config),
                       config.compile, config.batch);
}

// Where that does not tell it from others, such as on another device, with all that does.
std::string recordName(const SurgicalPair& pair, const std::vector<SurgicalPair>& pairs,
                       const CellLabels& labels)
{
    const std::string name = pairName(pair);
    const auto same = std::count_if(pairs.begin(), pairs.end(), [&](const SurgicalPair& each) {
        return pairName(each) == name;
    });
    return same == 1 ? name : labels.withBatch(*pair.surgical->cell);
}

void addMilliseconds(ProfileRecord& record, const std::string& side, const Moments& times,
                     const std::string& why)
{
    if (times.count() == 0) {
        record.missing(side + "_avg", why);
        record.missing(side + "_min", why);
        return;
    }
    record.number(side + "_avg", times.mean() * kMillisecondsOfSecond, kHostClock);
    record.number(side + "_min", times.minimum() * kMillisecondsOfSecond, kHostClock);
}

void addRatio(ProfileRecord& record, const SurgicalPair& pair)
{
    const char* why = "one of the two was not measured, or elsewhere";
    if (const auto speedup = pair.speedup()) {
        record.number("speedup", speedup, "legacy: ratio of means, without an interval");
        record.number("improvement", (*speedup - 1.0) * kPercent,
                      "legacy: % of the surgical time; the time itself falls by 1 - 1/speedup");
    } else {
        record.missing("speedup", why);
        record.missing("improvement", why);
    }
}

// The run compared outputs where they were measured, and need not have them any more.
void addRecorded(ProfileRecord& record, double difference)
{
    // However large a value is, torch.allclose allows it that much.
    if (difference <= kPartTolerance)
        record.set("allclose", true, kRecorded);
    else
        record.missing("allclose",
                       "the run recorded the largest difference alone; what a value may differ by "
                       "grows with it, and the outputs are not part of its folder");
    record.number("max_diff", difference, kRecorded);
}

std::string whyNoNumerics(const SurgicalPair& pair)
{
    if (pair.baseline == nullptr)
        return kMissingBaseline;
    for (const CellSummary* each : {pair.surgical, pair.baseline}) {
        if (!each->measured)
            return whyNoFigures(*each);
    }
    return kNoOutputs;
}

void addNumerics(ProfileRecord& record, const SurgicalPair& pair)
{
    if (pair.agreement) {
        const std::string outputs =
            fmt::format("of {} outputs against the same eager", pair.agreement->outputs);
        record.set("allclose", pair.agreement->close, outputs);
        record.number("max_diff", pair.agreement->largestDifference, outputs);
    } else if (pair.surgical->fromUncompiled) {
        addRecorded(record, pair.surgical->fromUncompiled->difference);
    } else {
        const std::string why = whyNoNumerics(pair);
        record.missing("allclose", why);
        record.missing("max_diff", why);
    }
}

void addMemory(ProfileRecord& record, const CellSummary& cell)
{
    const auto peak = cell.memory.allocatedPeak;
    if (cell.measured && peak)
        record.number("peak_mb", static_cast<double>(*peak) / kMebi,
                      "MiB that tensors take at most; the script reads it after warm-up");
    else
        record.missing("peak_mb", whyNoMemory(cell));
    record.missing("baseline_mb", kTakenApart);
    if (cell.measured)
        record.number("model_size_mb", static_cast<double>(cell.memory.weightsResident) / kMebi,
                      "MiB of weights as they lie in memory");
    else
        record.missing("model_size_mb", whyNoFigures(cell));
}

const std::vector<std::string>& surgicalFields()
{
    static const std::vector<std::string> fields{
        kRecordName,    "model_size",   "parameters",         "batch_size",
        "baseline_avg", "baseline_min", "surgical_avg",       "surgical_min",
        "speedup",      "improvement",  "tensor_ops_percent", "allclose",
        "max_diff",     "peak_mb",      "baseline_mb",        "model_size_mb"};
    return fields;
}

ProfileRecord surgicalRecord(const SurgicalPair& pair, const std::string& name)
{
    const CellSummary& cell = *pair.surgical;
    ProfileRecord record(name);
    record.set(kRecordName, name);
    record.set("model_size", configName(*cell.cell));
    if (const auto parameters = estimatedOf(*cell.cell))
        record.set("parameters", *parameters, "by the formula of the script: no last norm");
    else
        record.missing("parameters", "the model is no te-llama");
    record.set("batch_size", cell.cell->config.batch);
    addMilliseconds(record, "baseline", pair.baselineTimes,
                    pair.baseline == nullptr ? kMissingBaseline : whyNoFigures(*pair.baseline));
    addMilliseconds(record, "surgical", pair.surgicalTimes, whyNoFigures(cell));
    addRatio(record, pair);
    if (const auto share = attentionShare(cell))
        record.number("tensor_ops_percent", *share * kPercent, kAttentionShare);
    else
        record.missing("tensor_ops_percent",
                       cell.measured ? "the model has no attention" : whyNoFigures(cell));
    addNumerics(record, pair);
    addMemory(record, cell);
    return record;
}

std::string percentText(const std::optional<double>& share)
{
    return share ? fmt::format("{:.2f} %", *share * kPercent) : kNone;
}

// As the document prints it, with what its words should say beside them.
std::string modelsTable(const std::vector<SurgicalPair>& pairs)
{
    MarkdownTable table({"Model size", "Precision", "Compiled", "Parameters", "Batch",
                         "Baseline (ms)", "Surgical (ms)", "Speedup", "Improvement", "Time saved",
                         "Tensor ops % (attention)", "FLOPs compiled", "Bytes compiled"});
    for (const SurgicalPair& pair : pairs) {
        const CellSummary& cell = *pair.surgical;
        const auto parameters = estimatedOf(*cell.cell);
        const auto speedup = pair.speedup();
        const auto milliseconds = [](const Moments& times) {
            return times.count() > 0 ? fmt::format("{:.3f}", times.mean() * kMillisecondsOfSecond)
                                     : kNone;
        };
        table.add(
            {configName(*cell.cell), precisionText(cell.cell->config), cell.cell->config.compile,
             parameters ? fmt::format("{:.1f}M", static_cast<double>(*parameters) / 1e6) : kNone,
             std::to_string(cell.cell->config.batch), milliseconds(pair.baselineTimes),
             milliseconds(pair.surgicalTimes), speedup ? fmt::format("{:.3f}x", *speedup) : kNone,
             speedup ? fmt::format("{:+.2f} %", (*speedup - 1.0) * kPercent) : kNone,
             speedup ? fmt::format("{:.2f} %", (1.0 - 1.0 / *speedup) * kPercent) : kNone,
             percentText(attentionShare(cell)), percentText(valueOf("compiled_flops", cell)),
             percentText(valueOf("compiled_bytes", cell))});
    }
    return table.text();
}

// The package of that operation in a cell; null if it has none.
const StageCompile* packageOf(const CellSummary& cell, std::string_view operation)
{
    if (!cell.compileCost)
        return nullptr;
    const auto& stages = cell.compileCost->stages;
    const auto found = std::find_if(stages.begin(), stages.end(), [&](const StageCompile& each) {
        return each.part == operation;
    });
    return found == stages.end() ? nullptr : &*found;
}

void addPackage(const CellSummary& cell, std::string_view operation, std::vector<std::string>& line)
{
    const StageCompile* package = packageOf(cell, operation);
    if (package == nullptr) {
        line.insert(line.end(), {cell.measured ? "not in this model" : whyNoFigures(cell), kNone,
                                 kNone, kNone});
        return;
    }
    const PartNumerics* numerics =
        package->time && package->time->numerics ? &*package->time->numerics : nullptr;
    const auto yesOrNone = [&](bool value) {
        return std::string(numerics == nullptr ? kNone : value ? "yes" : "no");
    };
    line.insert(line.end(),
                {"yes", yesOrNone(numerics != nullptr && numerics->equal),
                 yesOrNone(numerics != nullptr && numerics->close),
                 numerics == nullptr ? kNone : fmt::format("{:.3g}", numerics->largestDifference)});
}

// An operation in a mode of the compiler once, whichever cells have it.
std::string operationsTable(const std::vector<SurgicalPair>& pairs)
{
    MarkdownTable table({"Model", "Precision", "Operation", "Mode", "Compiles", "Equal",
                         "allclose 1e-3", "Max abs. difference"});
    std::set<std::vector<std::string>> seen;
    for (const SurgicalPair& pair : pairs) {
        const CellSummary& cell = *pair.surgical;
        const CellConfig& config = cell.cell->config;
        const CompileMode mode = parseCompileMode(config.compile).value();
        for (const RegionKind kind : regionsOf(mode)) {
            const std::string operation(kRegionKinds.of(kind));
            std::vector<std::string> line{configName(*cell.cell), precisionText(config), operation,
                                          packageModeOf(mode, kind)};
            if (!seen.insert(line).second)
                continue;
            addPackage(cell, operation, line);
            table.add(line);
        }
    }
    return table.text();
}

Result<ProfileContent> surgicalContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const std::vector<SurgicalPair> pairs, surgicalPairs(data, analysis));
    ProfileTable table{.file = "surgical_results.json", .fields = surgicalFields()};
    for (const SurgicalPair& pair : pairs)
        table.records.push_back(surgicalRecord(pair, recordName(pair, pairs, analysis.labels)));
    std::string text =
        "# Surgical compile\n\n" + modelsTable(pairs) +
        "\nImprovement is speedup - 1; the time itself falls by the share beside it. "
        "Ratios are of means, without an interval; reports have those with one.\n\n"
        "## Operations\n\n" +
        operationsTable(pairs);
    return ProfileContent{{std::move(table)}, {{"surgical_compile.md", std::move(text)}}};
}

}  // namespace

ExportProfile surgicalProfile()
{
    return {"surgical-compile", "Surgical compile of Llama",
            "The figures of TransformerEngine's benchmark of selective compilation for each "
            "compiled cell against the same eager, its table, and which regions compile with "
            "which outcome",
            surgicalContent};
}

}  // namespace qs::core
