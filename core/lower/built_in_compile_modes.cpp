#include "core/lower/built_in_compile_modes.h"

#include "core/base/text_parts.h"
#include "core/graph/regions.h"
#include "core/model/packaged_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// What Inductor takes for one stage, where its package is not found in the cache.
constexpr double kCompileSeconds = 60.0;
// The same of all regions of a stage, which are small: 14 to 50 s on an H200.
constexpr double kRegionsSeconds = 25.0;

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
                         .preparationSeconds = kRegionsSeconds,
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

}  // namespace

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
                         .choices = {std::string("best"), std::string(kPlain)}},
                        {.name = std::string(kGraphParameter),
                         .description = "A CUDA graph for each stage, so that stages are timed, or "
                                        "one for the whole pass",
                         .fallback = std::string("stage"),
                         .choices = {std::string("stage"), std::string(kPass)}}},
         .needs = {.what = "fused", .kernels = true},
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

}  // namespace qs::core
