#include "core/lower/reference.h"

#include "core/lower/graph_rewriter.h"
#include "core/lower/marked_node.h"

#include <algorithm>

namespace qs::core {

namespace {

void sortWithoutRepeats(std::vector<Note>& notes)
{
    std::sort(notes.begin(), notes.end());
    notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
}

// The parts of a weight, which is a matrix to the scheme: a convolution's has its kernel in the
// columns.
std::vector<ValueId> storedValues(GraphBuilder& builder, const Scheme& scheme, const Value& weight)
{
    const std::int64_t out = weight.type.shape[0];
    const std::int64_t in = weight.type.elementCount() / std::max<std::int64_t>(1, out);
    std::vector<ValueId> stored;
    for (const StoredPart& part : scheme->stored(scheme, out, in))
        stored.push_back(builder.weight(storedName(weight.name, part), part.type));
    return stored;
}

std::vector<ValueId> stateValues(GraphBuilder& builder, const Scheme& scheme, const Value& weight)
{
    std::vector<ValueId> states;
    if (scheme->states) {
        for (const StoredPart& state : scheme->states(scheme))
            states.push_back(builder.state(storedName(weight.name, state), state.type));
    }
    return states;
}

// The composition takes a matrix where its scheme stores parts; the layer may have more dimensions.
ValueId composeStored(GraphBuilder& builder, const Scheme& scheme, ValueId x, const Value& weight,
                      ValueId bias, const DeviceDescription& device, std::vector<Note>& notes)
{
    std::vector<std::int64_t> result = builder.shape(x);
    const std::int64_t in = result.back();
    result.back() = weight.type.shape[0];
    const ValueId matrix =
        builder.reshape(x, {builder.type(x).elementCount() / std::max<std::int64_t>(1, in), in});
    const auto stored = storedValues(builder, scheme, weight);
    const LayerParts parts{matrix, stored, bias, stateValues(builder, scheme, weight)};
    return builder.view(scheme->linear(scheme, builder, parts, device, notes), result);
}

// What a node says beside its tensors and its scheme.
std::vector<NamedArgument> optionsOf(const Node& node)
{
    std::vector<NamedArgument> options;
    for (const NamedArgument& argument : node.arguments) {
        if (!std::holds_alternative<ValueRef>(argument.value) && argument.name != "scheme")
            options.push_back(argument);
    }
    return options;
}

void composeLayer(GraphRewriter& rewriter, const Graph& graph, const Node& node,
                  const DeviceDescription& device, std::vector<Note>& notes)
{
    const Scheme scheme = schemeOf(node);
    const ValueId source = node.tensor("weight");
    const Value& weight = graph.value(source);
    const ValueId x = rewriter.map(node.tensor("input"));
    const ValueId bias = rewriter.map(node.tensor("bias"));
    GraphBuilder& builder = rewriter.builder();
    const ModuleScope scope(builder, node.module);
    const bool stores = quantizesWeights(scheme);
    ValueId y = -1;
    if (node.operation->name == kQsConv) {
        const auto parts = stores ? storedValues(builder, scheme, weight)
                                  : std::vector<ValueId>{rewriter.map(source)};
        y = scheme->convolution(
            scheme, builder, {x, parts, bias, weight.type.shape, optionsOf(node)}, device, notes);
    } else if (stores) {
        y = composeStored(builder, scheme, x, weight, bias, device, notes);
    } else {
        y = scheme->linear(scheme, builder, {x, {rewriter.map(source)}, bias}, device, notes);
    }
    rewriter.define(node.outputs.front(), y);
}

}  // namespace

DeviceDescription withoutKernels(DeviceDescription device)
{
    device.exactInt8Convolutions.reset();
    return device;
}

Result<ReferenceStage> referenceStage(const StageProgram& stage, const DeviceDescription& device)
{
    return stageWithKernels(stage, withoutKernels(device));
}

Result<ReferenceStage> stageWithKernels(const StageProgram& stage, const DeviceDescription& device)
{
    ReferenceStage reference;
    if (stage.opaque) {
        reference.graph = stage.graph;
        reference.source.assign(stage.graph.nodes.size(), 0);
        return reference;
    }
    GraphRewriter rewriter(stage.graph);
    rewriter.copyInputs();
    for (std::size_t i = 0; i < stage.graph.nodes.size(); ++i) {
        const Node& node = stage.graph.nodes[i];
        if (isMarked(node))
            composeLayer(rewriter, stage.graph, node, device, reference.notes);
        else
            rewriter.copy(node);
        reference.source.resize(rewriter.builder().nodeCount(), i);
    }
    QS_TRY(reference.graph, rewriter.finish());
    sortWithoutRepeats(reference.notes);
    return reference;
}

Result<std::vector<ReferenceStage>> referenceStages(const Program& program,
                                                    const DeviceDescription& device)
{
    std::vector<ReferenceStage> stages;
    for (const StageProgram& stage : program.stages) {
        QS_TRY(ReferenceStage reference, referenceStage(stage, device));
        stages.push_back(std::move(reference));
    }
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

}  // namespace qs::core
