#include "core/lower/program.h"

#include "core/lower/expand_schemes.h"

#include <algorithm>
#include <array>
#include <map>

namespace qs::core {

namespace {

template <typename Enum, std::size_t N>
Result<Enum> parseName(const std::array<std::string_view, N>& names, std::string_view text,
                       const std::string& what)
{
    std::string known;
    for (std::size_t i = 0; i < N; ++i) {
        if (names[i] == text)
            return static_cast<Enum>(i);
        known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    return Error{ErrorCode::InvalidArgument,
                 "\"" + std::string(text) + "\" is no " + what + "; known are " + known};
}

template <typename Enum, std::size_t N>
std::vector<Enum> allOf(const std::array<std::string_view, N>& names)
{
    std::vector<Enum> all;
    for (std::size_t i = 0; i < names.size(); ++i)
        all.push_back(static_cast<Enum>(i));
    return all;
}

constexpr std::array<std::string_view, 2> kCompileNames{"none", "cuda-graph"};
constexpr std::array<std::string_view, 5> kAttentionNames{"auto", "math", "flash", "efficient",
                                                          "cudnn"};

// What later stages find under the names of this stage's inputs and outputs.
void addTypes(const Graph& graph, std::map<std::string, DType>& types)
{
    for (const ValueId id : graph.inputs)
        types.emplace(graph.value(id).name, graph.value(id).type.dtype);
    for (const ValueId id : graph.outputs)
        types[graph.value(id).name] = graph.value(id).type.dtype;
}

}  // namespace

std::string_view name(CompileMode mode)
{
    return kCompileNames[static_cast<std::size_t>(mode)];
}

Result<CompileMode> parseCompileMode(std::string_view text)
{
    return parseName<CompileMode>(kCompileNames, text, "compile mode");
}

std::vector<CompileMode> allCompileModes()
{
    return allOf<CompileMode>(kCompileNames);
}

std::string_view name(AttentionKernel kernel)
{
    return kAttentionNames[static_cast<std::size_t>(kernel)];
}

Result<AttentionKernel> parseAttentionKernel(std::string_view text)
{
    return parseName<AttentionKernel>(kAttentionNames, text, "attention kernel");
}

std::vector<AttentionKernel> allAttentionKernels()
{
    return allOf<AttentionKernel>(kAttentionNames);
}

Graph markLayers(Graph graph, std::size_t stage, const std::vector<LayerRow>& layers)
{
    std::map<std::string, const LayerRow*> matched;
    for (const LayerRow& row : layers) {
        if (row.stage == stage && row.matched &&
            (quantizesWeights(row.scheme) || row.scheme == Scheme::Bf16Autocast))
            matched.emplace(row.module + ".weight", &row);
    }
    for (Node& node : graph.nodes) {
        if (node.operation->name != "aten::linear")
            continue;
        const auto found = matched.find(graph.value(node.tensor("weight")).name);
        if (found == matched.end())
            continue;
        node.operation = findOperation(kQsLinear);
        node.arguments.push_back({"scheme", std::string(name(found->second->scheme))});
    }
    return graph;
}

Result<Program> lower(const ModelFamily& family, const LoweringRequest& request)
{
    QS_RETURN_IF_ERROR(family.checkShape(request.shape));
    QS_ASSERT(request.recipe.size() == family.stages().size());
    Program program;
    program.layers = layerTable(family, request.recipe);
    const bool cuda = request.device.kind == DeviceKind::Cuda;
    std::map<std::string, DType> produced;  // types of inputs and outputs of the stages before
    const CompositionTarget target{.scaledMatmul = cuda, .leastIntegerRows = cuda ? 17 : 0};
    for (std::size_t stage = 0; stage < request.recipe.size(); ++stage) {
        const Scheme scheme = request.recipe[stage].scheme;
        const DType working = workingType(scheme);
        const Graph marked =
            markLayers(family.buildStage(stage, request.shape, working), stage, program.layers);
        StageProgram stageProgram{family.stages()[stage].name, {}, {}, working};
        stageProgram.graph = expandSchemes(marked, target, program.notes, produced);
        if (scheme == Scheme::Bf16Autocast)
            stageProgram.graph = narrowAttention(stageProgram.graph);
        addTypes(stageProgram.graph, produced);
        for (Node& node : stageProgram.graph.nodes)
            node.allowTf32 = scheme == Scheme::Tf32;
        for (const LayerRow& row : program.layers) {
            if (row.stage == stage && row.quantized())
                stageProgram.preparations.push_back(prepareWeight(row, working));
        }
        program.stages.push_back(std::move(stageProgram));
    }
    std::sort(program.notes.begin(), program.notes.end());
    program.notes.erase(std::unique(program.notes.begin(), program.notes.end()),
                        program.notes.end());
    return program;
}

}  // namespace qs::core
