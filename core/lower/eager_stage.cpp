#include "core/lower/eager_stage.h"

#include "core/lower/graph_rewriter.h"
#include "core/lower/single_layer.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace qs::core {

namespace {

// Which operations make layouts, and those that they read from: of weights and constants alone.
std::vector<bool> makingLayouts(const Graph& graph)
{
    std::vector<bool> makes(graph.nodes.size(), false);
    std::vector<bool> wanted(graph.values.size(), false);
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        const Node& node = graph.nodes[i];
        makes[i] = node.operation->name == kInt8Layout ||
                   std::any_of(node.outputs.begin(), node.outputs.end(),
                               [&](ValueId id) { return wanted[static_cast<std::size_t>(id)]; });
        if (!makes[i])
            continue;
        for (const ValueId id : node.inputs()) {
            QS_ASSERT(graph.value(id).kind != ValueKind::Input);
            wanted[static_cast<std::size_t>(id)] = true;
        }
    }
    return makes;
}

// Takes what makes layouts out of a stage.
class LayoutCut final
{
public:
    explicit LayoutCut(const Graph& graph)
        : m_graph(graph), m_makes(makingLayouts(graph)), m_once(graph), m_pass(graph)
    {
    }

    [[nodiscard]] Result<EagerStage> cut(const ReferenceStage& whole)
    {
        EagerStage eager;
        m_pass.copyInputs();
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[i];
            if (m_makes[i]) {
                once(node);
                continue;
            }
            m_pass.copy(node);
            eager.stage.source.resize(m_pass.builder().nodeCount(), whole.source[i]);
        }
        eager.stage.notes = whole.notes;
        QS_TRY(eager.stage.graph, m_pass.finish());
        QS_TRY(eager.layouts, m_once.builder().finish());
        return eager;
    }

private:
    void once(const Node& node)
    {
        const ValueId read = node.inputs().front();
        const auto before = m_names.find(read);
        const std::string weight =
            before == m_names.end() ? m_graph.value(read).name : before->second;
        if (node.operation->name == kInt8Layout) {
            m_pass.define(node.outputs.front(), layoutOf(node, weight));
            return;
        }
        m_once.copy(node);
        m_names[node.outputs.front()] = weight;
    }

    // Operations that read a weight in the same way share its layout.
    ValueId layoutOf(const Node& node, const std::string& weight)
    {
        std::vector<Argument> options;
        for (const NamedArgument& argument : node.arguments) {
            if (!std::holds_alternative<ValueRef>(argument.value))
                options.push_back(argument.value);
        }
        std::vector<Layout>& known = m_layouts[weight];
        const auto found = std::find_if(known.begin(), known.end(), [&](const Layout& each) {
            return each.options == options;
        });
        if (found != known.end())
            return found->value;
        const ValueId made = node.outputs.front();
        const std::string name = weight + ":layout" + std::to_string(known.size());
        m_once.copy(node);
        m_once.builder().output(m_once.map(made), name);
        known.push_back(
            {std::move(options), m_pass.builder().weight(name, m_graph.value(made).type)});
        return known.back().value;
    }

    struct Layout {
        std::vector<Argument> options;
        ValueId value;  // of the pass
    };

    const Graph& m_graph;
    std::vector<bool> m_makes;
    GraphRewriter m_once;
    GraphRewriter m_pass;
    std::map<ValueId, std::string> m_names;                // of the weights behind values
    std::map<std::string, std::vector<Layout>> m_layouts;  // by weight
};

// Weights of 8 bits and activations that are not quantized: nothing multiplies them as they are.
bool widensWeight(const Scheme& scheme)
{
    return quantizesWeights(scheme) && !scheme->activationRule;
}

bool says(const std::vector<Note>& notes, NoteCode code)
{
    return std::any_of(notes.begin(), notes.end(),
                       [&](const Note& note) { return note.code == code; });
}

void noteWidening(const StageProgram& stage, std::vector<Note>& notes)
{
    double layers = 0.0;
    double bytes = 0.0;
    for (const MarkedLayer& layer : markedLayers(stage.graph)) {
        if (!widensWeight(layer.scheme))
            continue;
        const ValueId weight = stage.graph.nodes[layer.node].tensor("weight");
        layers += 1.0;
        bytes += static_cast<double>(stage.graph.value(weight).type.elementCount() *
                                     byteSize(productTypeOf(layer.scheme)));
    }
    if (layers > 0.0)
        notes.push_back({NoteCode::WeightsWidened, {stage.name, layers, bytes}});
}

}  // namespace

bool runsByOperation(const StageProgram& stage)
{
    return !stage.opaque && (stage.compile == eagerMode() || stage.compile->name == "cuda-graph");
}

Result<EagerStage> eagerStage(const StageProgram& stage, const DeviceDescription& device)
{
    QS_TRY(ReferenceStage whole, stageWithKernels(stage, device));
    std::vector<Note>& notes = whole.notes;
    if (device.kind == DeviceKind::Cpu && device.exactInt8Convolutions == false &&
        says(notes, NoteCode::ReferenceStatic))
        notes.push_back({NoteCode::NoInt8Convolution, {device.name}});
    if (!says(notes, NoteCode::ReferenceInt4))
        noteWidening(stage, notes);
    std::sort(notes.begin(), notes.end());
    const auto layouts = makingLayouts(whole.graph);
    if (std::find(layouts.begin(), layouts.end(), true) == layouts.end())
        return EagerStage{std::move(whole), {}};
    return LayoutCut(whole.graph).cut(whole);
}

Result<std::vector<ReferenceStage>> stagesAsRun(const Program& program,
                                                const DeviceDescription& device)
{
    std::vector<ReferenceStage> stages;
    for (const StageProgram& stage : program.stages) {
        if (runsByOperation(stage)) {
            QS_TRY(EagerStage eager, eagerStage(stage, device));
            stages.push_back(std::move(eager.stage));
        } else {
            QS_TRY(ReferenceStage reference, referenceStage(stage, device));
            stages.push_back(std::move(reference));
        }
    }
    return stages;
}

}  // namespace qs::core
