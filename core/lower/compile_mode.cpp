#include "core/lower/compile_mode.h"

#include "core/base/text_parts.h"
#include "core/model/packaged_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// What Inductor takes for one stage, where its package is not found in the cache.
constexpr double kCompileSeconds = 60.0;

constexpr std::string_view kRegionsParameter = "regions";
constexpr std::string_view kModulesParameter = "at";
constexpr std::string_view kAutotuneParameter = "autotune";
constexpr std::string_view kBlocksParameter = "blocks";
constexpr const char* kOnce = "once";
constexpr const char* kCut = "cut";
constexpr std::string_view kShapesParameter = "shapes";
constexpr const char* kDynamic = "dynamic";
constexpr std::string_view kUnitsParameter = "units";
constexpr const char* kPlain = "plain";

CompileModeSpec inductorMode(const std::string& mode, std::string description, int tone)
{
    return {
        .name = "inductor-" + mode,
        .description = std::move(description),
        .parameters = {{.name = std::string(kBlocksParameter),
                        .description = "Equal blocks of the model: compiled once and called, or "
                                       "all within one program; cut: a broken graph, each block "
                                       "a program of its own",
                        .fallback = std::string(kOnce),
                        .choices = {std::string(kOnce), std::string("inline"), std::string(kCut)}},
                       {.name = std::string(kShapesParameter),
                        .description = "Compiled for each batch size, or once for all (then "
                                       "blocks are within the program)",
                        .fallback = std::string("static"),
                        .choices = {std::string("static"), std::string(kDynamic)}}},
        .aliases = {mode},
        .needs = {.what = "Inductor", .compiler = true},
        .preparationPasses = 3.0,
        .preparationSeconds = kCompileSeconds,
        .sameMathematics = mode == "default",
        .tone = tone,
        .packageMode = mode.starts_with("max-autotune") ? "max-autotune" : "default"};
}

CompileModeSpec recordedInductorMode(const std::string& mode, std::string description, int tone)
{
    CompileModeSpec spec = inductorMode(mode, std::move(description), tone);
    spec.needs = {.what = "CUDA graphs of Inductor", .cpu = false, .compiler = true};
    spec.launchesOperations = false;
    spec.preparationPasses = 7.0;
    spec.recorded = true;
    return spec;
}

std::vector<ParameterValue> regionNames()
{
    std::vector<ParameterValue> names;
    for (const RegionKind kind : kRegionKinds.values())
        names.emplace_back(std::string(kRegionKinds.of(kind)));
    return names;
}

// "decoder_blocks.{0-3}.ffn+decoder_blocks.7"
Result<std::vector<LayerPattern>> modulesFrom(std::string_view text)
{
    constexpr std::size_t kMostPatterns = 64;
    const std::vector<std::string> texts = splitOutsideBraces(text, '+');
    if (texts.size() > kMostPatterns)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} names {} modules or patterns; {} are the most",
                                 kModulesParameter, texts.size(), kMostPatterns)};
    std::vector<LayerPattern> patterns;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (std::find(texts.begin(), texts.begin() + std::ptrdiff_t(i), texts[i]) !=
            texts.begin() + std::ptrdiff_t(i))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} names \"{}\" twice", kModulesParameter, texts[i])};
        QS_TRY(std::vector<LayerPattern> one, parseLayerPatterns(texts[i]));
        if (one.size() != 1)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{}: \"{}\" has a comma outside braces; join modules by +",
                                     kModulesParameter, texts[i])};
        patterns.push_back(std::move(one.front()));
    }
    return patterns;
}

Result<std::string> normalModules(std::string_view text)
{
    const auto patterns = modulesFrom(text);
    if (!patterns.ok())
        return patterns.error();
    return std::string(text);
}

CompileModeSpec regionalMode(std::string name, std::string description, int tone)
{
    CompileModeSpec spec{.name = std::move(name),
                         .description = std::move(description),
                         .needs = {.what = "Inductor", .compiler = true},
                         .preparationPasses = 3.0,
                         .preparationSeconds = kCompileSeconds,
                         .tone = tone,
                         .packageMode = "default",
                         .regional = true};
    spec.parameters = {{.name = std::string(kRegionsParameter),
                        .description = "What is compiled",
                        .fallback = std::string("rope+norm+silu_gate"),
                        .choices = regionNames(),
                        .several = true,
                        .unnamed = true},
                       {.name = std::string(kModulesParameter),
                        .description = "Modules that are compiled, each as a region of its own",
                        .fallback = std::string(),
                        .normal = normalModules,
                        .insteadOfUnnamed = true},
                       {.name = std::string(kAutotuneParameter),
                        .description = "Regions whose kernels Inductor times and chooses",
                        .fallback = std::string(),
                        .choices = regionNames(),
                        .several = true}};
    spec.parameters.back().choices.emplace_back(std::string(kModulesParameter));
    return spec;
}

