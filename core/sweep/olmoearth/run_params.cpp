#include "core/sweep/olmoearth/run_params.h"

#include "core/base/excerpt.h"
#include "core/lower/compile_mode.h"
#include "core/model/olmoearth/variant.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/scheme.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <variant>

namespace qs::core::olmoearth {

namespace {

constexpr std::string_view kFamilyStart = "olmoearth:";
constexpr std::string_view kInductorStart = "inductor-";
constexpr std::string_view kRestAutocast = ":rest=autocast";
constexpr std::string_view kRestSingle = ":rest=fp32";
constexpr std::int64_t kLargestParam = 1'000'000;

using Place = std::variant<std::string RunParams::*, std::int64_t RunParams::*, bool RunParams::*>;

struct Param {
    std::string name;
    Place place;
    std::vector<std::string> choices = {};  // of texts
};

const std::vector<Param>& params()
{
    static const std::vector<Param> all{
        {"model_size", &RunParams::modelSize, {"nano", "tiny", "small", "base", "large", "giga"}},
        {"use_s1", &RunParams::useS1},
        {"use_s2", &RunParams::useS2},
        {"use_landsat", &RunParams::useLandsat},
        {"image_size", &RunParams::imageSize},
        {"patch_size", &RunParams::patchSize},
        {"num_timesteps", &RunParams::timesteps},
        {"batch_size", &RunParams::batchSize},
        {"gpu_type", &RunParams::gpuType},
        {"bf16", &RunParams::bf16},
        {"benchmark_interval_s", &RunParams::intervalSeconds},
        {"min_batches_per_interval", &RunParams::batchesPerInterval},
        {"profiler_enabled", &RunParams::profiler},
        {"wandb_enabled", &RunParams::wandb},
        {"int8_enabled", &RunParams::int8},
        {"int8_mode", &RunParams::int8Mode, {"w8a8", "w8", "weight-only", "wo"}},
        {"int8_smoothquant", &RunParams::smoothQuant},
        {"compile_mode",
         &RunParams::compileMode,
         {"default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"}},
        {"compile_fullgraph", &RunParams::fullGraph},
    };
    return all;
}

std::string listOf(const std::vector<std::string>& words)
{
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : ", ") + word;
    return list;
}

void setText(const Param& param, std::string& member, const JsonView& value,
             const std::string& path, std::vector<JsonIssue>& issues)
{
    const auto text = value.text();
    const auto& choices = param.choices;
    if (!text)
        issues.push_back({path, std::string("expected a string, found ") + value.typeName()});
    else if (!choices.empty() && std::find(choices.begin(), choices.end(), *text) == choices.end())
        issues.push_back({path, "expected " + listOf(choices) + ", found \"" +
                                    excerpt(std::string(*text)) + "\""});
    else
        member = *text;
}

// Empty if nothing is seen.
std::string modelOf(const RunParams& params)
{
    std::string seen;
    for (const auto& [uses, name] : {std::pair{params.useS2, "s2"}, std::pair{params.useS1, "s1"},
                                     std::pair{params.useLandsat, "landsat"}}) {
        if (uses)
            seen += (seen.empty() ? "" : "+") + std::string(name);
    }
    const auto variant = parseVariant(params.modelSize + "/" + seen);
    return seen.empty() || !variant.ok() ? std::string()
                                         : std::string(kFamilyStart) + toText(variant.value());
}

std::string precisionOf(const RunParams& params)
{
    if (!params.int8)
        return params.bf16 ? "bf16-autocast" : "fp32";
    const bool weightsOnly = params.int8Mode != "w8a8";
    // w8 quantizes no activations, whose outliers SmoothQuant is about.
    const std::string scheme = weightsOnly ? "int8wo" : params.smoothQuant ? "int8sq" : "int8dq";
    return scheme + std::string(params.bf16 ? kRestAutocast : kRestSingle);
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

// "w8a8", "w8", or the scheme where the benchmark has no name for it; empty: not quantized.
std::string int8ModeOf(const std::string& precision)
{
    const std::string scheme = precision.substr(0, precision.find(':'));
    if (scheme == "int8dq" || scheme == "int8sq")
        return "w8a8";
    if (scheme == "int8wo")
        return "w8";
    return isOneOf(scheme, {"bf16", "bf16-autocast", "fp32", "tf32", "fp16"}) ? std::string()
                                                                              : precision;
}

bool multipliesInBf16(const std::string& precision)
{
    const auto scheme = parseScheme(precision);
    return !scheme.ok() || productTypeOf(scheme.value()) == DType::BFloat16;
}

}  // namespace

const std::vector<std::string>& runParamNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Param& param : params())
            all.push_back(param.name);
        return all;
    }();
    return names;
}

