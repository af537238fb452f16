#include "core/lower/reference.h"

#include "core/lower/graph_rewriter.h"

#include <algorithm>

namespace qs::core {

namespace {

void sortWithoutRepeats(std::vector<Note>& notes)
{
    std::sort(notes.begin(), notes.end());
    notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
}

// The composition takes a matrix where its scheme stores parts; the layer may have more dimensions.
ValueId composeStored(GraphBuilder& builder, const Scheme& scheme, ValueId x, const Value& weight,
                      ValueId bias, const DeviceDescription& device, std::vector<Note>& notes)
{
    const std::int64_t out = weight.type.shape[0];
    const std::int64_t in = weight.type.shape[1];
    std::vector<std::int64_t> result = builder.shape(x);
    result.back() = out;
    LayerParts parts{builder.reshape(x, {builder.type(x).elementCount() / in, in}), {}, bias};
    for (const StoredPart& part : scheme->stored(scheme, out, in))
        parts.stored.push_back(builder.weight(storedName(weight.name, part), part.type));
    return builder.view(scheme->linear(scheme, builder, parts, device, notes), result);
}

void composeLayer(GraphRewriter& rewriter, const Graph& graph, const Node& node,
                  const DeviceDescription& device, std::vector<Note>& notes)
{
    const Scheme scheme = namedScheme(std::get<std::string>(*node.find("scheme")));
    const ValueId source = node.tensor("weight");
    const ValueId x = rewriter.map(node.tensor("input"));
    const ValueId bias = rewriter.map(node.tensor("bias"));
    GraphBuilder& builder = rewriter.builder();
    const ModuleScope scope(builder, node.module);
    ValueId y = -1;
    if (quantizesWeights(scheme))
        y = composeStored(builder, scheme, x, graph.value(source), bias, device, notes);
    else
        y = scheme->linear(scheme, builder, {x, {rewriter.map(source)}, bias}, device, notes);
    rewriter.define(node.outputs.front(), y);
}

}  // namespace

ReferenceStage referenceStage(const StageProgram& stage, const DeviceDescription& device)
{
    ReferenceStage reference;
    GraphRewriter rewriter(stage.graph);
    rewriter.copyInputs();
    for (const Node& node : stage.graph.nodes) {
        if (node.operation->name == kQsLinear)
            composeLayer(rewriter, stage.graph, node, device, reference.notes);
        else
            rewriter.copy(node);
    }
    reference.graph = rewriter.finish();
    for (Node& node : reference.graph.nodes)
        node.allowTf32 = stage.allowTf32;
    sortWithoutRepeats(reference.notes);
    return reference;
}

std::vector<ReferenceStage> referenceStages(const Program& program, const DeviceDescription& device)
{
    std::vector<ReferenceStage> stages;
    for (const StageProgram& stage : program.stages)
        stages.push_back(referenceStage(stage, device));
    return stages;
}

std::vector<Note> notesOf(const std::vector<ReferenceStage>& stages)
{
    std::vector<Note> notes;
    for (const ReferenceStage& stage : stages)
        notes.insert(notes.end(), stage.notes.begin(), stage.notes.end());
    sortWithoutRepeats(notes);
    return notes;
}

Graph prepareWeight(const LayerRow& row)
{
    GraphBuilder builder;
    const ModuleScope scope(builder, row.module);
    const std::string name = row.module + ".weight";
    const ValueId weight =
        builder.weight(name, {row.scheme->workingType, {row.outFeatures, row.inFeatures}});
    const auto values = row.scheme->quantizeWeight(row.scheme, builder, weight);
    const auto parts = row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures);
    QS_ASSERT(values.size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        builder.output(values[i], storedName(name, parts[i]));
    return builder.finish();
}

}  // namespace qs::core