CompileModeSpec recordedRegionalMode(int tone)
{
    CompileModeSpec spec =
        regionalMode("regions-graph", "The same as regions, captured as a CUDA graph", tone);
    spec.needs = {.what = "CUDA graphs of regions", .cpu = false, .compiler = true};
    spec.launchesOperations = false;
    spec.preparationPasses = 7.0;
    spec.recorded = true;
    return spec;
}

// Whether the mode has this parameter, and it is this word.
bool says(const CompileMode& mode, std::string_view parameter, std::string_view word)
{
    const auto& all = mode->parameters;
    return std::any_of(all.begin(), all.end(),
                       [&](const Parameter& each) { return each.name == parameter; }) &&
           mode.word(parameter) == word;
}

std::vector<CompileModeSpec> builtInCompileModes()
{
    return {
        {.name = "none",
         .description = "Operations one after the other, as PyTorch runs a model by default",
         .aliases = {"eager"},
         .tone = 0},
        {.name = "cuda-graph",
         .description = "The same operations, captured once as a CUDA graph and replayed without "
                        "launch overhead. Needs an NVIDIA GPU",
         .needs = {.what = "CUDA graphs", .cpu = false},
         .launchesOperations = false,
         .preparationPasses = 4.0,
         .sameMathematics = true,
         .tone = 1,
         .recorded = true},
        inductorMode("default", "Inductor fuses the operations into kernels of its own", 2),
        recordedInductorMode("reduce-overhead",
                             "The kernels of inductor-default, captured as a CUDA graph", 3),
        recordedInductorMode("max-autotune",
                             "Inductor times several kernels for each product and takes the "
                             "fastest; captured as a CUDA graph",
                             4),
        inductorMode("max-autotune-no-cudagraphs",
                     "The kernels of inductor-max-autotune, launched one by one", 5),
        regionalMode("regions", "Inductor compiles the named regions alone, the rest runs as eager",
                     6),
        recordedRegionalMode(7),
        {.name = "fused",
         .description = "Kernels of QuantScope: what lies between two products is one of them; on "
                        "an NVIDIA GPU captured as a CUDA graph",
         .parameters = {{.name = std::string(kUnitsParameter),
                         .description = "Products by the best instructions of the GPU, or by those "
                                        "that compute capability 8.0 has",
                         .fallback = std::string("best"),
                         .choices = {std::string("best"), std::string(kPlain)}}},
         .launchesOperations = false,
         .preparationPasses = 7.0,
         .tone = 9,
         .ownKernels = true},
        {.name = std::string(kAsPackaged),
         .description = "A compiled package as it is",
         .launchesOperations = false,
         .tone = 8,
         .ofPrograms = true},
    };
}

}  // namespace

std::vector<RegionKind> regionsOf(const CompileMode& mode)
{
    std::vector<RegionKind> kinds;
    if (!mode->regional || mode.word(kRegionsParameter).empty())
        return kinds;
    for (const std::string& word : splitAt(mode.word(kRegionsParameter), '+'))
        kinds.push_back(*kRegionKinds.find(word));
    return kinds;
}

std::vector<LayerPattern> regionModulesOf(const CompileMode& mode)
{
    if (!mode->regional || mode.word(kModulesParameter).empty())
        return {};
    return modulesFrom(mode.word(kModulesParameter)).value();
}

std::string regionsAt(const std::vector<std::string>& patterns)
{
    std::string text;
    for (const std::string& each : patterns)
        text += (text.empty() ? "" : "+") + each;
    return fmt::format("regions:{}={}", kModulesParameter, text);
}

bool hasFreeBatch(const CompileMode& mode)
{
    return says(mode, kShapesParameter, kDynamic);
}

bool compilesBlocksOnce(const CompileMode& mode)
{
    return says(mode, kBlocksParameter, kOnce) && !hasFreeBatch(mode);
}

bool cutsBetweenBlocks(const CompileMode& mode)
{
    return says(mode, kBlocksParameter, kCut);
}

bool multipliesPlainly(const CompileMode& mode)
{
    return says(mode, kUnitsParameter, kPlain);
}

