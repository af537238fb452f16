#include "core/lower/program.h"

#include "core/base/enum_names.h"
#include "core/lower/graph_rewriter.h"
#include "core/lower/reference.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

constexpr auto kAttentionNames = enumNames<AttentionKernel>({
    {AttentionKernel::Auto, "auto"},
    {AttentionKernel::Math, "math"},
    {AttentionKernel::Flash, "flash"},
    {AttentionKernel::Efficient, "efficient"},
    {AttentionKernel::Cudnn, "cudnn"},
});

// What later stages find under the names of this stage's inputs and outputs.
void addTypes(const Graph& graph, std::map<std::string, DType>& types)
{
    for (const ValueId id : graph.inputs)
        types.emplace(graph.value(id).name, graph.value(id).type.dtype);
    for (const ValueId id : graph.outputs)
        types[graph.value(id).name] = graph.value(id).type.dtype;
}

}  // namespace

std::string_view name(AttentionKernel kernel)
{
    return kAttentionNames.of(kernel);
}

Result<AttentionKernel> parseAttentionKernel(std::string_view text)
{
    return kAttentionNames.parse(text, "attention kernel");
}

std::vector<AttentionKernel> allAttentionKernels()
{
    return kAttentionNames.values();
}

bool anyCompiled(const Program& program)
{
    return std::any_of(program.stages.begin(), program.stages.end(),
                       [](const StageProgram& stage) { return stage.compile != eagerMode(); });
}

Graph markLayers(Graph graph, std::size_t stage, const std::vector<LayerRow>& layers)
{
    std::map<std::string, const LayerRow*> matched;
    for (const LayerRow& row : layers) {
        if (row.stage == stage && row.matched && composesLayers(row.scheme))
            matched.emplace(row.module + ".weight", &row);
    }
    for (Node& node : graph.nodes) {
        if (node.operation->name != "aten::linear")
            continue;
        const auto found = matched.find(graph.value(node.tensor("weight")).name);
        if (found == matched.end())
            continue;
        node.operation = findOperation(kQsLinear);
        node.arguments.push_back({"scheme", found->second->scheme.text()});
    }
    return graph;
}

Graph castInputs(const Graph& graph, const std::map<std::string, DType>& arriving)
{
    GraphRewriter rewriter(graph);
    GraphBuilder& builder = rewriter.builder();
    for (const ValueId id : graph.inputs) {
        const auto& [name, type, kind] = graph.value(id);
        const auto found = arriving.find(name);
        const DType arrives = found == arriving.end() ? type.dtype : found->second;
        rewriter.define(id, builder.cast(builder.input(name, {arrives, type.shape}), type.dtype));
    }
    for (const Node& node : graph.nodes)
        rewriter.copy(node);
    return rewriter.finish();
}

Graph narrowAttention(const Graph& graph, DType type)
{
    GraphRewriter rewriter(graph);
    GraphBuilder& builder = rewriter.builder();
    rewriter.copyInputs();
    for (const Node& node : graph.nodes) {
        if (node.operation->operationClass != OperationClass::Attention) {
            rewriter.copy(node);
            continue;
        }
        const ModuleScope scope(builder, node.module);
        const auto narrow = [&](std::string_view argument) {
            return builder.cast(rewriter.map(node.tensor(argument)), type);
        };
        const ValueId query = narrow("query");
        const ValueId key = narrow("key");
        const ValueId result = builder.attention(query, key, narrow("value"));
        rewriter.define(node.outputs.front(),
                        builder.cast(result, graph.value(node.outputs.front()).type.dtype));
    }
    return rewriter.finish();
}

Result<Program> lower(const ModelFamily& family, const LoweringRequest& request)
{
    QS_RETURN_IF_ERROR(family.checkShape(request.shape));
    QS_ASSERT(request.recipe.size() == family.stages().size());
    QS_ASSERT(request.compile.empty() || request.compile.size() == request.recipe.size());
    Program program;
    program.layers = layerTable(family, request.recipe);
    std::map<std::string, DType> produced;  // types of inputs and outputs of the stages before
    for (std::size_t stage = 0; stage < request.recipe.size(); ++stage) {
        const Scheme& scheme = request.recipe[stage].scheme;
        const Graph built = family.buildStage(stage, request.shape, scheme->workingType);
        StageProgram lowered;
        lowered.name = family.stages()[stage].name;
        lowered.graph = markLayers(castInputs(built, produced), stage, program.layers);
        lowered.workingType = scheme->workingType;
        lowered.allowTf32 = scheme->allowTf32;
        if (scheme->attentionType)
            lowered.graph = narrowAttention(lowered.graph, *scheme->attentionType);
        if (!request.compile.empty())
            lowered.compile = request.compile[stage];
        addTypes(lowered.graph, produced);
        for (const LayerRow& row : program.layers) {
            if (row.stage == stage && row.quantized())
                lowered.preparations.push_back(prepareWeight(row));
        }
        program.stages.push_back(std::move(lowered));
    }
    return program;
}

}  // namespace qs::core