void setRunParam(RunParams& run, const std::string& name, const JsonView& value,
                 const std::string& path, std::vector<JsonIssue>& issues)
{
    const auto param = std::find_if(params().begin(), params().end(),
                                    [&](const Param& each) { return each.name == name; });
    if (param == params().end()) {
        issues.push_back({path, "no run parameter \"" + excerpt(name) + "\"; there are " +
                                    listOf(runParamNames())});
        return;
    }
    if (const auto* text = std::get_if<std::string RunParams::*>(&param->place)) {
        setText(*param, run.**text, value, path, issues);
    } else if (const auto* number = std::get_if<std::int64_t RunParams::*>(&param->place)) {
        const auto found = value.wholeNumber();
        if (found && *found >= 1 && *found <= kLargestParam)
            run.** number = *found;
        else
            issues.push_back({path, "expected a whole number from 1 to 1000000"});
    } else if (const auto flag = value.flag()) {
        run.*std::get<bool RunParams::*>(param->place) = *flag;
    } else {
        issues.push_back({path, std::string("expected true or false, found ") + value.typeName()});
    }
}

std::vector<std::string> differingParams(const RunParams& run, const RunParams& other)
{
    std::vector<std::string> names;
    for (const Param& param : params()) {
        const bool same = std::visit(
            [&](const auto member) { return run.*member == other.*member; }, param.place);
        if (!same)
            names.push_back(param.name);
    }
    return names;
}

std::string compileOf(const RunParams& run)
{
    for (const std::string& text :
         {std::string(kInductorStart) + run.compileMode, run.compileMode}) {
        if (const auto mode = parseCompileMode(text); mode.ok())
            return mode.value().text();
    }
    return {};
}

Result<CellConfig> cellOf(const RunParams& run)
{
    CellConfig cell;
    cell.model = modelOf(run);
    if (cell.model.empty())
        return Error{ErrorCode::InvalidArgument,
                     "the model sees nothing or is of no known size; set use_s2, "
                     "use_s1 or use_landsat, and a published model_size"};
    const bool gpu = run.gpuType != "cpu";
    cell.device = gpu ? "cuda:0" : "cpu";
    cell.precision = {precisionOf(run)};
    cell.layers = run.int8 ? "olmoearth" : "every";
    cell.compile = run.int8 ? compileOf(run) : std::string(kInductorStart) + "default";
    if (cell.compile.empty())
        return Error{ErrorCode::InvalidArgument,
                     "no compile mode \"" + excerpt(run.compileMode) + "\""};
    // The kernel takes numbers of 16 bits alone.
    cell.attention = run.int8 && gpu && run.bf16 ? "flash" : "auto";
    cell.batch = run.batchSize;
    cell.sizes = {};
    cell.sizes.set("tile_size", run.imageSize);
    cell.sizes.set("patch_size", run.patchSize);
    cell.sizes.set("time_steps", run.timesteps);
    return cell;
}

RunParams runParamsOf(const CellConfig& cell)
{
    RunParams run;
    run.modelSize = cell.model;
    run.useS2 = false;
    if (cell.model.starts_with(kFamilyStart)) {
        const std::string text = cell.model.substr(kFamilyStart.size());
        if (const auto variant = parseVariant(text); variant.ok()) {
            run.modelSize = text.substr(0, text.find('/'));
            for (const std::size_t seen : variant.value().seen) {
                const std::string_view name = modalities()[seen].shortName;
                run.useS1 = run.useS1 || name == "s1";
                run.useS2 = run.useS2 || name == "s2";
                run.useLandsat = run.useLandsat || name == "landsat";
            }
        }
    }
    const std::string precision = precisionText(cell);
    run.imageSize = cell.sizes.find("tile_size").value_or(0);
    run.patchSize = cell.sizes.find("patch_size").value_or(0);
    run.timesteps = cell.sizes.find("time_steps").value_or(0);
    run.batchSize = cell.batch;
    run.gpuType = cell.device.substr(0, cell.device.find(':'));
    run.bf16 = multipliesInBf16(precision);
    run.int8Mode = int8ModeOf(precision);
    run.int8 = !run.int8Mode.empty();
    run.smoothQuant = precision.starts_with("int8sq");
    run.compileMode = cell.compile.starts_with(kInductorStart)
                          ? cell.compile.substr(kInductorStart.size())
                          : cell.compile;
    return run;
}

std::vector<std::string> unusedParams(const RunParams& run)
{
    std::vector<std::string> unused;
    if (run.wandb)
        unused.emplace_back("wandb_enabled: nothing is sent anywhere; the run folder keeps all");
    if (run.gpuType != "cuda" && run.gpuType != "cpu")
        unused.emplace_back("gpu_type: " + excerpt(run.gpuType) +
                            " is a name alone; the first GPU is measured, whichever it is");
    if (run.profiler)
        unused.emplace_back("profiler_enabled: every cell has a profile of its own anyway");
    if (run.int8 && !run.fullGraph)
        unused.emplace_back("compile_fullgraph: programs are compiled whole or not at all");
    if (run.smoothQuant && !run.int8)
        unused.emplace_back("int8_smoothquant: nothing is quantized");
    if (run.smoothQuant && run.int8 && run.int8Mode != "w8a8")
        unused.emplace_back("int8_smoothquant: " + run.int8Mode + " quantizes no activations");
    return unused;
}

}  // namespace qs::core::olmoearth