std::string packageModeOf(const CompileMode& mode, std::optional<RegionKind> kind)
{
    if (!mode->regional)
        return mode->packageMode;
    const std::vector<std::string> tuned = splitAt(mode.word(kAutotuneParameter), '+');
    const std::string_view word = kind ? kRegionKinds.of(*kind) : kModulesParameter;
    const bool found = std::find(tuned.begin(), tuned.end(), word) != tuned.end();
    return found ? "max-autotune" : mode->packageMode;
}

std::string besideRegions(const CompileMode& mode)
{
    std::string text;
    for (const std::string_view name : {kModulesParameter, kAutotuneParameter}) {
        if (mode->regional && !mode.word(name).empty())
            text += fmt::format(":{}={}", name, mode.word(name));
    }
    return text;
}

std::string compilerOf(const CompileMode& mode)
{
    if (mode->packageMode.empty())
        return {};
    if (!mode->regional)
        return mode->packageMode + (compilesBlocksOnce(mode) ? ":once" : "") +
               (cutsBetweenBlocks(mode) ? ":cut" : "") + (hasFreeBatch(mode) ? ":dynamic" : "");
    return mode->packageMode + ":" + mode.word(kRegionsParameter) + besideRegions(mode);
}

Registry<CompileModeSpec>& compileModeRegistry()
{
    static Registry<CompileModeSpec> registry("compile mode", builtInCompileModes());
    return registry;
}

std::vector<CompileMode> offeredCompileModes()
{
    std::vector<CompileMode> offered;
    for (const CompileModeSpec& spec : compileModeRegistry().specs()) {
        if (!spec.ofPrograms)
            offered.emplace_back(spec);
    }
    return offered;
}

const CompileMode& eagerMode()
{
    static const CompileMode mode(compileModeRegistry().specs().front());
    return mode;
}

Result<CompileMode> parseCompileMode(std::string_view text)
{
    for (const CompileModeSpec& spec : compileModeRegistry().specs()) {
        if (std::find(spec.aliases.begin(), spec.aliases.end(), text) != spec.aliases.end())
            return CompileMode(spec);
    }
    return compileModeRegistry().parse(text);
}

Result<std::vector<CompileMode>> parseCompileModes(std::string_view text, std::size_t stages)
{
    const std::vector<std::string> parts = splitAt(text, '/');
    if (parts.size() != 1 && parts.size() != stages)
        return Error{ErrorCode::InvalidArgument,
                     "compile mode names " + std::to_string(parts.size()) +
                         " stages, but the model has " + std::to_string(stages)};
    std::vector<CompileMode> modes;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        QS_TRY(CompileMode mode, parseCompileMode(parts[parts.size() == 1 ? 0 : stage]));
        modes.push_back(std::move(mode));
    }
    return modes;
}

bool computesAsEager(std::string_view text)
{
    const std::vector<std::string> parts = splitAt(text, '/');
    return std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
        const auto mode = parseCompileMode(part);
        return mode.ok() && mode.value()->sameMathematics;
    });
}

std::string normalCompileText(std::string_view text)
{
    std::vector<std::string> parts = splitAt(text, '/');
    for (std::string& part : parts) {
        if (const auto mode = parseCompileMode(part); mode.ok())
            part = mode.value().text();
    }
    return joinedWithoutRepeats(parts, '/');
}

std::string withRegions(const CompileMode& mode, const std::vector<RegionKind>& kinds)
{
    if (kinds.empty() && mode.word(kModulesParameter).empty())
        return mode->recorded ? "cuda-graph" : "none";
    std::string words;
    for (const RegionKind kind : kinds)
        words += (words.empty() ? ":" : "+") + std::string(kRegionKinds.of(kind));
    return normalCompileText(mode->name + words + besideRegions(mode));
}

Result<std::vector<std::string>> expandCompileText(std::string_view text)
{
    constexpr std::string_view kSubsets = ":subsets=";
    const auto begin = text.find(kSubsets);
    if (begin == text.npos)
        return std::vector<std::string>{std::string(text)};
    const std::string all =
        fmt::format("{}:{}", text.substr(0, begin), text.substr(begin + kSubsets.size()));
    QS_TRY(const CompileMode whole, parseCompileMode(all));
    const std::vector<RegionKind> kinds = regionsOf(whole);
    std::vector<std::vector<RegionKind>> subsets;
    for (unsigned chosen = 1; chosen < 1U << kinds.size(); ++chosen) {
        subsets.emplace_back();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if ((chosen >> i & 1U) != 0)
                subsets.back().push_back(kinds[i]);
        }
    }
    std::stable_sort(subsets.begin(), subsets.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<std::string> texts;
    for (const std::vector<RegionKind>& subset : subsets)
        texts.push_back(withRegions(whole, subset));
    return texts;
}

}  // namespace qs::core
