#include "core/lower/program.h"

#include "core/base/enum_names.h"
#include "core/lower/graph_rewriter.h"
#include "core/lower/marked_node.h"
#include "core/lower/weight_preparation.h"
#include "core/quant/rest_of_model.h"

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

bool anyPackaged(const Program& program)
{
    return std::any_of(program.stages.begin(), program.stages.end(), [](const StageProgram& stage) {
        return !stage.compile->packageMode.empty();
    });
}

bool anyCompiled(const Program& program)
{
    return std::any_of(program.stages.begin(), program.stages.end(),
                       [](const StageProgram& stage) { return stage.compile != eagerMode(); });
}

Graph markLayers(Graph graph, std::size_t stage, const std::vector<LayerRow>& layers)
{
    std::map<std::string, const LayerRow*> composed;
    for (const LayerRow& row : layers) {
        if (row.stage == stage && composesLayers(row.scheme))
            composed.emplace(row.weight, &row);
    }
    for (Node& node : graph.nodes) {
        const bool linear = node.operation->name == "aten::linear";
        if (!linear && node.operation->name != "aten::conv2d")
            continue;
        const auto found = composed.find(graph.value(node.tensor("weight")).name);
        if (found == composed.end())
            continue;
        node.operation = findOperation(linear ? kQsLinear : kQsConv);
        node.arguments.push_back({"scheme", found->second->scheme.text()});
    }
    return graph;
}

Result<Graph> castInputs(const Graph& graph, const std::map<std::string, DType>& arriving)
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

Result<Graph> narrowAttention(const Graph& graph, DType type)
{
    GraphRewriter rewriter(graph);
    GraphBuilder& builder = rewriter.builder();
    rewriter.copyInputs();
    for (const Node& node : graph.nodes) {
        if (node.operation->operationClass != OperationClass::Attention) {
            rewriter.copy(node);
            continue;
        }
        std::vector<NamedArgument> arguments = rewriter.mapped(node);
        {
            // Numbers that a mask adds have the type of what they are added to.
            const ModuleScope scope(builder, node.module);
            for (NamedArgument& argument : arguments) {
                auto* ref = std::get_if<ValueRef>(&argument.value);
                if (ref != nullptr && isFloating(builder.type(ref->id).dtype))
                    ref->id = builder.cast(ref->id, type);
            }
        }
        rewriter.write(node, std::move(arguments));
        const ValueId result = node.outputs.front();
        const ModuleScope scope(builder, node.module);
        rewriter.define(result, builder.cast(rewriter.map(result), graph.value(result).type.dtype));
    }
    return rewriter.finish();
}

namespace {

// Quantized weights that the graph reads otherwise than by a layer that stores them.
std::set<std::string> keptWeights(const StageProgram& stage, const std::set<std::string>& prepared)
{
    std::set<std::string> kept;
    for (const Node& node : stage.graph.nodes) {
        for (const ValueId id : node.inputs()) {
            if (!(isMarked(node) && id == node.tensor("weight")) &&
                prepared.contains(stage.graph.value(id).name))
                kept.insert(stage.graph.value(id).name);
        }
    }
    return kept;
}

// Types are what its user declared; nothing is cast, marked or folded.
StageProgram opaqueStage(const StageInfo& info, Graph graph)
{
    StageProgram stage;
    stage.name = info.name;
    stage.graph = std::move(graph);
    stage.workingType = DType::Float32;
    stage.opaque = true;
    return stage;
}

// Stages that a pass of this shape runs at all.
std::size_t usedStages(const ModelFamily& family, const ShapePoint& shape)
{
    std::size_t count = family.stages().size();
    while (count > 1 && family.runsPerPass(count - 1, shape) == 0)
        --count;
    return count;
}

}  // namespace

Result<Program> lower(const ModelFamily& family, const LoweringRequest& request)
{
    const ShapePoint shape{request.shape.batch, family.workload().completed(request.shape.sizes)};
    QS_RETURN_IF_ERROR(family.checkShape(shape));
    QS_ASSERT(request.recipe.size() == family.stages().size());
    QS_ASSERT(request.compile.empty() || request.compile.size() == request.recipe.size());
    Program program;
    program.layers = layerTable(family, request.recipe);
    program.judged = family.workload().judged;
    program.judgedSteps = family.workload().judgedSteps();
    const std::size_t used = usedStages(family, shape);
    std::erase_if(program.layers, [&](const LayerRow& row) { return row.stage >= used; });
    std::map<std::string, DType> produced;  // types of inputs and outputs of the stages before
    for (std::size_t stage = 0; stage < used; ++stage) {
        const Scheme& scheme = request.recipe[stage].scheme;
        QS_TRY(Graph built, family.buildStage(stage, shape, workingTypeOf(scheme)));
        if (family.stages()[stage].program) {
            program.stages.push_back(opaqueStage(family.stages()[stage], std::move(built)));
            if (!request.compile.empty())
                program.stages.back().compile = request.compile[stage];
            continue;
        }
        QS_TRY(const Graph cast, castInputs(built, produced));
        StageProgram lowered;
        lowered.name = family.stages()[stage].name;
        lowered.runs = family.runsPerPass(stage, shape);
        lowered.graph = markLayers(cast, stage, program.layers);
        lowered.graph.allowTf32 = scheme->allowTf32;
        lowered.workingType = workingTypeOf(scheme);
        if (const auto type = attentionTypeOf(scheme)) {
            QS_TRY(lowered.graph, narrowAttention(lowered.graph, *type));
        }
        QS_TRY(FoldedGraph folded, foldBatchNorms(lowered.graph));
        lowered.graph = std::move(folded.graph);
        lowered.foldings = std::move(folded.foldings);
        if (!request.compile.empty())
            lowered.compile = request.compile[stage];
        addTypes(lowered.graph, produced);
        std::set<std::string> quantized;
        for (const LayerRow& row : program.layers) {
            if (row.stage != stage || !row.quantized())
                continue;
            quantized.insert(row.weight);
            if (!row.scheme->solver.empty())
                continue;
            QS_TRY(Graph preparation, prepareWeight(row));
            lowered.preparations.push_back(std::move(preparation));
        }
        lowered.keptWeights = keptWeights(lowered, quantized);
        program.stages.push_back(std::move(lowered));
    }
    return program;
}

}  // namespace qs::core
