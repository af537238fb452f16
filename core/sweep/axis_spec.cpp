#include "core/sweep/axis_spec.h"

#include "core/base/text_parts.h"
#include "core/lower/program.h"
#include "core/model/family_registry.h"
#include "core/quant/layer_filter.h"
#include "core/quant/scheme.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/input_residency.h"
#include "core/sweep/worker_variables.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kMostStages = 8;

// One that is kept as it is written.
AxisSpec textAxis(const char* name, const char* noun, const char* nouns,
                  std::string CellConfig::*member)
{
    return {.name = name,
            .noun = noun,
            .one = noun,
            .nouns = nouns,
            .text = [member](const CellConfig& cell) { return cell.*member; },
            .set = [member](CellConfig& cell, const std::string& value) { cell.*member = value; }};
}

AxisSpec numberAxis(const char* name, const char* noun, const char* nouns,
                    std::int64_t CellConfig::*member)
{
    return {.name = name,
            .noun = noun,
            .one = noun,
            .nouns = nouns,
            .label = name,
            .wholeNumber = true,
            .text = [member](const CellConfig& cell) { return std::to_string(cell.*member); },
            .set = [member](CellConfig& cell,
                            const std::string& value) { cell.*member = std::stoll(value); }};
}

AxisSpec modelAxis()
{
    AxisSpec axis = textAxis("model", "model", "models", &CellConfig::model);
    axis.holdsCommas = true;  // paths
    axis.ofWeights = true;
    axis.ofSample = true;
    return axis;
}

AxisSpec deviceAxis()
{
    AxisSpec axis = textAxis("device", "device", "devices", &CellConfig::device);
    axis.ofWeights = true;
    return axis;
}

AxisSpec seedAxis()
{
    AxisSpec axis = numberAxis("seed", "seed", "seeds", &CellConfig::seed);
    axis.lowest = 0;
    axis.highest = INT64_MAX;
    axis.ofWeights = true;
    return axis;
}

AxisSpec sizeAxis(const SizeSpec& size)
{
    const std::string& name = size.name;
    std::string noun = name;
    std::replace(noun.begin(), noun.end(), '_', ' ');
    const bool isPlural = noun.ends_with('s');
    return {.name = name,
            .noun = noun,
            .one = isPlural ? "value of " + noun : noun,
            .nouns = isPlural ? "values of " + noun : noun + "s",
            .unit = size.unit,
            .description = size.description,
            .wholeNumber = true,
            .lowest = std::min<std::int64_t>(1, size.least.value_or(1)),
            .ofSample = true,
            .text =
                [name](const CellConfig& cell) {
                    const auto value = cell.sizes.find(name);
                    return value ? std::to_string(*value) : std::string();
                },
            .set = [name](CellConfig& cell,
                          const std::string& value) { cell.sizes.set(name, std::stoll(value)); }};
}

AxisSpec inputsAxis()
{
    AxisSpec axis = textAxis("inputs", "input placement", "input placements", &CellConfig::inputs);
    axis.label = "inputs";
    axis.usual = axis.ofReference = CellConfig().inputs;
    axis.offered = [](std::size_t) {
        std::vector<std::string> values;
        for (const InputResidency residency : allInputResidencies())
            values.emplace_back(name(residency));
        return values;
    };
    return axis;
}

AxisSpec envAxis()
{
    AxisSpec axis =
        textAxis("env", "environment variables", "sets of environment variables", &CellConfig::env);
    axis.label = "env";
    axis.holdsCommas = true;
    axis.ofWeights = true;  // of another process
    axis.usual = CellConfig().env;
    axis.normal = normalVariables;
    return axis;
}

AxisSpec workloadAxis()
{
    AxisSpec axis = textAxis("workload", "workload", "workloads", &CellConfig::workload);
    axis.label = "workload";
    axis.description =
        "What is timed: passes of the model, without (forward) or with new tokens (generate), or "
        "quantizing it anew";
    axis.ofSample = true;
    axis.usual = axis.ofReference = CellConfig().workload;
    axis.normal = normalWorkload;
    axis.offered = [](std::size_t) {
        std::vector<std::string> values;
        for (const CellWorkload workload : kCellWorkloads.values())
            values.emplace_back(kCellWorkloads.of(workload));
        return values;
    };
    return axis;
}

AxisSpec attentionAxis()
{
    AxisSpec axis =
        textAxis("attention", "attention kernel", "attention kernels", &CellConfig::attention);
    axis.label = "attention";
    axis.offered = [](std::size_t) {
        std::vector<std::string> values;
        for (const AttentionKernel kernel : allAttentionKernels())
            values.emplace_back(name(kernel));
        return values;
    };
    return axis;
}

// A filter says which layers are quantized. What is no scheme or no filter is left to those who
// judge cells.
bool filtersNothing(const CellConfig& cell)
{
    return std::none_of(cell.precision.begin(), cell.precision.end(),
                        [](const std::string& name) {
                            const auto scheme = parseScheme(name);
                            return !scheme.ok() ||
                                   !(outsideScheme(scheme.value()) == scheme.value());
                        }) &&
           parseLayerFilters(cell.layers).ok();
}

AxisSpec layersAxis()
{
    AxisSpec axis = textAxis("layers", "layer filter", "layer filters", &CellConfig::layers);
    axis.label = "layers";
    axis.holdsCommas = true;
    axis.ofWeights = true;
    axis.ofReference = CellConfig().layers;
    axis.idle = filtersNothing;
    return axis;
}

// One scheme, or one for each of two stages.
std::vector<std::string> offeredPrecisions(std::size_t stages)
{
    std::vector<std::string> texts;
    const std::vector<Scheme> schemes = offeredSchemes();
    for (const Scheme& first : schemes) {
        texts.push_back(first.text());
        for (const Scheme& second : schemes) {
            if (stages == 2 && first != second)
                texts.push_back(first.text() + "/" + second.text());
        }
    }
    return texts;
}

AxisSpec precisionAxis()
{
    return {.name = "precision",
            .noun = "precision",
            .one = "precision",
            .nouns = "precisions",
            .ofWeights = true,
            .ofReference = "bf16",
            .normal = [](std::string_view text) -> Result<std::string> {
                QS_TRY(const std::vector<std::string> stages, splitPrecision(text));
                return joinedWithoutRepeats(stages, '/');
            },
            .text = precisionText,
            .set = [](CellConfig& cell,
                      const std::string& value) { cell.precision = splitPrecision(value).value(); },
            .offered = offeredPrecisions};
}

// "norm:at=blocks.3" -> "norm+blocks.3"
std::string regionsWord(std::string text)
{
    constexpr std::string_view kModules = "at=";
    const auto found = text.find(kModules);
    if (found == 0)
        return text.substr(kModules.size());
    if (found != text.npos && text[found - 1] == ':')
        text.replace(found - 1, kModules.size() + 1, "+");
    return text;
}

// "none/cuda-graph" -> "eager/cuda-graph"; regions have a name of their own.
std::string compileWord(const std::string& value)
{
    constexpr std::string_view kRegions = "regions:";
    constexpr std::string_view kRecordedRegions = "regions-graph:";
    constexpr std::string_view kNone = "none";
    if (value.starts_with(kRegions))
        return "surgical: " + regionsWord(value.substr(kRegions.size()));
    if (value.starts_with(kRecordedRegions))
        return "surgical graph: " + regionsWord(value.substr(kRecordedRegions.size()));
    std::string words;
    for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.find('/', begin), value.size());
        const std::string part = value.substr(begin, end - begin);
        words += (begin == 0 ? "" : "/") + (part == kNone ? std::string("eager") : part);
        begin = end + 1;
    }
    return words;
}

AxisSpec compileAxis()
{
    AxisSpec axis = textAxis("compile", "compile mode", "compile modes", &CellConfig::compile);
    axis.ofReference = CellConfig().compile;
    axis.word = compileWord;
    axis.normal = [](std::string_view text) -> Result<std::string> {
        return normalCompileText(text);
    };
    axis.listed = expandCompileText;
    axis.offered = [](std::size_t) {
        std::vector<std::string> values;
        for (const CompileMode& mode : offeredCompileModes())
            values.push_back(mode.text());
        return values;
    };
    return axis;
}

std::vector<AxisSpec>& registered()
{
    static std::vector<AxisSpec> axes;
    return axes;
}

std::vector<AxisSpec> allAxes()
{
    std::vector<AxisSpec> axes{modelAxis(), deviceAxis(), seedAxis(), envAxis(), workloadAxis()};
    const std::vector<AxisSpec>& open = openAxes();
    axes.insert(axes.end(), open.begin(), open.end());
    for (AxisSpec axis :
         {inputsAxis(), attentionAxis(), layersAxis(), precisionAxis(), compileAxis(),
          numberAxis("batch", "batch size", "batch sizes", &CellConfig::batch)})
        axes.push_back(std::move(axis));
    return axes;
}

}  // namespace

void registerAxis(AxisSpec axis)
{
    QS_ASSERT(axis.usual.has_value());
    axis.wholeNumber = true;
    axis.text = [name = axis.name, usual = *axis.usual](const CellConfig& cell) {
        const auto value = cell.others.find(name);
        return value == cell.others.end() ? usual : std::to_string(value->second);
    };
    axis.set = [name = axis.name, usual = *axis.usual](CellConfig& cell, const std::string& value) {
        if (value == usual)
            cell.others.erase(name);
        else
            cell.others[name] = std::stoll(value);
    };
    registered().push_back(std::move(axis));
}

const std::vector<AxisSpec>& openAxes()
{
    static const std::vector<AxisSpec> kAxes = [] {
        std::vector<AxisSpec> axes;
        for (const SizeSpec& size : knownSizes())
            axes.push_back(sizeAxis(size));
        axes.insert(axes.end(), registered().begin(), registered().end());
        return axes;
    }();
    return kAxes;
}

const std::vector<AxisSpec>& axisSpecs()
{
    static const std::vector<AxisSpec> kAxes = allAxes();
    return kAxes;
}

std::string wordOf(const AxisSpec& axis, const std::string& value)
{
    return axis.word ? axis.word(value) : value;
}

bool isIdle(const AxisSpec& axis, const CellConfig& cell)
{
    return axis.idle && axis.idle(cell);
}

bool isOff(const AxisSpec& axis, const CellConfig& cell)
{
    if (axis.text(cell) != "0")
        return false;
    const SizeSpec* size = findKnownSize(axis.name);
    return size != nullptr && size->isOffUnlessAsked();
}

std::string memberWords(const AxisSpec& axis, const CellConfig& cell)
{
    std::string words =
        isOff(axis, cell) || isIdle(axis, cell) ? std::string() : wordOf(axis, axis.text(cell));
    if (words.empty())
        return words;
    if (!axis.label.empty())
        words = axis.label + " " + words;
    return axis.unit.empty() ? words : words + " " + axis.unit;
}

const AxisSpec* findAxisSpec(std::string_view name)
{
    const auto& axes = axisSpecs();
    const auto found = std::find_if(axes.begin(), axes.end(),
                                    [&](const AxisSpec& axis) { return axis.name == name; });
    return found == axes.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> splitPrecision(std::string_view text)
{
    std::vector<std::string> stages = splitAt(text, '/');
    for (std::string& stage : stages) {
        if (stage.empty())
            return Error{ErrorCode::InvalidArgument,
                         "\"" + std::string(text) + "\" lacks the precision of a stage"};
        if (const auto scheme = parseScheme(stage); scheme.ok())
            stage = scheme.value().text();
    }
    if (stages.size() > kMostStages)
        return Error{ErrorCode::InvalidArgument,
                     "more than " + std::to_string(kMostStages) + " stages"};
    if (std::all_of(stages.begin(), stages.end(),
                    [&](const std::string& stage) { return stage == stages.front(); }))
        stages.resize(1);
    return stages;
}

}  // namespace qs::core
